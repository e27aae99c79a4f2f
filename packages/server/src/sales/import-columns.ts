/** The columns of a book of running EMIs: what each is, and whether it may be missing. The table in docs/runbook.md is this list. */
export const COLUMNS = {
  row_ref: { isNeeded: true, says: 'the shop’s own number for the row; the same number again changes nothing' },
  shop_mobile: { isNeeded: true, says: 'mobile of the shop that sold' },
  plan_id: { isNeeded: true, says: 'number of the plan' },
  first_name: { isNeeded: true, says: 'of the customer' },
  last_name: { isNeeded: false, says: 'of the customer' },
  mobile: { isNeeded: true, says: 'of the customer, ten digits' },
  alternate_mobile: { isNeeded: false, says: 'family or a friend' },
  language: { isNeeded: false, says: 'en hn mr gj sp bd kn tg tm pp; en when left out' },
  line1: { isNeeded: false, says: 'house, street' },
  city: { isNeeded: false, says: 'city or village' },
  state: { isNeeded: false, says: 'state' },
  pincode: { isNeeded: false, says: 'six digits' },
  aadhaar_last4: { isNeeded: false, says: 'four digits, never more' },
  imei1: { isNeeded: true, says: '15 digits' },
  imei2: { isNeeded: false, says: '15 digits' },
  serial: { isNeeded: false, says: 'serial number' },
  brand: { isNeeded: true, says: 'of the phone' },
  model: { isNeeded: true, says: 'of the phone' },
  method: { isNeeded: true, says: 'FLAT, REDUCING or ZERO' },
  cash_price: { isNeeded: true, says: 'rupees' },
  down_payment: { isNeeded: false, says: 'rupees; 0 when left out' },
  fee: { isNeeded: false, says: 'rupees, due with the first EMI; 0 when left out' },
  rate: { isNeeded: false, says: 'per cent a year, two decimals at most; 0 when left out' },
  tenure: { isNeeded: true, says: 'number of EMIs' },
  frequency: { isNeeded: false, says: 'MONTHLY, FORTNIGHTLY or WEEKLY; MONTHLY when left out' },
  rounding: { isNeeded: false, says: 'RUPEE or PAISE; RUPEE when left out' },
  delivered_on: { isNeeded: true, says: 'YYYY-MM-DD or DD-MM-YYYY, not after today' },
  anchor_day: { isNeeded: false, says: 'EMI day of the month, 1–31; the day of delivery when left out' },
  emi: { isNeeded: false, says: 'rupees; when given, it must be what these terms come to' },
  first_due_on: { isNeeded: false, says: 'a day; when given, it must be what these terms come to' },
  paid_emis: {
    isNeeded: false,
    says: 'how many EMIs are paid, each on its day; those that are due today or later with the last one before',
  },
  payments: { isNeeded: false, says: 'instead of paid_emis: DAY:RUPEES, several with ; between them' },
  advance: { isNeeded: false, says: 'rupees paid ahead, besides these, with the last payment before today' },
} as const satisfies Record<string, { isNeeded: boolean; says: string }>;

export type Column = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];
export const isColumn = (name: string): name is Column => Object.hasOwn(COLUMNS, name);

/** What is wrong with a file: on which line, in which column (`''`: the line as a whole). */
export interface ImportFault {
  line: number;
  column: Column | '';
  says: string;
}

/** Sentences of the contract's schemas for somebody at a terminal; they are keys of the app's own words elsewhere. */
const SENTENCES: Record<string, string> = {
  'field.required': 'is missing',
  'field.mobile': 'is no mobile number of ten digits',
  'field.imei': 'is no IMEI: 15 digits, the last a check digit',
  'field.choice': 'is none of the words that may stand here',
  'field.date': 'is no day from 2000 to 2099, YYYY-MM-DD or DD-MM-YYYY',
  'field.pincode': 'is no PIN code of six digits',
  'field.aadhaar_last4': 'is not four digits',
  'field.amount': 'is no amount',
  'field.cash_price': 'is no price that can be sold on EMI',
  'field.down_payment': 'is not less than the price',
  'field.fee': 'is more than what is financed',
  'field.rate': 'is no rate from 0 to 100 per cent with two decimals at most',
  'field.rate_zero': 'is not 0, though the method is ZERO',
  'field.tenure': 'is no number of EMIs that can be agreed',
  'field.anchor_day': 'is no day from 1 to 31',
  'field.financed_too_small': 'is too little for so many EMIs',
  'field.too_long': 'is too long',
  'field.characters': 'has nothing that can be read, or what cannot be shown',
};
export const sentence = (key: string): string => SENTENCES[key] ?? 'cannot be used';
