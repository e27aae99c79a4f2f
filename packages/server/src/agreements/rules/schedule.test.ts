import { isoDate } from '@kist/contract/dates';
import { bps, paise, rupees } from '@kist/contract/money';
import { describe, expect, test } from 'vitest';
import { previewEmi } from './preview.ts';
import { schedule, type ScheduleTerms } from './schedule.ts';

const terms = (change: Partial<ScheduleTerms>): ScheduleTerms => ({
  method: 'REDUCING',
  cashPricePaise: rupees(15_500),
  downPaymentPaise: paise(0),
  rateBps: bps(1200),
  tenure: 6,
  frequency: 'MONTHLY',
  deliveredOn: isoDate('2026-01-15'),
  ...change,
});
const dueDates = (change: Partial<ScheduleTerms>) => schedule(terms(change)).instalments.map((row) => row.dueOn);

describe('worked examples', () => {
  test('15,500 at 12 % over 6 is 2,674 a month', () => {
    const result = schedule(terms({}));
    expect(result.emiPaise).toBe(2_674_00);
    expect(result.instalments).toHaveLength(6);
    expect(result.instalments[0]).toMatchObject({
      interestPaise: 155_00,
      principalPaise: 2_519_00,
      balancePaise: 12_981_00,
    });
    // Exact, it is 2,674.49968: not to be rounded up to 2,675 by way of 2,674.50.
    expect(schedule(terms({ rounding: 'PAISE' })).emiPaise).toBe(2_674_50);
  });
  test('24,500 at 24 % over 10 is 2,727 a month', () => {
    expect(schedule(terms({ cashPricePaise: rupees(24_500), rateBps: bps(2400), tenure: 10 })).emiPaise).toBe(2_727_00);
  });
  test('1,00,000 at 9.99 % over 36 is 3,226 a month, the last 3,236.42', () => {
    const result = schedule(terms({ cashPricePaise: rupees(1_00_000), rateBps: bps(999), tenure: 36 }));
    expect(result.emiPaise).toBe(3_226_00);
    expect(result.instalments.at(-1)?.totalPaise).toBe(3_236_42);
  });
  test.each([rupees(130), paise(130)])(
    '%i paise at a rate of 2,000 basis points over 12 is 12 rows, each above zero',
    (cashPricePaise) => {
      const { instalments } = schedule(terms({ cashPricePaise, rateBps: bps(2000), tenure: 12 }));
      expect(instalments).toHaveLength(12);
      expect(instalments.every((row) => row.totalPaise > 0)).toBe(true);
      expect(instalments.at(-1)?.balancePaise).toBe(0);
    },
  );
  test('anchor 31 January 2023 falls due on 28 February and 31 March', () => {
    expect(dueDates({ deliveredOn: isoDate('2023-01-31'), anchorDay: 31 }).slice(0, 4)).toEqual([
      '2023-02-28',
      '2023-03-31',
      '2023-04-30',
      '2023-05-31',
    ]);
    expect(dueDates({ deliveredOn: isoDate('2023-01-31') })[1]).toBe('2023-03-31');
  });
  test('anchor 30 April falls due on 30 May', () => {
    expect(dueDates({ deliveredOn: isoDate('2023-04-30') })[0]).toBe('2023-05-30');
  });
  test('14,000 flat 18 % over 12 is 1,377 a month, the last 1,373, interest 2,520', () => {
    const result = schedule(terms({ method: 'FLAT', cashPricePaise: rupees(14_000), rateBps: bps(1800), tenure: 12 }));
    expect(result.emiPaise).toBe(1_377_00);
    expect(result.instalments.slice(0, -1).every((row) => row.totalPaise === 1_377_00)).toBe(true);
    expect(result.instalments.at(-1)?.totalPaise).toBe(1_373_00);
    expect(result.totalInterestPaise).toBe(2_520_00);
  });
  test('10,00,000 at 15 % over 120, to the paisa, is 16,133.50: first 12,500.00 interest and 3,633.50 principal', () => {
    const result = schedule(
      terms({ cashPricePaise: rupees(10_00_000), rateBps: bps(1500), tenure: 120, rounding: 'PAISE' }),
    );
    expect(result.emiPaise).toBe(16_133_50);
    expect(result.instalments[0]).toMatchObject({ interestPaise: 12_500_00, principalPaise: 3_633_50 });
  });
});

