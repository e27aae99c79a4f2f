import { describe, expect, it } from 'vitest';
import { KistError } from '@kist/contract/errors';
import { createConsentWorld } from '#test/consent-world.ts';

const { newImei, newNumber, whole, register, draft, send, said, collect, told, sign, consentsOf } =
  await createConsentWorld();

describe('the code of a sale', () => {
  it.each([
    ['dearer', { emi: { cash_price: 98_000_00, tenure: 36 } }],
    ['longer', { emi: { tenure: 13 } }],
    ['delivered on another day', { emi: { delivered_on: '2026-04-09' } }],
    ['of another phone', { device: { imei1: newImei() } }],
    ['of another model', { device: { model: '14C' } }],
  ])(
    'is worth nothing for a sale that is %s than what it was told for, now or later',
    async (_how, other: Partial<Record<'emi' | 'device', object>>) => {
      const mobile = newNumber();
      const customer_id = await draft(mobile);
      await sign(customer_id);
      await send(customer_id);
      expect(await collect(customer_id, await told(mobile))).toMatchObject({ missing: [] });
      const { emi, device, ...sale } = whole(mobile);
      const changed = { ...sale, customer_id, emi: { ...emi, ...other.emi }, device: { ...device, ...other.device } };
      await register({ ...changed, draft: true });
      expect(await collect(customer_id), 'the form is another').toMatchObject({ missing: ['code'] });
      await register(changed);
      expect(await consentsOf(customer_id)).toEqual([{ signed: true, confirmed: false }]);
      expect(await collect(customer_id)).toMatchObject({ missing: ['code'] });
    },
  );

  it('counts for the deal that it was told for, however often the form was another meanwhile', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await sign(customer_id);
    await send(customer_id);
    await collect(customer_id, await told(mobile));
    const { emi, ...sale } = whole(mobile);
    await register({ ...sale, customer_id, draft: true, emi: { ...emi, tenure: 24 } });
    await register({ ...sale, customer_id, draft: true, emi });
    expect(await collect(customer_id)).toMatchObject({ missing: [] });
    await register({ ...sale, customer_id, emi });
    expect(await consentsOf(customer_id)).toEqual([{ signed: true, confirmed: true }]);
  });
});

describe('a code that is asked for again too soon', () => {
  const tooSoon = async (customerId: string) =>
    send(customerId).then(
      () => undefined,
      ({ code, options }: KistError) => ({ code, ...options.details }),
    );
  it('says whether the one on its way is for this very deal', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await send(customer_id);
    expect(await tooSoon(customer_id)).toEqual({ code: 'OTP_TOO_SOON', is_same: true });
    const { emi, ...sale } = whole(mobile);
    await register({ ...sale, customer_id, draft: true, emi: { ...emi, tenure: 24 } });
    expect(await tooSoon(customer_id)).toEqual({ code: 'OTP_TOO_SOON', is_same: false });
    await register({ ...sale, customer_id, draft: true, emi });
    expect(await tooSoon(customer_id)).toEqual({ code: 'OTP_TOO_SOON', is_same: true });
  });
});

describe('the message with the code', () => {
  const SUMS = { financed: '₹14,000', emis: '12', amount: '₹1,377', total: '₹16,520' };
  it('says what is financed, how many EMIs of how much, and what they come to', async () => {
    const mobile = newNumber();
    const { emi, ...sale } = whole(mobile);
    const { customer_id } = await register({
      ...sale,
      draft: true,
      emi: { ...emi, cash_price: 16_000_00, down_payment: 2_000_00 },
    });
    await send(customer_id);
    expect(await said(mobile)).toMatchObject(SUMS);
  });

  it('says them of an agreement that runs, too', async () => {
    const mobile = newNumber();
    const { customer_id } = await register(whole(mobile));
    await send(customer_id);
    expect(await said(mobile)).toMatchObject(SUMS);
  });

  it('is not sent while the form says no phone or no terms, and the refusal names which', async () => {
    const { device, emi, ...sale } = whole(newNumber());
    const { customer_id } = await register({ ...sale, draft: true });
    const lacks = async (paths: string[]) =>
      expect(send(customer_id)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        options: { fields: paths.map((path) => ({ path, key: 'field.required' })) },
      });
    await lacks(['device', 'emi']);
    await register({ ...sale, customer_id, device, draft: true });
    await lacks(['emi']);
    await register({ ...sale, customer_id, device, emi, draft: true });
    await send(customer_id);
  });

  it('is good for what it said: a form that was changed on its way needs another code', async () => {
    const mobile = newNumber();
    const customer_id = await draft(mobile);
    await send(customer_id);
    const otp = await told(mobile);
    const { emi, ...sale } = whole(mobile);
    await register({ ...sale, customer_id, draft: true, emi: { ...emi, tenure: 24 } });
    const outcome = await collect(customer_id, otp);
    expect(outcome instanceof KistError && outcome.code).toBe('OTP_INVALID');
    await register({ ...sale, customer_id, draft: true, emi });
    expect(await collect(customer_id, otp)).toMatchObject({ missing: ['signature'] });
  });

  it('is good for the agreement where the sale of that very deal is finished before it is told, and for no other deal', async () => {
    const finished = async (change: object) => {
      const mobile = newNumber();
      const customer_id = await draft(mobile);
      await send(customer_id);
      const otp = await told(mobile);
      await sign(customer_id);
      const { emi, ...sale } = whole(mobile);
      await register({ ...sale, customer_id, emi: { ...emi, ...change } });
      return collect(customer_id, otp);
    };
    expect(await finished({})).toMatchObject({ missing: [] });
    expect(await finished({ tenure: 24 })).toMatchObject({ code: 'OTP_INVALID' });
  });
});
