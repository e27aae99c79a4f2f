import { describe, expect, it } from 'vitest';
import { placeOf } from './error-place.ts';

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