describe('dates and periods', () => {
  test('weekly and fortnightly rows fall every 7 and 14 days from delivery, whatever the anchor', () => {
    expect(dueDates({ frequency: 'WEEKLY', anchorDay: 3 }).slice(0, 2)).toEqual(['2026-01-22', '2026-01-29']);
    expect(dueDates({ frequency: 'FORTNIGHTLY' }).slice(0, 2)).toEqual(['2026-01-29', '2026-02-12']);
  });
  test('a fortnight costs rate × 14/364, a week rate × 7/364', () => {
    const first = (frequency: 'FORTNIGHTLY' | 'WEEKLY') =>
      schedule(terms({ cashPricePaise: rupees(52_000), rateBps: bps(1000), frequency })).instalments[0]?.interestPaise;
    expect(first('FORTNIGHTLY')).toBe(200_00);
    expect(first('WEEKLY')).toBe(100_00);
  });
  test('an anchor in the month after delivery; the first period bears interest for its days only', () => {
    const delivered = { deliveredOn: isoDate('2026-01-20'), cashPricePaise: rupees(31_000) };
    const short = schedule(terms({ ...delivered, anchorDay: 5 }));
    expect(short.instalments.map((row) => row.dueOn).slice(0, 2)).toEqual(['2026-02-05', '2026-03-05']);
    // 31,000 at 1 % a month is 310.00; 16 of the 31 days to 20 February are 160.00.
    expect(short.instalments[0]?.interestPaise).toBe(160_00);
    const long = schedule(terms({ ...delivered, anchorDay: 28 }));
    expect(long.instalments[0]).toMatchObject({ dueOn: '2026-02-28', interestPaise: 390_00 });
    const whole = schedule(terms({ ...delivered, anchorDay: 20 }));
    expect(whole).toEqual(schedule(terms(delivered)));
    expect(short.emiPaise).toBeLessThan(whole.emiPaise);
    expect(whole.emiPaise).toBeLessThan(long.emiPaise);
    expect([short.aprBps, whole.aprBps, long.aprBps].every((aprBps) => Math.abs(aprBps - 1200) <= 1)).toBe(true);
  });
  test('the first instalment leaves fifteen days at least, else all come a month later, and a reducing loan bears interest for those days', () => {
    const first = (deliveredOn: string, anchorDay: number) =>
      dueDates({ deliveredOn: isoDate(deliveredOn), anchorDay }).slice(0, 2);
    expect(first('2026-01-21', 5)).toEqual(['2026-02-05', '2026-03-05']);
    expect(first('2026-01-22', 5)).toEqual(['2026-03-05', '2026-04-05']);
    expect(first('2026-01-31', 15)).toEqual(['2026-02-15', '2026-03-15']);
    expect(first('2026-01-31', 14)).toEqual(['2026-03-14', '2026-04-14']);
    expect(first('2024-01-30', 14)).toEqual(['2024-02-14', '2024-03-14']);
    expect(first('2025-12-20', 1)).toEqual(['2026-02-01', '2026-03-01']);
    const late = schedule(terms({ deliveredOn: isoDate('2026-01-22'), anchorDay: 5 }));
    const whole = schedule(terms({ deliveredOn: isoDate('2026-01-22') }));
    // 42 days where a whole period has 31.
    expect(late.instalments[0]!.interestPaise).toBe(Math.round((whole.instalments[0]!.interestPaise * 42) / 31));
  });
  test('flat interest counts whole periods, so the anchor does not change it', () => {
    const flat = { method: 'FLAT', deliveredOn: isoDate('2026-01-20') } as const;
    expect(schedule(terms({ ...flat, anchorDay: 5 })).totalInterestPaise).toBe(
      schedule(terms(flat)).totalInterestPaise,
    );
  });
});

