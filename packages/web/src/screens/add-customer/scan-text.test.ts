import { describe, expect, it } from 'vitest';
import { placeOf } from './error-place.ts';
import { imeiDigits, imeisIn, imeiState } from './scan-text.ts';

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
describe('a refusal', () => {
  const refusal = (change: object) => ({
    status: 409,
    code: 'UNKNOWN',
    message: '',
    fields: [],
    details: {},
    ...change,
  });
  it('lands on the field that the server named', () => {
    const fields = [{ path: 'device.imei1', message: 'Check the 15 digits.' }];
    expect(placeOf(refusal({ code: 'INVALID_INPUT', fields }) as never, '')).toEqual({
      step: 'device',
      sentences: { 'device.imei1': 'Check the 15 digits.' },
    });
  });
  it('lands on the step of a part that is missing, and on the field that its code speaks of', () => {
    const fields = [{ path: 'emi', message: 'required' }];
    expect(placeOf(refusal({ code: 'INVALID_INPUT', fields }) as never, '')).toEqual({ step: 'emi', sentences: {} });
    expect(placeOf(refusal({ code: 'DUPLICATE_IMEI' }) as never, 'Already on EMI.')).toEqual({
      step: 'device',
      sentences: { 'device.imei1': 'Already on EMI.' },
    });
    expect(placeOf(refusal({ code: 'INSUFFICIENT_KEYS' }) as never, 'No keys.')?.step).toBe('plan');
    expect(placeOf(refusal({ code: 'RATE_LIMITED' }) as never, '')).toBeUndefined();
  });
});
