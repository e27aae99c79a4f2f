import { z } from 'zod';
import { businessDate } from './dates.ts';
import { EMI_LIMITS } from './emi-limits.ts';
import { isImei } from './imei.ts';
import { CALENDAR, DETAIL_LIMITS as DETAILS, INT4_MAX, LIMITS } from './limits.ts';
import { MAX_PAISE } from './money.ts';
import { MOBILE } from './patterns.ts';
import { cleanLine, cleanMachineText, cleanNote, hasLetter, hideAadhaar, isReadable, isShowable } from './text.ts';

/**
 * Field shapes that several calls share, each within the bounds of the column it ends in: what passes here the database takes.
 * Issue messages are locale keys (`field.*`); the server translates them. A test walks every input of the contract and fails on a number, text,
 * list or record that is not bounded (`bounds.test.ts`), so input is written with these, not with bare `z.string()` and `z.int()`.
 */

/* Numbers */

/** An `integer` column that counts from 0: the number of a plan, a type. */
export const idNumberSchema = z.int('field.invalid').min(0).max(INT4_MAX);
/**
 * A `bigint` column of what a phone counts: milliseconds since its start, sequence numbers, revisions. As far as JavaScript counts exactly: a phone that
 * claims too much is not believed, but it is heard, because a report that is refused is a phone that cannot be told to open.
 */
export const countSchema = z.int('field.invalid').min(0).max(Number.MAX_SAFE_INTEGER);
const amountSchema = z.int('field.amount').max(MAX_PAISE, 'field.amount');
/** An amount that cannot be negative: a price, a due, what is left. */
export const paiseSchema = amountSchema.min(0, 'field.amount').brand<'Paise'>();
/** An amount that somebody pays. */
export const paiseIn = amountSchema.positive('field.amount');
/** What is taken of a customer at once. */
export const paymentIn = paiseIn.max(EMI_LIMITS.paymentMaxPaise, 'field.amount');
/** Basis points a year. */
export const bpsSchema = z.int('field.rate').min(0, 'field.rate').brand<'Bps'>();

const asNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
/** A number in an address: plain digits, never '', '1e3' or '0x10', which `Number` takes too. */
export const numberInQuery = <S extends z.ZodType<number>>(schema: S) => z.preprocess(asNumber, schema);

/** The number of a plan or a financer in a body: forms of other clients send the text of their select box. */
export const idNumberIn = numberInQuery(idNumberSchema) as unknown as z.ZodType<number, number | string>;

export const pageSizeSchema = z.int('field.invalid').min(1).max(LIMITS.pageSizeMax);
export const pagingShape = {
  page: numberInQuery(z.int('field.invalid').min(1).max(1_000_000)).default(1),
  page_size: numberInQuery(pageSizeSchema).default(LIMITS.pageSize),
};

/** An optional field of a form that was left empty is a field that was not sent. */
export const emptyIsNone = <S extends z.ZodType>(schema: S): z.ZodOptional<S> =>
  z
    .preprocess((value) => (value === '' ? undefined : value), schema.optional())
    .optional() as unknown as z.ZodOptional<S>;

/** A plan's app type, sent back as a list of plans gave it: of a plan without one that is null, in an address 'null', and names none. */
export const appTypeIn = z
  .preprocess(
    (value) => (value === '' || value === 'null' || value === null ? undefined : value),
    numberInQuery(idNumberSchema).optional(),
  )
  .optional() as unknown as z.ZodOptional<z.ZodType<number>>;

/** One of the access words: text, as they are kept, or the number that other clients send. */
export const allowedIn = z
  .union([z.enum(['0', '1']), z.literal([0, 1])], 'field.choice')
  .transform((value) => (value === 0 || value === '0' ? '0' : '1'));

/* Days and moments */

/** Any day of the calendar. */
export const isoDateSchema = z.iso.date('field.date').brand<'IsoDate'>();

const dayBetween = (from: string, to: string) =>
  z.iso
    .date({ error: 'field.date', abort: true })
    .refine((day) => day >= from && day <= to, 'field.date')
    .brand<'IsoDate'>();
/** A day of the business: filters, deliveries, holidays. */
export const dateSchema = dayBetween(CALENDAR.from, CALENDAR.to);
/** Of somebody who was born. */
export const birthDateSchema = dayBetween(CALENDAR.bornFrom, CALENDAR.to).refine(
  (day) => day <= businessDate(Date.now()),
  'field.date',
);

const moment = z.iso
  .datetime({ offset: true, error: 'field.date', abort: true })
  .max(35, { error: 'field.date', abort: true });
/** A time zone that exists: PostgreSQL refuses +16:00 and beyond, which ISO 8601 can write. */
const hasRealOffset = (value: string) => /(Z|[+-](0\d|1[0-4]):[0-5]\d)$/.test(value);
/** A moment of the business, with its offset from UTC. */
export const instantSchema = moment.refine(
  (value) => hasRealOffset(value) && value >= CALENDAR.from && value.slice(0, 10) <= CALENDAR.to,
  'field.date',
);
/** What a phone's clock says: it may be wrong by decades, and its report counts all the same. Whoever keeps it brings it into the column's range. */
export const phoneInstantSchema = moment;

/* Names and numbers of things */

