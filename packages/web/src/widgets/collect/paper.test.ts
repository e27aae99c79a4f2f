import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import type { PaymentView, Receipt } from '@kist/contract/emi';
import { paperText, paymentPaper, receiptPaper } from './paper.ts';

const t = ((key: string, params?: { no?: unknown }) =>
  [key, params?.no].filter(Boolean).join(' ')) as unknown as TFunction;
const of = { shop: 'Asha Mobiles', customer: 'Savita More', device: 'Redmi', agreementNo: 'K-1' };
const part = (instalment_no: number | null, instalment_place: number | null, bucket: string, paise: number) => ({
  instalment_no,
  instalment_place,
  bucket,
  paise,
});

test('a receipt names each EMI by its place among those that stand, however high its number has become', () => {
  const payment = {
    receipt_no: 'R1',
    amount_paise: 1_150_00,
    method: 'CASH',
    reference: '',
    paid_at: '2026-03-13T08:00:00Z',
    goes_to: 'dues',
    allocations: [
      part(7, 3, 'interest', 100_00),
      part(7, 3, 'principal', 900_00),
      // One of which nothing stands any more.
      part(5, null, 'principal', 50_00),
      part(2, 2, 'penal', 40_00),
      part(null, null, 'advance', 60_00),
    ],
  } as unknown as PaymentView;
  expect(
    paymentPaper(of, payment, t)
      .lines.slice(5)
      .map(({ label, value }) => [label, value]),
  ).toEqual([
    ['emi.part_no 3', '₹1,000'],
    ['emi.part_no –', '₹50'],
    ['penalty.title', '₹40'],
    ['emi.advance', '₹60'],
  ]);
});

const RECEIPT = {
  receipt_no: 'R1',
  amount_paise: 1_000_00,
  paid_at: '2026-03-13T08:00:00Z',
  allocations: [part(2, 2, 'principal', 700_00), part(3, 3, 'principal', 300_00)],
  overdue_paise: 0,
  outstanding_paise: 4_000_00,
} as unknown as Receipt;

test('a receipt as text names shop, customer, EMI numbers, amount, day, number and balance, and where the rest may be paid', () => {
  const paper = receiptPaper({ ...of, paymentPage: 'https://pay.example.in/' }, RECEIPT, t);
  expect(paperText(paper, t).split('\n')).toEqual([
    'Asha Mobiles',
    'emi.receipt R1',
    'emi.amount: ₹1,000',
    'shell.customer: Savita More',
    'emi.phone: Redmi',
    'emi.no: K-1',
    'emi.received_at: 13-03-2026 01:30 PM',
    'emi.part_no 2: ₹700',
    'emi.part_no 3: ₹300',
    'emi.still_left: ₹4,000',
    'emi.pay_online: https://pay.example.in/',
  ]);
});

test('money that came when nothing was owed is said to go back; what stands on a slip of a customer who passed on is not', () => {
  const said = (left: number | null, allocations: Receipt['allocations'] = []) =>
    paperText(receiptPaper(of, { ...RECEIPT, allocations, outstanding_paise: left }, t), t).includes(
      'emi.over_back: ₹1,000',
    );
  expect([said(0), said(null), said(0, RECEIPT.allocations)]).toEqual([true, false, false]);
});
