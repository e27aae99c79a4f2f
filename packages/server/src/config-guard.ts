import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { isReadableByOthers } from '#server/platform/secrets.ts';

const text = z.string().min(1).max(400);
const isEachOnce = (all: readonly unknown[]): boolean => new Set(all).size === all.length;
const fileSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  tenants: z
    .array(
      z
        .strictObject({
          org_id: z.int().positive(),
          client_id: text,
          client_secret: text,
          webhook_secret: text.min(16),
        })
        .transform((one) => ({
          orgId: one.org_id,
          clientId: one.client_id,
          clientSecret: one.client_secret,
          webhookSecret: one.webhook_secret,
        })),
    )
    .min(1)
    // One account of two organisations would have one day's quota for both, and each would keep half of it back for its unlocks alone.
    .refine((all) => isEachOnce(all.map((one) => one.orgId)) && isEachOnce(all.map((one) => one.clientId))),
});
export type GuardSettings = z.output<typeof fileSchema>;

/** Accounts at a guard cloud, from a file for the server's eyes alone. Says in `problems` what is wrong, never a value. */
export function readGuardFile(file: string | undefined, problems: string[]): GuardSettings | undefined {
  if (file === undefined) return undefined;
  const problem = (says: string): undefined => {
    problems.push(`KIST_GUARD_FILE: ${says}`);
    return undefined;
  };
  try {
    if (isReadableByOthers(statSync(file))) return problem('others may read the file; chmod 600 it.');
    const parsed = fileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    if (parsed.success) return parsed.data;
    return problem(`${parsed.error.issues[0]?.path.join('.') ?? 'the file'} is not as it should be.`);
  } catch {
    return problem('the file cannot be read as JSON.');
  }
}
