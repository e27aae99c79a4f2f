import { isoDate } from '@kist/contract/dates';
import { bps, paise, rupees } from '@kist/contract/money';
import { describe, expect, test } from 'vitest';
import { previewEmi } from './preview.ts';
import { schedule, type ScheduleTerms } from './schedule.ts';

const terms = (change: Partial<ScheduleTerms>): ScheduleTerms => ({
  method: 'REDUCING',
  cash_price: rupees(15_500),
  down_payment: paise(0),
  rate_bps: bps(1200),
  tenure: 6,
  frequency: 'MONTHLY',
  delivered_on: isoDate('2026-01-15'),
  ...change,
});
const dueDates = (change: Partial<ScheduleTerms>) => schedule(terms(change)).instalments.map((row) => row.due_on);

describe('worked examples', () => {
  test('15,500 at 12 % over 6 is 2,674 a month', () => {
    const result = schedule(terms({}));
    expect(result.emi_paise).toBe(2_674_00);
    expect(result.instalments).toHaveLength(6);
    expect(result.instalments[0]).toMatchObject({
      interest_paise: 155_00,
      principal_paise: 2_519_00,
      balance_paise: 12_981_00,
    });
    // Exact, it is 2,674.49968: not to be rounded up to 2,675 by way of 2,674.50.
    expect(schedule(terms({ rounding: 'PAISE' })).emi_paise).toBe(2_674_50);
  });
  test('24,500 at 24 % over 10 is 2,727 a month', () => {
    expect(schedule(terms({ cash_price: rupees(24_500), rate_bps: bps(2400), tenure: 10 })).emi_paise).toBe(2_727_00);
  });
  test('1,00,000 at 9.99 % over 36 is 3,226 a month, the last 3,236.42', () => {
    const result = schedule(terms({ cash_price: rupees(1_00_000), rate_bps: bps(999), tenure: 36 }));
    expect(result.emi_paise).toBe(3_226_00);
    expect(result.instalments.at(-1)?.total_paise).toBe(3_236_42);
  });
  test.each([rupees(130), paise(130)])(
    '%i paise at a rate of 2,000 basis points over 12 is 12 rows, each above zero',
    (cash_price) => {
      const { instalments } = schedule(terms({ cash_price, rate_bps: bps(2000), tenure: 12 }));
      expect(instalments).toHaveLength(12);
      expect(instalments.every((row) => row.total_paise > 0)).toBe(true);
      expect(instalments.at(-1)?.balance_paise).toBe(0);
    },
  );
  test('anchor 31 January 2023 falls due on 28 February and 31 March', () => {
    expect(dueDates({ delivered_on: isoDate('2023-01-31'), anchor_day: 31 }).slice(0, 4)).toEqual([
      '2023-02-28',
      '2023-03-31',
      '2023-04-30',
      '2023-05-31',
    ]);
    expect(dueDates({ delivered_on: isoDate('2023-01-31') })[1]).toBe('2023-03-31');
  });
  test('anchor 30 April falls due on 30 May', () => {
    expect(dueDates({ delivered_on: isoDate('2023-04-30') })[0]).toBe('2023-05-30');
  });
  test('14,000 flat 18 % over 12 is 1,377 a month, the last 1,373, interest 2,520', () => {
    const result = schedule(terms({ method: 'FLAT', cash_price: rupees(14_000), rate_bps: bps(1800), tenure: 12 }));
    expect(result.emi_paise).toBe(1_377_00);
    expect(result.instalments.slice(0, -1).every((row) => row.total_paise === 1_377_00)).toBe(true);
    expect(result.instalments.at(-1)?.total_paise).toBe(1_373_00);
    expect(result.total_interest_paise).toBe(2_520_00);
  });
  test('10,00,000 at 15 % over 120, to the paisa, is 16,133.50: first 12,500.00 interest and 3,633.50 principal', () => {
    const result = schedule(
      terms({ cash_price: rupees(10_00_000), rate_bps: bps(1500), tenure: 120, rounding: 'PAISE' }),
    );
    expect(result.emi_paise).toBe(16_133_50);
    expect(result.instalments[0]).toMatchObject({ interest_paise: 12_500_00, principal_paise: 3_633_50 });
  });
});

