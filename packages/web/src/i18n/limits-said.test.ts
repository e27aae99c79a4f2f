import { expect, it } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { EMI_FREQUENCIES, EMI_LIMITS } from '@kist/contract/emi-limits';
import { formatInr } from '@kist/contract/money-text';

const files = import.meta.glob<{ field: Record<string, string> }>('../../public/locales/*.json', {
  import: 'default',
  eager: true,
});

it.each(LANGUAGES)(
  'a price or a number of EMIs that is refused says what may be given, as the contract has it (%s)',
  (code) => {
    const { field } = files[`../../public/locales/${code}.json`]!;
    expect(field['cash_price']).toContain(formatInr(EMI_LIMITS.cashPriceMaxPaise));
    expect(field['tenure']?.match(/\d+–\d+/g)).toEqual(EMI_FREQUENCIES.map((one) => `1–${EMI_LIMITS.tenureMax[one]}`));
    expect(field['rate']).toMatch(new RegExp(`\\b0\\D+${EMI_LIMITS.rateMaxBps / 100} ?%`));
  },
);
