import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMoney } from '#web/i18n/formats.ts';
import { paiseToTyped } from '#web/ui/money-input.ts';

it('an amount in its box reads as it does everywhere else: the kit groups digits without the contract', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (paise) => {
      expect(`₹${paiseToTyped(paise)}`).toBe(formatMoney(paise));
    }),
  );
});
