import { registerBodySchema } from '@kist/contract/customers';
import { KistError } from '@kist/contract/errors';
import { exchangingEndpoints } from '@kist/contract/exchanging';
import { lineTextSchema } from '@kist/contract/fields';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { parseInput } from './input.ts';

/** What the refusal says of each field; undefined when it is taken. */
function refusalsOf(schema: z.ZodType, body: unknown): Record<string, string> | undefined {
  try {
    parseInput(schema, body);
    return undefined;
  } catch (error) {
    if (!(error instanceof KistError)) throw error;
    return Object.fromEntries((error.options.fields ?? []).map(({ path, key }) => [path, key]));
  }
}

describe('a wrong value', () => {
  it.each([61, 240, 241, 5000])('of %i characters where 60 hold is told so', (length) => {
    const body = { note: 'x'.repeat(length) };
    expect(() => parseInput(z.strictObject({ note: lineTextSchema(60) }), body)).toThrow(
      expect.objectContaining({
        options: { fields: [{ path: 'note', key: 'field.too_long', params: { max: 60 } }] },
      }),
    );
  });

  const of = (fields: object) => refusalsOf(registerBodySchema, { draft: true, plan_id: 1, ...fields });

  it.each([
    ['beside the customer', { firstName: 'Ravi', mobile: '12345', email: 'x' }],
    ['of the customer', { customer: { firstName: 'Ravi', mobile: '12345', email: 'x' } }],
  ])('is told as wrong under the names of the form, %s', (_, fields) => {
    expect(of(fields)).toEqual({ 'customer.mobile': 'field.mobile', 'customer.email': 'field.email' });
  });
  it('that is empty, or not there, is told as missing', () => {
    expect(of({ firstName: '' })).toEqual({
      'customer.first_name': 'field.required',
      'customer.mobile': 'field.required',
    });
  });
  it('of a rule over several fields is told as what it is', () => {
    const terms = { cash_price: 1000, down_payment: 2000, down: 1 };
    expect(of({ emi: terms })).toMatchObject({ 'emi.method': expect.any(String) });
  });
});

describe('the change of a phone', () => {
  const of = (fields: object) =>
    refusalsOf(exchangingEndpoints.updateCustomerDetails.body, { customer_id: newId(), ...fields });
  const device = { imei1: '490154203237518', brand: 'Acme', model: 'A1' };

  it('is meant where `edit` stands: what it lacks is asked for', () => {
    expect(of({ edit: 'IMEI_EDIT', device })).toEqual({ reason: 'field.required' });
    expect(of({ edit: 'IMEI_EDIT' })).toEqual({ device: 'field.required', reason: 'field.required' });
    expect(of({ edit: 'IMEI_EDIT', device: { ...device, model: undefined } })).toEqual({
      'device.model': 'field.required',
      reason: 'field.required',
    });
  });
  it('is not meant without it', () => {
    expect(of({ first_name: 'Asha', phone: 1 })).toEqual({ phone: 'field.unknown' });
    expect(of({ mobile: '1' })).toEqual({ mobile: 'field.mobile' });
  });
});
