import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTyped, paiseToTyped, typedToPaise } from './money-input.ts';

describe('an amount box', () => {
  it('groups in lakhs while typing', () => {
    expect(formatTyped('125000', false)).toBe('1,25,000');
    expect(formatTyped('12345678', false)).toBe('1,23,45,678');
    expect(formatTyped('₹ 1,250.5', true)).toBe('1,250.5');
    expect(formatTyped('₹ 1,250.50', false)).toBe('1,250');
    expect(formatTyped('007', false)).toBe('7');
    expect(formatTyped('abc', false)).toBe('');
  });
  it('gives paise, and nothing for an empty box', () => {
    expect(typedToPaise('1,25,000')).toBe(12_500_000);
    expect(typedToPaise('1,250.5')).toBe(125_050);
    expect(typedToPaise('')).toBeUndefined();
  });
  it('shows what it was given, to the paisa', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), (paise) => {
        expect(typedToPaise(paiseToTyped(paise))).toBe(paise);
        expect(formatTyped(paiseToTyped(paise), true)).toBe(paiseToTyped(paise));
      }),
    );
  });
});
