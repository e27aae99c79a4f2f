/**
 * Chart of accounts, once. `side` is the side on which the account grows. Who owns it: a user (a shop's till and keys) or the organisation (what is owed to
 * it, its income, and what stands against keys). INR accounts count paise, KEY accounts whole keys. `bucket`: what a line of the account is of an agreement;
 * such lines say which agreement, and which instalment or charge where there is one.
 */
export const CHART = {
  receivable_principal: { owner: 'organisation', unit: 'INR', side: 'debit', bucket: 'principal' },
  receivable_interest: { owner: 'organisation', unit: 'INR', side: 'debit', bucket: 'interest' },
  receivable_fee: { owner: 'organisation', unit: 'INR', side: 'debit', bucket: 'fee' },
  receivable_penal: { owner: 'organisation', unit: 'INR', side: 'debit', bucket: 'penal' },
  advance: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: 'advance' },
  clearing_cash: { owner: 'user', unit: 'INR', side: 'debit', bucket: null },
  clearing_upi: { owner: 'user', unit: 'INR', side: 'debit', bucket: null },
  clearing_other: { owner: 'user', unit: 'INR', side: 'debit', bucket: null },
  /** What came in for an agreement that is over, and what of it is owed back. */
  suspense: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: null },
  refunds_payable: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: null },
  sales: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: null },
  /** Interest and fees of the whole schedule, booked at signing; they become income as they are paid. */
  unearned_interest: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: null },
  unearned_fee: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: null },
  income_interest: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: null },
  income_fee: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: null },
  income_penal: { owner: 'organisation', unit: 'INR', side: 'credit', bucket: null },
  /** Penal charges given up: kept apart from what they brought in. */
  waivers: { owner: 'organisation', unit: 'INR', side: 'debit', bucket: null },
  keys_available: { owner: 'user', unit: 'KEY', side: 'debit', bucket: null },
  keys_reserved: { owner: 'user', unit: 'KEY', side: 'debit', bucket: null },
  keys_issued: { owner: 'organisation', unit: 'KEY', side: 'credit', bucket: null },
  keys_used: { owner: 'organisation', unit: 'KEY', side: 'debit', bucket: null },
} as const satisfies Record<
  string,
  {
    owner: 'user' | 'organisation';
    unit: 'INR' | 'KEY';
    side: 'debit' | 'credit';
    bucket: 'principal' | 'interest' | 'fee' | 'penal' | 'advance' | null;
  }
>;
export type AccountCode = keyof typeof CHART;

/** What a journal does, by what brings it about: docs/ledger.md says so of each, and the database knows the names that journals of a kind bear. */
export const JOURNAL_KINDS = [
  'agreement_opened',
  'agreement_cancelled',
  'schedule_opened',
  'schedule_taken_back',
  'payment',
  'payment_reversed',
  'payments_shifted',
  'refund_owed',
  'refund_paid',
  'refund_withdrawn',
  'penal_charged',
  'penal_taken_back',
  'penal_waived',
  'waiver_taken_back',
  'keys_credited',
  'key_reserved',
  'key_spent',
  'key_returned',
  'keys_passed',
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** What a line is for. */
export interface Dimensions {
  agreement_id?: string | null;
  instalment_no?: number | null;
  charge_id?: string | null;
  payment_id?: string | null;
  /** Of keys. */
  lot?: 'paid' | 'granted' | null;
}

/** One line of a journal. `amount` is paise for INR, keys for `KEY:<plan type>`; always positive, the side says the rest. */
export interface Line extends Dimensions {
  code: AccountCode;
  /** Whose till or keys; the organisation's own accounts need none. */
  ownerId?: string;
  /** Needed for KEY accounts. */
  planType?: number;
  side: 'debit' | 'credit';
  amount: number;
}

/** @returns lines without the zero ones: a journal states only what moved. */
export const nonZero = (lines: readonly Line[]): Line[] => lines.filter((line) => line.amount > 0);

/** @returns the unit of a line: `INR` or `KEY:<plan type>`. */
export const unitOf = (line: Line): string => (CHART[line.code].unit === 'INR' ? 'INR' : `KEY:${line.planType}`);
