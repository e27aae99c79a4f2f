import { z } from 'zod';
import { USER_TYPES } from './codes.ts';
import { DPD_STRETCHES } from './dpd-stretches.ts';
import { appTypeIn, dateSchema, idNumberSchema, idSchema, lineTextSchema, numberInQuery } from './fields.ts';
import { LIMITS } from './limits.ts';

const STATUSES = ['all', '0', '1', '2', '3', '4', '5', '6'] as const;
const LOCK_STATUSES = ['all', '0', '1'] as const;

/** In a query a code is text, in a JSON body often a number: both are the same code. */
const code = <const T extends readonly string[]>(values: T) =>
  z
    .union([z.enum(values), z.int().min(0).max(6)], 'field.choice')
    .transform(String)
    .pipe(z.enum(values, 'field.choice'));

/** 0…6 of the specification, or 'all'. */
export const statusIn = code(STATUSES);

/** What a shop does first, most pressing first. `overdue`: those overdue whom neither of the two calls counts. */
export const TODO_KINDS = [
  'unlock_unconfirmed',
  'claim_waiting',
  'dispute_open',
  'call_before_lock',
  'call_before_notice',
  'due_today',
  'refund_open',
  'sim_changed',
  'draft_unfinished',
  'overdue',
] as const;

/** In whatever letters: 'Retailer', 'MINIRETAILER', and as the specification writes it where it speaks of roles, 'mini-retailer'. */
export const userTypeIn = z
  .string()
  .max(20, 'field.choice')
  .transform((value) =>
    value
      .trim()
      .toLowerCase()
      .replace(/^mini[- _]/, 'mini'),
  )
  .pipe(z.enum(USER_TYPES, 'field.choice'));

export const searchIn = lineTextSchema(LIMITS.searchLength);
/** Numbers of plans and codes of their types. */
const planIdSchema = numberInQuery(idNumberSchema);

/** Whose figures and which: what the dashboard and the lists of dues are narrowed by. */
export const scopeShape = {
  /** Only what this user sold: the caller or a mini-retailer below. */
  retailer_id: idSchema.optional(),
  plan_id: planIdSchema.optional(),
  /** A product is a plan on sale, so this is the same as plan_id. */
  product_id: planIdSchema.optional(),
  /** The plan's app type; of a plan without one its type, one of the specification's codes. */
  app_type: appTypeIn,
  /** Type of the user who sold; every row is a customer, so `customer` narrows nothing. */
  user_type: userTypeIn.optional(),
  /** What this user, or a mini-retailer below, sold; `user_id` is read alike. */
  account_id: idSchema.optional(),
  user_id: idSchema.optional(),
  from: dateSchema.optional(),
  to: dateSchema.optional(),
};

/** What a list of customers is narrowed by: the list itself, orders and reminders to many. */
export const customerFilterShape = {
  ...scopeShape,
  search: searchIn.optional(),
  /** 0…6; 'all' or absent: every status. */
  status: statusIn.default('all'),
  lock_status: code(LOCK_STATUSES).optional(),
  /** `open`: an agreement runs; what it still owes is part of the dashboard's `outstanding_paise`. */
  due: z.enum(['overdue', 'today', 'week', 'month', 'open']).optional(),
  /** Of a running agreement: how long it is overdue. */
  dpd: z.enum(DPD_STRETCHES, 'field.choice').optional(),
  disputed: z.enum(['1']).optional(),
  /** The list behind an item of the dashboard's `do_now`. */
  todo: z.enum(TODO_KINDS).optional(),
  customer_id: idSchema.optional(),
  /** Of the phone: brand, model, IMEI or serial number, in part. */
  deviceQuery: searchIn.optional(),
  device_query: searchIn.optional(),
  /** Of the phone, whole. */
  serial_number: lineTextSchema(40).optional(),
};

/** Truthy as people write it in an address. */
export const refreshIn = z
  .union([
    z.string().max(40),
    z.boolean(),
    z
      .int()
      .min(0)
      .max(2 ** 51),
  ])
  .transform((value) => !['', '0', 'false', 'no'].includes(String(value).toLowerCase()));

/** In place of a list of ids. Nothing at all would mean everybody by a slip: who means everybody says `status: 'all'`. */
export const customerFilterSchema = z
  .strictObject({ ...customerFilterShape, status: code(STATUSES).optional() })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined && value !== ''), 'field.required');
export type CustomerFilter = z.output<typeof customerFilterSchema>;
