import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { idSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** Whom a customer pays now, how much, and whether the shop is looking for money that was said to be paid. */
const payToSchema = z.object({
  agreement_no: z.string(),
  shop: z.string(),
  shop_phone: z.string(),
  /** The shop's own UPI address; null: paid at the shop. A link's `tr` is made by whoever shows it, anew each time. */
  upi_id: z.string().nullable(),
  /** What is overdue, else the next EMI; 0: nothing is left. */
  amount_paise: z.int(),
  /** After an "I have paid", on the phone or in the app: until the end of this day no lock rises. */
  rests_until_on: z.string().nullable(),
});
export type PayTo = z.infer<typeof payToSchema>;

/** A link to a page that opens without an account: unguessable, of one agreement, with nothing about a person in it. */
const noticeLinkSchema = z.object({ url: z.url() });

export const payToEndpoints = {
  getNoticeLink: endpoint({
    ...PATHS.getNoticeLink,
    summary:
      'The link to the page of everything that a customer was told, as it stands in notices too; it opens without an account.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({ customer_id: idSchema }),
    reply: noticeLinkSchema,
    errors: ['NOT_FOUND'],
  }),
  renewNoticeLink: endpoint({
    ...PATHS.renewNoticeLink,
    summary: 'Another link to that page; the ones before open nothing any more.',
    auth: 'session',
    // It answers with the link, whose page tells what is owed.
    access: [...NEEDS.features, ...NEEDS.read],
    idempotent: true,
    body: z.strictObject({ customer_id: idSchema }),
    reply: noticeLinkSchema,
    errors: ['NOT_FOUND'],
  }),
  getCertificate: endpoint({
    ...PATHS.getCertificate,
    summary:
      'After the last EMI: the signed certificate that nothing is owed and the phone is free, or how much of late fees is left, with the address where it opens without an account. Null while an EMI is owed.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({ customer_id: idSchema }),
    reply: z.object({
      certificate: z
        .object({
          /** JSON, as it is signed to the letter. */
          payload: z.string(),
          /** ECDSA P-256 over SHA-256 of `payload`, r and s side by side, base64url. */
          signature: z.string(),
          key_id: z.string(),
          /** DER SubjectPublicKeyInfo, base64url: the installation's own key, the one that its phones know. */
          public_key: z.string(),
          url: z.url(),
        })
        .nullable(),
    }),
    errors: ['NOT_FOUND'],
  }),
  getPayTo: endpoint({
    ...PATHS.getPayTo,
    summary: 'Whom a customer pays, how much is asked for now, and until when a claimed payment holds the next lock.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({ customer_id: idSchema }),
    reply: payToSchema,
    errors: ['NOT_FOUND'],
  }),
} as const;