describe('dates and periods', () => {
  test('weekly and fortnightly rows fall every 7 and 14 days from delivery, whatever the anchor', () => {
    expect(dueDates({ frequency: 'WEEKLY', anchor_day: 3 }).slice(0, 2)).toEqual(['2026-01-22', '2026-01-29']);
    expect(dueDates({ frequency: 'FORTNIGHTLY' }).slice(0, 2)).toEqual(['2026-01-29', '2026-02-12']);
  });
  test('a fortnight costs rate × 14/364, a week rate × 7/364', () => {
    const first = (frequency: 'FORTNIGHTLY' | 'WEEKLY') =>
      schedule(terms({ cash_price: rupees(52_000), rate_bps: bps(1000), frequency })).instalments[0]?.interest_paise;
    expect(first('FORTNIGHTLY')).toBe(200_00);
    expect(first('WEEKLY')).toBe(100_00);
  });
  test('an anchor in the month after delivery; the first period bears interest for its days only', () => {
    const delivered = { delivered_on: isoDate('2026-01-20'), cash_price: rupees(31_000) };
    const short = schedule(terms({ ...delivered, anchor_day: 5 }));
    expect(short.instalments.map((row) => row.due_on).slice(0, 2)).toEqual(['2026-02-05', '2026-03-05']);
    // 31,000 at 1 % a month is 310.00; 16 of the 31 days to 20 February are 160.00.
    expect(short.instalments[0]?.interest_paise).toBe(160_00);
    const long = schedule(terms({ ...delivered, anchor_day: 28 }));
    expect(long.instalments[0]).toMatchObject({ due_on: '2026-02-28', interest_paise: 390_00 });
    const whole = schedule(terms({ ...delivered, anchor_day: 20 }));
    expect(whole).toEqual(schedule(terms(delivered)));
    expect(short.emi_paise).toBeLessThan(whole.emi_paise);
    expect(whole.emi_paise).toBeLessThan(long.emi_paise);
    expect([short.apr_bps, whole.apr_bps, long.apr_bps].every((apr_bps) => Math.abs(apr_bps - 1200) <= 1)).toBe(true);
  });
  test('a first period whose interest is more than an instalment leaves rows of interest alone (decision 16)', () => {
    const long = {
      delivered_on: isoDate('2026-01-22'),
      anchor_day: 5,
      cash_price: rupees(10_000),
      rate_bps: bps(3600),
    };
    const { emi_paise, instalments, total_interest_paise, apr_bps } = schedule(terms({ ...long, tenure: 60 }));
    const row = (no: number) => {
      const { due_on, interest_paise, principal_paise, balance_paise } = instalments[no - 1]!;
      return [due_on, interest_paise, principal_paise, balance_paise];
    };
    // 10,000 at 3 % a month, 42 of 31 days.
    expect([emi_paise, Math.round((10_000_00 * 0.03 * 42) / 31)]).toEqual([365_06, 406_45]);
    expect(row(1)).toEqual(['2026-03-05', 365_06, 0, 10_000_00]);
    expect(row(2)).toEqual(['2026-04-05', 342_63, 22_43, 9_977_57]);
    expect(row(3)).toEqual(['2026-05-05', 299_32, 65_74, 9_911_83]);
    expect(row(60)).toEqual(['2031-02-05', 10_63, 354_43, 0]);
    expect(instalments.every((one) => one.total_paise === emi_paise)).toBe(true);
    expect([total_interest_paise, apr_bps]).toEqual([60 * emi_paise - 10_000_00, 3600]);
    expect(total_interest_paise).toBe(11_903_60);
  });
  test('the first instalment leaves fifteen days at least, else all come a month later, and a reducing loan bears interest for those days', () => {
    const first = (delivered_on: string, anchor_day: number) =>
      dueDates({ delivered_on: isoDate(delivered_on), anchor_day }).slice(0, 2);
    expect(first('2026-01-21', 5)).toEqual(['2026-02-05', '2026-03-05']);
    expect(first('2026-01-22', 5)).toEqual(['2026-03-05', '2026-04-05']);
    expect(first('2026-01-31', 15)).toEqual(['2026-02-15', '2026-03-15']);
    expect(first('2026-01-31', 14)).toEqual(['2026-03-14', '2026-04-14']);
    expect(first('2024-01-30', 14)).toEqual(['2024-02-14', '2024-03-14']);
    expect(first('2025-12-20', 1)).toEqual(['2026-02-01', '2026-03-01']);
    const late = schedule(terms({ delivered_on: isoDate('2026-01-22'), anchor_day: 5 }));
    const whole = schedule(terms({ delivered_on: isoDate('2026-01-22') }));
    // 42 days where a whole period has 31.
    expect(late.instalments[0]!.interest_paise).toBe(Math.round((whole.instalments[0]!.interest_paise * 42) / 31));
  });
  test('flat interest counts whole periods, so the anchor does not change it', () => {
    const flat = { method: 'FLAT', delivered_on: isoDate('2026-01-20') } as const;
    expect(schedule(terms({ ...flat, anchor_day: 5 })).total_interest_paise).toBe(
      schedule(terms(flat)).total_interest_paise,
    );
  });
});