export const idSchema = z.uuid('field.id');
export const mobileSchema = z
  .string()
  .max(40, { error: 'field.mobile', abort: true })
  .trim()
  .regex(MOBILE, 'field.mobile')
  .transform((value) => (value.startsWith('+91') ? value : `+91${value}`));
/** The first eight digits of an IMEI: maker and model. */
export const tacSchema = z.string().regex(/^\d{8}$/, 'field.imei');
export const otpSchema = z.string().regex(new RegExp(`^\\d{${LIMITS.otpDigits}}$`), 'field.otp');
export const mpinSchema = z.string().regex(new RegExp(`^\\d{${LIMITS.mpinDigits}}$`), 'field.mpin');
export const imeiInSchema = z
  .string()
  .max(40, { error: 'field.imei', abort: true })
  .trim()
  .refine(isImei, 'field.imei');
/** A secret that the server gave out (reset, step-up): compared by its hash. */
export const tokenSchema = z.string().max(120);
/** Which text of a clause: they are counted. */
export const textVersionSchema = z.string().regex(/^[1-9]\d{0,2}$/, 'field.consent');
/** A short word of a program's: the version of a text, a step of a form. */
export const wordSchema = z.string().regex(/^[\w.:-]{0,60}$/, 'field.invalid');

/* Text that people type: cleaned by the one rule of text.ts, then bounded */

/** Four times the length may come in: what cannot be seen is taken out before what is left is counted. Told is the length that holds. */
const typed = (maxLength: number, clean: (text: string) => string) =>
  z
    .string()
    .refine((text) => text.length <= 4 * maxLength, {
      error: 'field.too_long',
      abort: true,
      params: { max: maxLength },
    })
    .overwrite(clean)
    .max(maxLength, 'field.too_long')
    .refine(isShowable, 'field.characters');
const isBlankOr = (holds: (text: string) => boolean) => (text: string) => text === '' || holds(text);

/** One line, possibly empty: part of an address, a reference, words to search for. */
export const lineTextSchema = (maxLength: number) => typed(maxLength, cleanLine);
/** One line with something to read: a shop, a brand, a model. */
export const lineNameSchema = (maxLength: number = LIMITS.nameLength) =>
  typed(maxLength, cleanLine).min(1, { error: 'field.required', abort: true }).refine(isReadable, 'field.characters');
/** A person's name, or part of one. */
export const personNameSchema = typed(LIMITS.nameLength, cleanLine)
  .min(1, { error: 'field.required', abort: true })
  .refine(hasLetter, 'field.characters');
export const optionalPersonNameSchema = typed(LIMITS.nameLength, cleanLine).refine(
  isBlankOr(hasLetter),
  'field.characters',
);
/**
 * What a picture is called, 'front', or what a phone calls its files, 'WhatsApp Image 2026-11-27 at 12.34.56 (1).jpeg'. Never part of a path, and nothing that
 * looks like one. A number that may be an Aadhaar is hidden but for its last four digits.
 */
export const imageNameSchema = typed(LIMITS.imageNameLength, (text) => hideAadhaar(cleanLine(text)))
  .min(1, { error: 'field.required', abort: true })
  .refine(
    (name) => /^[\p{L}\p{N}_([#][\p{L}\p{M}\p{N} ._()[\]#&'’,+~-]*$/u.test(name) && !name.includes('..'),
    'field.characters',
  );
/** Several lines: a reason, a note, what a dispute is about. */
export const noteSchema = (minLength = 0, maxLength: number = LIMITS.noteLength) =>
  typed(maxLength, cleanNote).min(minLength, 'field.required');
/** Why a second person says no; they need not say. */
export const refusalNoteSchema = typed(LIMITS.refusalNoteLength, cleanNote)
  .min(LIMITS.reasonLengthMin, 'field.too_short')
  .optional();
/** A yes needs no reason, and nobody would read it. */
export const isOfRefusal = (isYes: boolean, note: string | undefined): boolean => !isYes || note === undefined;
export const NOTE_OF_YES = { path: ['note'], error: 'field.unknown' };
/** What a phone or a browser says about itself: cleaned, never refused for its characters. */
export const machineTextSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .overwrite((text) => cleanMachineText(text, maxLength));

/* Lists of unknown things */

const isSmall = (root: unknown): boolean => {
  let nodes = 0;
  const walk = (value: unknown, depth: number): boolean => {
    nodes += 1;
    if (nodes > DETAILS.values || depth > DETAILS.depth) return false;
    if (typeof value === 'string') return value.length <= DETAILS.textLength;
    if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    if (value === null || typeof value !== 'object') return true;
    return Object.entries(value).every(
      ([key, child]) => key.length <= DETAILS.innerKeyLength && walk(child, depth + 1),
    );
  };
  return walk(root, 0);
};
const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanMachineText(value, DETAILS.textLength);
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cleaned(child)]));
};
/** Details whose shape depends on their kind (the result of an order, a phone's event): within DETAIL_LIMITS. */
export const detailsSchema = z
  .record(z.string().max(DETAILS.keyLength), z.unknown())
  .refine(isSmall, { error: 'field.too_much', abort: true })
  .overwrite((details) => cleaned(details) as Record<string, unknown>);
/** Named texts, such as the fields of a form that is not finished. */
export const textsSchema = (maxEntries: number, maxLength: number) =>
  z
    .record(wordSchema, machineTextSchema(maxLength))
    .refine((texts) => Object.keys(texts).length <= maxEntries, 'field.too_much');
