/**
 * Chart of accounts, once. `side` is the side on which the account grows. Who owns it: an agreement (what one customer owes), a user (a shop's
 * till and keys), the organisation (income and what stands against keys). INR accounts count paise, KEY accounts whole keys.
 */
export const CHART = {
  receivable_principal: { owner: 'agreement', unit: 'INR', side: 'debit' },
  receivable_interest: { owner: 'agreement', unit: 'INR', side: 'debit' },
  receivable_fee: { owner: 'agreement', unit: 'INR', side: 'debit' },
  receivable_penal: { owner: 'agreement', unit: 'INR', side: 'debit' },
  advance: { owner: 'agreement', unit: 'INR', side: 'credit' },
  clearing_cash: { owner: 'user', unit: 'INR', side: 'debit' },
  clearing_upi: { owner: 'user', unit: 'INR', side: 'debit' },
  clearing_other: { owner: 'user', unit: 'INR', side: 'debit' },
  sales: { owner: 'organisation', unit: 'INR', side: 'credit' },
  /** Interest and fees of the whole schedule, booked at signing; they become income as they are paid. */
  unearned_interest: { owner: 'organisation', unit: 'INR', side: 'credit' },
  unearned_fee: { owner: 'organisation', unit: 'INR', side: 'credit' },
  income_interest: { owner: 'organisation', unit: 'INR', side: 'credit' },
  income_fee: { owner: 'organisation', unit: 'INR', side: 'credit' },
  income_penal: { owner: 'organisation', unit: 'INR', side: 'credit' },
  keys_available: { owner: 'user', unit: 'KEY', side: 'debit' },
  keys_reserved: { owner: 'user', unit: 'KEY', side: 'debit' },
  keys_issued: { owner: 'organisation', unit: 'KEY', side: 'credit' },
  keys_used: { owner: 'organisation', unit: 'KEY', side: 'debit' },
} as const satisfies Record<
  string,
  { owner: 'agreement' | 'user' | 'organisation'; unit: 'INR' | 'KEY'; side: 'debit' | 'credit' }
>;
export type AccountCode = keyof typeof CHART;

/** One line of a journal. `amount` is paise for INR, keys for `KEY:<plan type>`; always positive, the side says the rest. */
export interface Line {
  code: AccountCode;
  /** Agreement or user id; the organisation's own accounts need none. */
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

/** @returns the lines of the journal that undoes this one. */
export const reversed = (lines: readonly Line[]): Line[] =>
  lines.map((line) => ({ ...line, side: line.side === 'debit' ? 'credit' : 'debit' }));
