import { EMI_FREQUENCIES, EMI_METHODS } from '@kist/contract/emi-limits';
import { emiTermsSchema } from '@kist/contract/emi-terms';
import { schedule } from '@kist/server/measured';
import { type Bench, median } from '#bench/lib/figures.ts';

const ROUNDS = 7;
const ROUND_US = 1_000_000;
const TERMS = 997;

/** Twelve rows of every kind that a counter sells: prices, rates, days, anchors, fees, methods and frequencies, no two alike. */
const terms = Array.from({ length: TERMS }, (_, n) => {
  const method = EMI_METHODS[n % 3]!;
  return emiTermsSchema.parse({
    method,
    frequency: EMI_FREQUENCIES[Math.floor(n / 3) % 3]!,
    cash_price: 8_000_00 + n * 37_00,
    down_payment: (n % 5) * 500_00,
    fee: (n % 4) * 99_00,
    rate_bps: method === 'ZERO' ? 0 : 900 + ((n * 7) % 2700),
    tenure: 12,
    delivered_on: `2026-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`,
    ...(n % 2 === 0 && { anchor_day: 1 + (n % 31) }),
  });
});

/** Microseconds of processor time that this process has had, its helpers' (garbage collection) among them. */
function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Schedules for each second of one core, over about a second of it: what else the machine does takes nothing away. */
function perSecond(): number {
  const startedUs = processorUs();
  let made = 0;
  let rows = 0;
  while (processorUs() - startedUs < ROUND_US) {
    for (const one of terms) rows += schedule(one).instalments.length;
    made += TERMS;
  }
  if (rows !== made * 12) throw new Error(`${rows} rows of ${made} schedules`);
  return (made * 1_000_000) / (processorUs() - startedUs);
}

/** The engine by itself, on one core: rows, days, sums and APR, as a preview and a signing make them. */
export const schedules: Bench = {
  name: 'schedules',
  async run() {
    perSecond();
    const found = Array.from({ length: ROUNDS }, perSecond);
    const value = median(found);
    return [
      {
        name: 'schedules of twelve rows',
        of: 'with days and APR, a second of one core, terms of every method and frequency',
        value: value / 1000,
        unit: 'k/s',
        atLeast: 100,
        spread: (Math.max(...found) - Math.min(...found)) / value,
        rounds: ROUNDS,
        detail: `${(1_000_000 / value).toFixed(1)} µs each`,
      },
    ];
  },
};
