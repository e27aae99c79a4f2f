import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { dateSchema, idSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** The daily root over every history of an organisation; hashes in hexadecimal (migration 0126 says what they cover). */
const rootSchema = z.object({
  day: z.string(),
  at: z.string(),
  /** Histories that grew since the root before. */
  heads: z.int(),
  prev_root: z.string(),
  root: z.string(),
});

/** One history: of a customer, an agreement, a phone. */
const historySchema = z.object({
  kind: z.enum(['customer', 'agreement', 'device']),
  id: z.uuid(),
  lines: z.int(),
  last_at: z.string().nullable(),
  is_whole: z.boolean(),
  /** The first line that does not fit. */
  bad_seq: z.int().nullable(),
  /** The last day whose root covers it, and how many of its lines. */
  rooted_on: z.string().nullable(),
  rooted_lines: z.int(),
});
export type History = z.infer<typeof historySchema>;

export const auditEndpoints = {
  getAuditRoots: endpoint({
    ...PATHS.getAuditRoots,
    summary:
      'The daily roots of the audit, the newest first: who keeps them can prove later that nothing was taken out.',
    auth: 'public',
    access: { none: 'published: a root tells nothing but that what it covers has not changed' },
    query: z.strictObject({ before: dateSchema.optional() }),
    reply: z.object({ roots: z.array(rootSchema), next_before: z.string().nullable() }),
  }),
  getCustomerHistory: endpoint({
    ...PATHS.getCustomerHistory,
    summary:
      'Whether the histories of a customer, the agreement and the phone are whole, and since when a published root says so.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({ customer_id: idSchema }),
    reply: z.object({
      histories: z.array(historySchema),
      last_root: rootSchema.nullable(),
      /** When every history of the organisation was last looked at, and whether any was missing. */
      checked_at: z.string().nullable(),
      is_complete: z.boolean(),
    }),
    errors: ['NOT_FOUND'],
  }),
} as const;
