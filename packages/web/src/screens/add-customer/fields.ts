import { EMI_FREQUENCIES, EMI_METHODS, type EmiFrequency, type EmiMethod } from '@kist/contract/emi-limits';

/** The steps of the form, in the order of the counter; the QR code follows on its own screen. */
export const STEPS = ['plan', 'identity', 'device', 'emi', 'consent'] as const;
export type Step = (typeof STEPS)[number];
/** With the QR code: what the shop sees as the whole way. */
export const STEPS_SHOWN = STEPS.length + 1;

/**
 * Every field by its path in the registration's body, so that a refusal of the server lands on the field by name. All values are text as
 * typed: money in paise, the rate in per cent, mobile numbers without +91.
 */
export const EMPTY = {
  plan_id: '',
  'customer.first_name': '',
  'customer.last_name': '',
  'customer.mobile': '',
  'customer.alternate_mobile': '',
  'customer.birth_on': '',
  'customer.address.line1': '',
  'customer.address.city': '',
  'customer.address.state': '',
  'customer.address.pincode': '',
  'customer.language': '',
  'customer.aadhaar_last4': '',
  'customer.pan': '',
  'device.imei1': '',
  'device.imei2': '',
  'device.brand': '',
  'device.model': '',
  'emi.cash_price': '',
  'emi.down_payment': '',
  'emi.fee': '',
  'emi.method': 'FLAT',
  'emi.rate_bps': '',
  'emi.tenure': '',
  'emi.frequency': 'MONTHLY',
  'emi.delivered_on': '',
  'emi.anchor_day': '',
  /** Whose loan it is; none: the shop's own EMI, and the rest counts for nothing. */
  'loan.financer_id': '',
  'loan.loan_account_no': '',
  'loan.sanctioned_amount': '',
  'loan.sanctioned_on': '',
  'consent.language': '',
  'consent.method': 'signature',
  'consent.typed_name': '',
  'consent.accepted': '',
};
export type FieldName = keyof typeof EMPTY;
export type Values = Record<FieldName, string>;
export const FIELD_NAMES = Object.keys(EMPTY) as FieldName[];
/** Locale keys by field. */
export type Problems = Partial<Record<FieldName, string>>;

/** Never kept on the phone or in a draft: the PAN, and the tick that only the customer may set. */
const NOT_KEPT: readonly FieldName[] = ['customer.pan', 'consent.accepted'];
export const isKept = (name: FieldName): boolean => !NOT_KEPT.includes(name);

const STEP_OF: Record<string, Step> = {
  plan_id: 'plan',
  customer: 'identity',
  device: 'device',
  emi: 'emi',
  loan: 'emi',
  consent: 'consent',
};
/** @param path of a field or of a whole part ('emi', 'emi.tenure'). */
export const stepOf = (path: string): Step | undefined => STEP_OF[path.split('.')[0] ?? ''];
export const isField = (path: string): path is FieldName => path in EMPTY;
export const isStep = (text: unknown): text is Step => (STEPS as readonly unknown[]).includes(text);

export const methodOf = (values: Values): EmiMethod =>
  EMI_METHODS.find((method) => method === values['emi.method']) ?? 'FLAT';
export const frequencyOf = (values: Values): EmiFrequency =>
  EMI_FREQUENCIES.find((frequency) => frequency === values['emi.frequency']) ?? 'MONTHLY';

/** Whether a financer made the loan. */
export const isFinanced = (values: Values): boolean => values['loan.financer_id'] !== '';

/** Whether anything was typed that is worth keeping. */
export const isTouched = (values: Values): boolean =>
  FIELD_NAMES.some((name) => !NEUTRAL.includes(name) && values[name] !== EMPTY[name]);
/** Set by the form itself: no sign that someone typed. */
const NEUTRAL: readonly FieldName[] = ['customer.language', 'consent.language', 'emi.delivered_on'];
