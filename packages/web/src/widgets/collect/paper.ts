import type { TFunction } from 'i18next';
import type { EmiDetails, PaymentView, Receipt } from '@kist/contract/emi';
import { formatDateTime, formatMoney } from '#web/i18n/formats.ts';

/** What stands on a receipt, on the screen, in print, in the picture and in the words that are sent alike. */
export interface Paper {
  shop: string;
  no: string;
  amount: string;
  /** `link`: a value in whole, of which words that are sent make a link. */
  lines: readonly { label: string; value: string; link?: string }[];
  /** The shop's, as a picture (data URL). */
  signature?: string | undefined;
}

/** Whose receipt, of which shop, for which phone. */
export interface PaperOf {
  shop: string;
  customer: string;
  device: string;
  agreementNo: string;
  /** Where what is left may be paid; none where the organisation offers no such page. */
  paymentPage?: string | undefined;
  /** The shop's, where it uploaded one. */
  signature?: string | undefined;
}

type Part = PaymentView['allocations'][number];

/** @returns 'EMI 3 ₹1,120' for each EMI that the money went to, fees of lateness apart; several buckets of one are one line. */
function partLines(parts: readonly Part[], t: TFunction): Paper['lines'] {
  const sums = new Map<string, number>();
  const labelOf = ({ instalment_no, instalment_place, bucket }: Part): string => {
    if (bucket === 'penal') return t('penalty.title');
    return instalment_no === null ? t('emi.advance') : t('emi.part_no', { no: instalment_place ?? '–' });
  };
  for (const part of parts) {
    const { paise } = part;
    const label = labelOf(part);
    sums.set(label, (sums.get(label) ?? 0) + paise);
  }
  return [...sums].map(([label, paise]) => ({ label, value: formatMoney(paise) }));
}

const head = ({ customer, device, agreementNo }: PaperOf, paidAt: string, t: TFunction): Paper['lines'] => [
  { label: t('shell.customer'), value: customer },
  { label: t('emi.phone'), value: device },
  { label: t('emi.no'), value: agreementNo },
  { label: t('emi.received_at'), value: formatDateTime(paidAt) },
];

/** Only while something is left. */
const payAt = ({ paymentPage }: PaperOf, leftPaise: number | null) => ((leftPaise ?? 0) > 0 ? paymentPage : undefined);
const payLines = (page: string | undefined, t: TFunction): Paper['lines'] =>
  page ? [{ label: t('emi.pay_online'), value: page.replace(/^https:\/\//, '').replace(/\/$/, ''), link: page }] : [];

/** Nothing was owed any more: the parts are none, and all of it goes back. */
const isAllOver = ({ allocations, outstanding_paise }: Receipt) => allocations.length === 0 && outstanding_paise === 0;

/** The receipt of money just taken, with what is left after it. */
export const receiptPaper = (of: PaperOf, receipt: Receipt, t: TFunction): Paper => ({
  shop: of.shop,
  no: receipt.receipt_no,
  amount: formatMoney(receipt.amount_paise),
  lines: [
    ...head(of, receipt.paid_at, t),
    ...partLines(receipt.allocations, t),
    ...(isAllOver(receipt) ? [{ label: t('emi.over_back'), value: formatMoney(receipt.amount_paise) }] : []),
    ...(receipt.overdue_paise ? [{ label: t('emi.still_late'), value: formatMoney(receipt.overdue_paise) }] : []),
    ...(receipt.outstanding_paise === null
      ? []
      : [{ label: t('emi.still_left'), value: formatMoney(receipt.outstanding_paise) }]),
    ...(receipt.overpaid
      ? [
          {
            label: t('emi.over_back'),
            value: `${formatMoney(receipt.overpaid.amount_paise)} (${receipt.overpaid.receipt_no})`,
          },
        ]
      : []),
    ...payLines(payAt(of, receipt.outstanding_paise), t),
  ],
  signature: of.signature,
});

/** What is left today is what the newest receipt left; of those before it nobody reckons it. */
export const leftAfter = ({ payment_id }: PaymentView, { payments, agreement }: EmiDetails): number | undefined =>
  payments.find(({ state }) => state === 'posted')?.payment_id === payment_id ? agreement.outstanding_paise : undefined;

/** The same of a payment that stands in the list. @param leftPaise what it left, where that is known */
export const paymentPaper = (of: PaperOf, payment: PaymentView, t: TFunction, leftPaise?: number): Paper => ({
  shop: of.shop,
  no: payment.receipt_no ?? '',
  amount: formatMoney(payment.amount_paise),
  lines: [
    ...head(of, payment.paid_at, t),
    { label: t('emi.how'), value: [t(`emi.pay_${payment.method}`), payment.reference].filter(Boolean).join(' ') },
    ...(payment.goes_to === 'down_payment'
      ? [{ label: t('emi.down'), value: formatMoney(payment.amount_paise) }]
      : partLines(payment.allocations, t)),
    ...(leftPaise === undefined ? [] : [{ label: t('emi.still_left'), value: formatMoney(leftPaise) }]),
    ...payLines(payAt(of, leftPaise ?? 0), t),
  ],
  signature: of.signature,
});

/** The same as text, a line for each. @param t of the language that the paper was made in */
export const paperText = ({ shop, no, amount, lines }: Paper, t: TFunction): string =>
  [
    shop,
    `${t('emi.receipt')} ${no}`,
    `${t('emi.amount')}: ${amount}`,
    ...lines.map(({ label, value, link }) => `${label}: ${link ?? value}`),
  ].join('\n');
