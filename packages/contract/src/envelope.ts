import { z } from 'zod';
import { ERROR_CODES, fieldErrorSchema } from './errors.ts';

/** Success: `{status: 200, response: 'success', message, data}`. */
export const successSchema = <T extends z.ZodType>(data: T) =>
  z.object({ status: z.literal(200), response: z.literal('success'), message: z.string(), data });

export const failureSchema = z.object({
  status: z.int(),
  response: z.literal('failure'),
  message: z.string(),
  code: z.enum(ERROR_CODES),
  errors: z.array(fieldErrorSchema).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type Failure = z.infer<typeof failureSchema>;

/** `data` of a paged list. */
export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({ list: z.array(item), total: z.int(), page: z.int(), page_size: z.int() });

/** An empty `data`. */
export const emptySchema = z.object({});
