import type { KeptMethod } from '@kist/contract/payment-methods';
import type { Line } from '#server/ledger/ledger.ts';

/** A part of a payment and what it went to. */
export interface AllocatedPart {
  bucket: 'interest' | 'principal' | 'fee' | 'penal' | 'advance';
  instalment_no: number | null;
  charge_id: string | null;
  /** Above zero in a payment; in a shift below it, where something is taken away again. */
  paise: number;
}

/** Whose payment of which agreement. */
export interface PaymentOf {
  agreement_id: string;
  payment_id: string;
}

const TILL = {
  CASH: 'clearing_cash',
  UPI: 'clearing_upi',
  GATEWAY: 'clearing_other',
  OTHER: 'clearing_other',
} as const satisfies Record<KeptMethod, string>;

/** @returns a line on that side; below zero it is one on the other. */
function signed(line: Omit<Line, 'side' | 'amount'>, side: Line['side'], amount: number): Line {
  if (amount >= 0) return { ...line, side, amount };
  return { ...line, side: side === 'debit' ? 'credit' : 'debit', amount: -amount };
}

/** Off what the customer owes, part by part. */
const parts = (of: PaymentOf, rows: readonly AllocatedPart[]): Line[] =>
  rows.map(({ bucket, instalment_no, charge_id, paise }) =>
    signed(
      { code: bucket === 'advance' ? 'advance' : `receivable_${bucket}`, ...of, instalment_no, charge_id },
      'credit',
      paise,
    ),
  );

/** Interest and fees become income as they are paid. */
function earned(of: PaymentOf, rows: readonly AllocatedPart[]): Line[] {
  const total = (bucket: AllocatedPart['bucket']) =>
    rows.reduce((sum, row) => (row.bucket === bucket ? sum + row.paise : sum), 0);
  return (['interest', 'fee'] as const).flatMap((bucket) => [
    signed({ code: `unearned_${bucket}`, ...of }, 'debit', total(bucket)),
    signed({ code: `income_${bucket}`, ...of }, 'credit', total(bucket)),
  ]);
}

/**
 * The journal of one payment: the money into the till of who took it, each part off what the customer owes, interest and fees from unearned to income.
 * Debits and credits are equal because the allocation adds up to the amount.
 */
export const paymentLines = (
  payment: PaymentOf & { till_user_id: string; method: keyof typeof TILL; amount_paise: number },
  rows: readonly AllocatedPart[],
): Line[] => {
  const of = { agreement_id: payment.agreement_id, payment_id: payment.payment_id };
  return [
    { code: TILL[payment.method], ownerId: payment.till_user_id, ...of, side: 'debit', amount: payment.amount_paise },
    ...parts(of, rows),
    ...earned(of, rows),
  ];
};

/** The journal of a down payment: the cash into the till of who took it, off the price. */
export const downPaymentLines = ({
  till_user_id,
  amount_paise,
  method = 'CASH',
  ...of
}: PaymentOf & { till_user_id: string; amount_paise: number; method?: keyof typeof TILL }): Line[] => [
  { code: TILL[method], ownerId: till_user_id, ...of, side: 'debit', amount: amount_paise },
  { code: 'sales', ...of, side: 'credit', amount: amount_paise },
];

type Amount = PaymentOf & { amount_paise: number };

/** Money for an agreement that is over: into the till, and to nobody yet. */
export const suspenseLines = ({
  till_user_id,
  method,
  amount_paise: amount,
  ...of
}: Amount & { till_user_id: string; method: keyof typeof TILL }): Line[] => [
  { code: TILL[method], ownerId: till_user_id, ...dimensions(of), side: 'debit', amount },
  { code: 'suspense', ...dimensions(of), side: 'credit', amount },
];

/** It is owed back to who paid it. */
export const refundOwedLines = ({ amount_paise: amount, ...of }: Amount): Line[] => [
  { code: 'suspense', ...dimensions(of), side: 'debit', amount },
  { code: 'refunds_payable', ...dimensions(of), side: 'credit', amount },
];

/**
 * What was paid for an agreement that is cancelled is owed back, and with it go the sale and the income that it made: of a down payment, which paid no part,
 * the sale alone.
 */
export const paidBackLines = (
  { amount_paise: amount, ...of }: Amount,
  rows: readonly Pick<AllocatedPart, 'bucket' | 'paise'>[],
): Line[] => {
  const total = (bucket: AllocatedPart['bucket']) =>
    rows.reduce((all, row) => (row.bucket === bucket ? all + row.paise : all), 0);
  const dues = dimensions(of);
  return [
    { code: 'sales', ...dues, side: 'debit', amount: rows.length === 0 ? amount : total('principal') },
    { code: 'income_interest', ...dues, side: 'debit', amount: total('interest') },
    { code: 'income_fee', ...dues, side: 'debit', amount: total('fee') },
    { code: 'income_penal', ...dues, side: 'debit', amount: total('penal') },
    { code: 'advance', ...dues, side: 'debit', amount: total('advance') },
    { code: 'refunds_payable', ...dues, side: 'credit', amount },
  ];
};

/** It was given back, out of a till. */
export const refundDoneLines = ({
  till_user_id,
  method,
  amount_paise: amount,
  ...of
}: Amount & { till_user_id: string; method: keyof typeof TILL }): Line[] => [
  { code: 'refunds_payable', ...dimensions(of), side: 'debit', amount },
  { code: TILL[method], ownerId: till_user_id, ...dimensions(of), side: 'credit', amount },
];

const dimensions = ({ agreement_id, payment_id }: PaymentOf): PaymentOf => ({ agreement_id, payment_id });

/**
 * The one journal of everything that other payments shift when one is taken back or comes in with an earlier day: each shifted payment's parts with what is
 * added to them and taken from them, which is nothing in sum.
 */
export const shiftLines = (shifts: readonly (PaymentOf & { rows: readonly AllocatedPart[] })[]): Line[] =>
  shifts.flatMap(({ rows, ...of }) => [...parts(of, rows), ...earned(of, rows)]);

const placeOf = ({ bucket, instalment_no, charge_id }: AllocatedPart): string =>
  `${bucket} ${instalment_no} ${charge_id}`;

/** @returns what must be added to the parts that stand so that they are those that are wanted; nothing where they are. */
export function difference(standing: readonly AllocatedPart[], wanted: readonly AllocatedPart[]): AllocatedPart[] {
  const places = new Map<string, AllocatedPart>();
  for (const [rows, sign] of [
    [wanted, 1],
    [standing, -1],
  ] as const)
    for (const row of rows) {
      const { bucket, instalment_no, charge_id } = row;
      const before = places.get(placeOf(row))?.paise ?? 0;
      places.set(placeOf(row), { bucket, instalment_no, charge_id, paise: before + sign * row.paise });
    }
  return [...places.values()].filter(({ paise }) => paise !== 0);
}
