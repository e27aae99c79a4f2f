import { z } from 'zod';
import { NEEDS } from './access.ts';
import { LANGUAGES } from './codes.ts';
import { customerFilterSchema } from './customer-filter.ts';
import { endpoint } from './endpoint.ts';
import { idSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** Why one of many is not reminded: nothing is due, reminded a few hours ago, or they have complained and nobody has closed it. */
export const REMINDER_REFUSALS = ['STATE_CONFLICT', 'REMINDED_ALREADY', 'DISPUTED'] as const;
export type ReminderRefusal = (typeof REMINDER_REFUSALS)[number];

export const reminderEndpoints = {
  previewEmiAlert: endpoint({
    ...PATHS.previewEmiAlert,
    summary:
      'Whom a reminder to all that a filter means would reach, in which words, and who is left out and why; nothing is sent.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.wording,
    body: z.strictObject({ filter: customerFilterSchema }),
    reply: z.object({
      total: z.int(),
      reminded: z.int(),
      /** The words of one of them in each language, and how many get such a message by which way. */
      texts: z.array(
        z.object({ language: z.enum(LANGUAGES), sms: z.int(), phone: z.int(), name: z.string(), text: z.string() }),
      ),
      /** By reason; of each the first fifty by name. `again_at`: from when they may be reminded again. */
      left_out: z.array(
        z.object({
          code: z.enum(REMINDER_REFUSALS),
          count: z.int(),
          customers: z.array(z.object({ customer_id: z.uuid(), name: z.string(), again_at: z.string().nullable() })),
        }),
      ),
    }),
    errors: ['TOO_MANY'],
  }),
  sendEmiAlert: endpoint({
    ...PATHS.sendEmiAlert,
    summary:
      'Remind one customer, or all that a filter means, on the phone and by SMS; throttled for each customer. A filter takes `read` too.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.features,
    idempotent: true,
    body: z.union([z.strictObject({ customer_id: idSchema }), z.strictObject({ filter: customerFilterSchema })]),
    /** One customer who cannot be reminded now is an error; of many they are named, the first thousand. */
    reply: z.object({
      sent: z.array(z.enum(['sms', 'phone'])),
      next_allowed_at: z.string(),
      total: z.int(),
      reminded: z.int(),
      refused: z.int(),
      refusals: z.array(z.object({ customer_id: z.uuid(), code: z.enum(REMINDER_REFUSALS) })),
    }),
    errors: ['NOT_FOUND', 'REMINDED_ALREADY', 'STATE_CONFLICT', 'TOO_MANY'],
  }),
} as const;
