import type { TFunction } from 'i18next';
import { expect, test } from 'vitest';
import type { PaymentView } from '@kist/contract/emi';
import { paymentPaper } from './paper.ts';

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