describe('what is paid', () => {
  test('the down payment is outside the tenure and the total', () => {
    const result = schedule(terms({ method: 'ZERO', rate_bps: bps(0), down_payment: rupees(3_500) }));
    expect(result).toMatchObject({
      financed_paise: rupees(12_000),
      emi_paise: rupees(2_000),
      total_payable_paise: rupees(12_000),
      apr_bps: 0,
    });
  });
  test('a fee is due with the first instalment, bears no interest and raises the APR', () => {
    const bare = schedule(terms({}));
    const withFee = schedule(terms({ fee: rupees(300) }));
    expect(withFee.emi_paise).toBe(bare.emi_paise);
    expect(withFee.instalments.map((row) => row.fee_paise)).toEqual([300_00, 0, 0, 0, 0, 0]);
    expect(withFee.instalments[0]?.total_paise).toBe(2_974_00);
    expect(withFee.total_payable_paise - bare.total_payable_paise).toBe(300_00);
    expect(withFee.total_interest_paise).toBe(bare.total_interest_paise);
    expect(withFee.apr_bps).toBeGreaterThan(bare.apr_bps + 600);
  });
  test('the APR of a flat loan is the rate of the same payments on a reducing balance', () => {
    const flat = schedule(terms({ method: 'FLAT', cash_price: rupees(14_000), rate_bps: bps(1800), tenure: 12 }));
    const reducing = schedule(
      terms({ cash_price: rupees(14_000), rate_bps: flat.apr_bps, tenure: 12, rounding: 'PAISE' }),
    );
    expect(flat.apr_bps).toBeGreaterThan(3100);
    expect(Math.abs(reducing.total_payable_paise - flat.total_payable_paise)).toBeLessThan(200);
  });
  test('one instalment is everything to the paisa', () => {
    const result = schedule(terms({ tenure: 1, cash_price: paise(1_000_050) }));
    expect(result.instalments).toMatchObject([
      { principal_paise: 1_000_050, interest_paise: 10_001, balance_paise: 0 },
    ]);
  });
  test('at 100 % over ten years half a paisa would grow to hundreds of rupees: the last row still pays about the same', () => {
    const result = schedule(terms({ cash_price: rupees(1_000), rate_bps: bps(10_000), tenure: 120 }));
    expect(result.emi_paise).toBe(83_34);
    expect(result.instalments).toHaveLength(120);
    expect(Math.abs((result.instalments.at(-1)?.total_paise ?? 0) - 83_34)).toBeLessThanOrEqual(2);
  });
});

describe('the preview', () => {
  const wire = {
    method: 'REDUCING',
    frequency: 'MONTHLY',
    rounding: 'RUPEE',
    tenure: 6,
    delivered_on: isoDate('2026-01-15'),
    cash_price: rupees(15_500),
    down_payment: paise(0),
    fee: rupees(300),
    rate_bps: bps(1200),
  } as const;
  test('says the same in the words of the wire, the fee among them', () => {
    const preview = previewEmi(wire);
    const result = schedule(terms({ fee: rupees(300) }));
    expect(preview).toMatchObject({
      financed: 15_500_00,
      emi: 2_674_00,
      fee: 300_00,
      total_interest: result.total_interest_paise,
      total_payable: 15_500_00 + 300_00 + result.total_interest_paise,
      apr_bps: result.apr_bps,
      first_period: { days: 31, whole_days: 31 },
    });
    expect(preview.instalments[0]).toEqual({
      no: 1,
      due_on: '2026-02-15',
      principal: 2_519_00,
      interest: 155_00,
      fee: 300_00,
      total: 2_974_00,
      balance: 12_981_00,
    });
    expect(preview.instalments[5]).toMatchObject({ no: 6, due_on: '2026-07-15', fee: 0, balance: 0 });
  });
  test('tells a first period that an anchor day makes longer or shorter', () => {
    const first = (delivered_on: string, anchor_day?: number) =>
      previewEmi({ ...wire, delivered_on: isoDate(delivered_on), anchor_day }).first_period;
    expect(first('2026-01-20', 5)).toEqual({ days: 16, whole_days: 31 });
    expect(first('2026-01-22', 5)).toEqual({ days: 42, whole_days: 31 });
    expect(first('2026-01-31')).toEqual({ days: 28, whole_days: 28 });
    const weekly = previewEmi({ ...wire, frequency: 'WEEKLY', anchor_day: 5 });
    expect(weekly.first_period).toEqual({ days: 7, whole_days: 7 });
  });
  test.each(['2000-01-01', '2026-11-23', '2099-12-31'])('reckons a delivery on %s', (day) => {
    expect(previewEmi({ ...wire, delivered_on: isoDate(day), tenure: 120 }).instalments).toHaveLength(120);
  });
});

test('a preview of 60 rows takes less than a millisecond of one core', () => {
  const run = () => schedule(terms({ cash_price: rupees(60_000), rate_bps: bps(2399), tenure: 60 }));
  for (let warm = 0; warm < 200; warm++) run();
  const before = process.cpuUsage();
  for (let round = 0; round < 200; round++) run();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000 / 200).toBeLessThan(1);
});
