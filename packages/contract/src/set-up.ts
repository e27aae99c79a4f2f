import { z } from 'zod';
import { NEEDS } from './access.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, instantSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** How a customer's phone is set up. */
export const setUpEndpoints = {
  generateEmmCode: endpoint({
    ...PATHS.generateEmmCode,
    summary: 'A fresh one-time provisioning code for the phone; the code before it dies.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    query: z.strictObject({ customer_id: idSchema }),
    reply: z.object({
      qr: z.string(),
      /** To type instead: 8 to 12 signs of contract/setup-code.ts, good as long as the QR. */
      manual_code: z.string(),
      expires_at: instantSchema,
      device_id: z.uuid(),
      is_enrolled: z.boolean(),
    }),
    errors: ['NOT_FOUND', 'FEATURE_NOT_OFFERED', 'NO_PHONE_YET', 'STATE_CONFLICT', 'INSUFFICIENT_KEYS'],
  }),
  generateLinkCode: endpoint({
    ...PATHS.generateLinkCode,
    summary:
      'A fresh one-time link that sets a phone in use up, without erasing it: opened on the phone it fetches the agent, opened with the agent it enrols. The link before it dies. Only for phones whose agent reminds (LINKFL).',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    body: z.strictObject({ customer_id: idSchema }),
    reply: z.object({
      /** What stands behind `#` is the secret. */
      link: z.string(),
      expires_at: instantSchema,
      device_id: z.uuid(),
      is_enrolled: z.boolean(),
    }),
    errors: ['NOT_FOUND', 'FEATURE_NOT_OFFERED', 'NO_PHONE_YET', 'STATE_CONFLICT', 'INSUFFICIENT_KEYS'],
  }),
  getDeepLink: endpoint({
    ...PATHS.getDeepLink,
    summary:
      'The link that sets a phone in use up (LINKFL): the one that is still good, or for a phone that waits and has none a new one; generate_code_linkfl makes another.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    query: z.strictObject({ customer_id: idSchema }),
    reply: z.object({ link: z.string(), expires_at: instantSchema, is_enrolled: z.boolean() }),
    errors: [
      'NOT_FOUND',
      'FEATURE_NOT_OFFERED',
      'ENROLMENT_TOKEN_USED',
      'NO_PHONE_YET',
      'STATE_CONFLICT',
      'INSUFFICIENT_KEYS',
    ],
  }),
  checkStatus: endpoint({
    ...PATHS.checkStatus,
    summary:
      'Ask a phone that is set up without a code (CHECK_STATUS, iPhones) how it stands, and tell what it last said.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    body: z.strictObject({ customer_id: idSchema }),
    reply: z.object({
      status: z.int(),
      is_enrolled: z.boolean(),
      enrolled_at: instantSchema.nullable(),
      /** When it last said anything; null: never. */
      last_seen_at: instantSchema.nullable(),
      /** Whether there is a phone that was asked. */
      is_asked: z.boolean(),
    }),
    errors: ['NOT_FOUND', 'FEATURE_NOT_OFFERED'],
  }),
  getCustomerQrCode: endpoint({
    ...PATHS.getCustomerQrCode,
    summary:
      'The code that sets the phone up, as text and as an image, and whether the phone is set up now. The code that is still good is shown again; a phone that waits and has none gets one. For a phone that is set up, or was uninstalled, generate_emm_code makes one.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    query: z.strictObject({
      customer_id: idSchema,
      /** `text`: no picture, for a page that draws the code itself; `none`: the state alone, for a page that asks every few seconds. */
      image: z.enum(['png', 'svg', 'text', 'none']).default('png'),
    }),
    reply: z.object({
      /** Set up now; not so once it was uninstalled, and while it is to be set up anew. */
      is_enrolled: z.boolean(),
      /** Of the set-up that stands: another instant is another set-up. */
      enrolled_at: z.string().nullable(),
      /** A new code can be made: the plan offers EMM_QR_CODE, and phones of this type are set up by code here. */
      offers_code: z.boolean(),
      status: z.int(),
      /** What the camera reads, of a phone in use (LINKFL) its link; null where none was asked for: the phone is set up, was uninstalled, or has no code (no phone yet, another type). */
      qr: z.string().nullable(),
      /** The same as a data URL. */
      image: z.string().nullable(),
      manual_code: z.string().nullable(),
      expires_at: instantSchema.nullable(),
    }),
    errors: ['NOT_FOUND', 'INSUFFICIENT_KEYS'],
  }),
} as const;
