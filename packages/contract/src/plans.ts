import { z } from 'zod';
import { NEEDS } from './access.ts';
import { EMI_FREQUENCIES, EMI_METHODS } from './emi-limits.ts';
import { endpoint } from './endpoint.ts';
import { appTypeIn, idNumberSchema, idSchema, instantSchema, tacSchema } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

/** What a shop can sell, with which keys, and what phones are called. */
export const planEndpoints = {
  listPlans: endpoint({
    ...PATHS.listPlans,
    summary: 'Plans on offer with the keys left for each.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.catalogue,
    query: z.strictObject({ app_type: appTypeIn }),
    reply: z.array(
      z.object({
        plan_id: z.int(),
        plan_type: z.int(),
        name: z.string(),
        app_type: z.int().nullable(),
        provisioning_type: z.int().nullable(),
        keys_left: z.int(),
        is_emi: z.boolean(),
        /** When the shop last sold on it; null: never. */
        last_sold_at: instantSchema.nullable(),
        /** What that sale agreed beside its price: the next one begins with it. */
        last_terms: z
          .object({
            method: z.enum(EMI_METHODS),
            frequency: z.enum(EMI_FREQUENCIES),
            rate_bps: z.int(),
            tenure: z.int(),
            fee_paise: z.int(),
            /** The day of the month that EMIs fall due on; null: that of the delivery. */
            anchor_day: z.int().nullable(),
          })
          .nullable(),
        /** Terms that the organisation offers on it, one press each. */
        presets: z.array(
          z.object({
            name: z.string(),
            method: z.enum(EMI_METHODS),
            frequency: z.enum(EMI_FREQUENCIES),
            rate_bps: z.int(),
            tenure: z.int(),
            /** Of the cash price. */
            down_bps: z.int(),
          }),
        ),
      }),
    ),
  }),
  getPhoneModel: endpoint({
    ...PATHS.getPhoneModel,
    summary:
      'Brand and model of the phones whose IMEI begins with these eight digits (TAC), as the organisation’s table has them, else as it registered them before.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    query: z.strictObject({ tac: tacSchema }),
    reply: z.object({ brand: z.string().nullable(), model: z.string().nullable() }),
    errors: [],
  }),
  getKeys: endpoint({
    ...PATHS.getKeys,
    summary: 'Keys by plan type and lot, and what one costs here.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.catalogue,
    reply: z.array(
      z.object({
        plan_type: z.int(),
        name: z.string(),
        paid: z.int(),
        granted: z.int(),
        reserved: z.int(),
        /** Of one key; null where the organisation has set none: its admin is asked. */
        price_paise: z.int().nullable(),
      }),
    ),
  }),
  transferKeys: endpoint({
    ...PATHS.transferKeys,
    summary:
      'Keys of one type pass from the caller to a mini-retailer of its own, those that were given before those that were paid for, each of its lot as before. Those that are set aside stay.',
    auth: ['retailer'],
    access: NEEDS.activate,
    idempotent: true,
    body: z.strictObject({
      to_user_id: idSchema,
      plan_type: idNumberSchema,
      keys: z.int('field.invalid').min(1).max(LIMITS.transferKeys),
    }),
    /** `left`: of this type, with the caller. */
    reply: z.object({ passed: z.int(), left: z.int() }),
    errors: ['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_KEYS', 'STATE_CONFLICT'],
  }),
  takeBackKeys: endpoint({
    ...PATHS.takeBackKeys,
    summary:
      'Keys of one type that the caller passed to a mini-retailer of its own come back, each of its lot as before, those that were given first. Those that the shop used or set aside stay, and those that it has from elsewhere. A suspended shop gives back too.',
    auth: ['retailer'],
    access: NEEDS.activate,
    idempotent: true,
    body: z.strictObject({
      from_user_id: idSchema,
      plan_type: idNumberSchema,
      keys: z.int('field.invalid').min(1).max(LIMITS.transferKeys),
    }),
    /** `left`: of this type, with the shop below. */
    reply: z.object({ taken: z.int(), left: z.int() }),
    errors: ['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_KEYS'],
  }),
} as const;
