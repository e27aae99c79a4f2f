import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { GuardTenant } from './clouds/guard/guard-cloud.ts';

/** The server's own file of its accounts at a lock service (`KIST_GUARD_FILE`). */
const accountsSchema = z.object({
  url: z.url(),
  tenants: z.array(
    z.object({
      org_id: z.int().positive(),
      client_id: z.string(),
      client_secret: z.string(),
      webhook_secret: z.string(),
    }),
  ),
});
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The shops that have their accounts at this very simulator, from the file that the server reads them from.
 * @param here the simulator's own port, and the server that its webhooks go to, without a trailing slash
 * @returns none when the file is absent or names a lock service elsewhere
 * @throws ZodError, SyntaxError when the file is not as it should be
 */
export function guardAccounts(file: string | undefined, here: { port: number; serverUrl: string }): GuardTenant[] {
  if (!file) return [];
  const { url, tenants } = accountsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const { hostname, port } = new URL(url);
  if (!LOOPBACK.includes(hostname) || port !== String(here.port)) return [];
  return tenants.map(({ org_id, ...account }) => ({
    id: String(org_id),
    ...account,
    webhook_url: `${here.serverUrl}/hooks/guard/${org_id}`,
  }));
}
