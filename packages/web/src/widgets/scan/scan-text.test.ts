import { describe, expect, it } from 'vitest';
import { imeiDigits, imeisIn, imeiState, secondOf } from './scan-text.ts';

describe('what the camera read', () => {
  it('gives the IMEIs whose check digit is right, each once, in order', () => {
    expect(imeisIn(['IMEI1:356938035643809', '490154203237518', '356938035643809', '356938035643808'])).toEqual([
      '356938035643809',
      '490154203237518',
    ]);
    expect(imeisIn(['8901234567890', 'SN R9ZX'])).toEqual([]);
  });
});
describe('an IMEI while it is typed', () => {
  it('is open until 15 digits are there, then right or wrong', () => {
    expect(['', '3569', '356938035643809', '356938035643808'].map(imeiState)).toEqual([
      'empty',
      'typing',
      'right',
      'wrong',
    ]);
  });
  it('keeps 15 digits of what is pasted', () => {
    expect(imeiDigits('35-693803-564380-9 / 01')).toBe('356938035643809');
  });
});

it('a scan of another phone with one number takes the second number of the phone before along', () => {
  const [one, two, other, another] = ['356938035643809', '490154203237518', '352099001761481', '353270040000008'];
  const before = { imei1: one, imei2: two };
  expect(secondOf(before, [other])).toBe('');
  expect(secondOf(before, [other, another])).toBe(another);
  expect(secondOf(before, [one])).toBe(two);
  // The bars were read one after the other, in whatever order.
  expect(secondOf({ imei1: '', imei2: two }, [one])).toBe(two);
  expect(secondOf({ imei1: '', imei2: two }, [two])).toBe('');
  expect(secondOf(before, ['35209900'])).toBe(two);
});
