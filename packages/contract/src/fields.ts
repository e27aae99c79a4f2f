import { z } from 'zod';
import { isImei } from './imei.ts';
import { LIMITS } from './limits.ts';

/** Field shapes that several calls share. Issue messages are locale keys (`field.*`); the server translates them. */
export const mobileSchema = z
  .string()
  .trim()
  .regex(/^(\+91)?[6-9]\d{9}$/, 'field.mobile')
  .transform((value) => (value.startsWith('+91') ? value : `+91${value}`));
export const nameSchema = z.string().trim().min(1, 'field.required').max(LIMITS.nameLength, 'field.too_long');
export const idSchema = z.uuid('field.id');
export const otpSchema = z.string().regex(/^\d{6}$/, 'field.otp');
export const mpinSchema = z.string().regex(/^\d{4}$/, 'field.mpin');
export const dateSchema = z.iso.date('field.date');
export const instantSchema = z.iso.datetime({ offset: true, error: 'field.date' });
export const paiseIn = z
  .int('field.amount')
  .positive('field.amount')
  .max(2 ** 51, 'field.amount');
export const pagingShape = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(LIMITS.pageSizeMax).default(LIMITS.pageSize),
};

export const imeiInSchema = z.string().trim().refine(isImei, 'field.imei');
