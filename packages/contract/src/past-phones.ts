import { z } from 'zod';

/** A phone that an agreement was about before; `was_set_up` false: only its number was put right. */
export const pastPhoneSchema = z.object({
  at: z.string(),
  brand: z.string(),
  model: z.string(),
  imei1: z.string().nullable(),
  was_set_up: z.boolean(),
  reason: z.string(),
});