describe('what is paid', () => {
  test('the down payment is outside the tenure and the total', () => {
    const result = schedule(terms({ method: 'ZERO', rateBps: bps(0), downPaymentPaise: rupees(3_500) }));
    expect(result).toMatchObject({
      financedPaise: rupees(12_000),
      emiPaise: rupees(2_000),
      totalPayablePaise: rupees(12_000),
      aprBps: 0,
    });
  });
  test('a fee is due with the first instalment, bears no interest and raises the APR', () => {
    const bare = schedule(terms({}));
    const withFee = schedule(terms({ feePaise: rupees(300) }));
    expect(withFee.emiPaise).toBe(bare.emiPaise);
    expect(withFee.instalments.map((row) => row.feePaise)).toEqual([300_00, 0, 0, 0, 0, 0]);
    expect(withFee.instalments[0]?.totalPaise).toBe(2_974_00);
    expect(withFee.totalPayablePaise - bare.totalPayablePaise).toBe(300_00);
    expect(withFee.totalInterestPaise).toBe(bare.totalInterestPaise);
    expect(withFee.aprBps).toBeGreaterThan(bare.aprBps + 600);
  });
  test('the APR of a flat loan is the rate of the same payments on a reducing balance', () => {
    const flat = schedule(terms({ method: 'FLAT', cashPricePaise: rupees(14_000), rateBps: bps(1800), tenure: 12 }));
    const reducing = schedule(
      terms({ cashPricePaise: rupees(14_000), rateBps: flat.aprBps, tenure: 12, rounding: 'PAISE' }),
    );
    expect(flat.aprBps).toBeGreaterThan(3100);
    expect(Math.abs(reducing.totalPayablePaise - flat.totalPayablePaise)).toBeLessThan(200);
  });
  test('one instalment is everything to the paisa', () => {
    const result = schedule(terms({ tenure: 1, cashPricePaise: paise(1_000_050) }));
    expect(result.instalments).toMatchObject([{ principalPaise: 1_000_050, interestPaise: 10_001, balancePaise: 0 }]);
  });
  test('at 100 % over ten years half a paisa would grow to hundreds of rupees: the last row still pays about the same', () => {
    const result = schedule(terms({ cashPricePaise: rupees(1_000), rateBps: bps(10_000), tenure: 120 }));
    expect(result.emiPaise).toBe(83_34);
    expect(result.instalments).toHaveLength(120);
    expect(Math.abs((result.instalments.at(-1)?.totalPaise ?? 0) - 83_34)).toBeLessThanOrEqual(2);
  });
});

test('the preview says the same in the words of the wire', () => {
  const wire = {
    method: 'REDUCING',
    frequency: 'MONTHLY',
    rounding: 'RUPEE',
    tenure: 6,
    delivered_on: isoDate('2026-01-15'),
  } as const;
  const preview = previewEmi({ ...wire, cash_price: rupees(15_500), down_payment: paise(0), rate_bps: bps(1200) });
  const result = schedule(terms({}));
  expect(preview).toMatchObject({
    financed: 15_500_00,
    emi: 2_674_00,
    total_payable: result.totalPayablePaise,
    apr_bps: result.aprBps,
  });
  expect(preview.instalments[5]).toEqual({
    no: 6,
    due_on: '2026-07-15',
    principal: result.instalments[5]?.principalPaise,
    interest: result.instalments[5]?.interestPaise,
    total: result.instalments[5]?.totalPaise,
    balance: 0,
  });
});

test('a preview of 60 rows takes less than a millisecond', () => {
  const run = () => schedule(terms({ cashPricePaise: rupees(60_000), rateBps: bps(2399), tenure: 60 }));
  for (let warm = 0; warm < 200; warm++) run();
  const startedAt = performance.now();
  for (let round = 0; round < 200; round++) run();
  expect((performance.now() - startedAt) / 200).toBeLessThan(1);
});
