import { beforeAll, describe, expect, it } from 'vitest';
import { KistError } from '@kist/contract/errors';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { setPolicy } from '#server/locking/policies.ts';
import { createConsentWorld } from '#test/consent-world.ts';

const world = await createConsentWorld();
const { db, shop, newImei, newNumber, whole, register, finance, draft, send, said, collect, told, sign, consentsOf } =
  world;

describe('signature and code of a sale', () => {
  it.each([
    ['dearer', { emi: { cash_price: 98_000_00, tenure: 36 } }],
    ['longer', { emi: { tenure: 13 } }],
    ['delivered on another day', { emi: { delivered_on: '2026-04-09' } }],
    ['of another phone', { device: { imei1: newImei() } }],
    ['of another model', { device: { model: '14C' } }],
  ])(
    'are worth nothing for a sale that is %s than what they were given for, now or later',
    async (_how, other: Partial<Record<'emi' | 'device', object>>) => {
      const mobile = newNumber();
      const customer_id = await draft(mobile);
      await sign(customer_id);
      await send(customer_id);
      expect(await collect(customer_id, await told(mobile))).toMatchObject({ missing: [] });
      const { emi, device, ...sale } = whole(mobile);
      const changed = { ...sale, customer_id, emi: { ...emi, ...other.emi }, device: { ...device, ...other.device } };
      await register({ ...changed, draft: true });
      expect(await collect(customer_id), 'the form is another').toMatchObject({ missing: ['signature', 'code'] });
      await register(changed);
      expect(await consentsOf(customer_id)).toEqual([{ signed: false, confirmed: false }]);
      expect(await collect(customer_id)).toMatchObject({ missing: ['signature', 'code'] });
    },
  );

  it('count for the deal that they were given for, however often the form was another meanwhile', async () => {
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

describe('a signature where no code is asked', () => {
  const set = (change: object) => {
    const { version: _, ...preset } = POLICY_PRESETS.dealer;
    return db.transaction(20, (tx) => setPolicy(tx, shop, { ...preset, ...change }));
  };
  beforeAll(async () => {
    await set({ consentCodeRequired: false });
    return () => set({});
  });

  it('counts for the sale that it was given for, and for no dearer one', async () => {
    const sold = async (change: object) => {
      const mobile = newNumber();
      const customer_id = await draft(mobile);
      await sign(customer_id);
      const { emi, ...sale } = whole(mobile);
      await register({ ...sale, customer_id, emi: { ...emi, ...change } });
      return { customer_id, consents: await consentsOf(customer_id) };
    };
    expect((await sold({})).consents).toEqual([{ signed: true, confirmed: false }]);
    const { customer_id, consents } = await sold({ tenure: 24 });
    expect(consents).toEqual([{ signed: false, confirmed: false }]);
    expect(await collect(customer_id)).toMatchObject({ missing: ['signature'] });
    await sign(customer_id);
    expect(await collect(customer_id)).toMatchObject({ missing: [] });
  });

  it('under a form that said no phone or no terms yet counts for nothing', async () => {
    const { emi: _, ...sale } = whole(newNumber());
    const { customer_id } = await register({ ...sale, draft: true });
    await sign(customer_id);
    await register({ ...whole(newNumber()), customer_id });
    expect(await consentsOf(customer_id)).toEqual([{ signed: false, confirmed: false }]);
    expect(await collect(customer_id)).toMatchObject({ missing: ['signature'] });
  });

  it('that was kept before it said for what counts for no sale to come, and stays where it was agreed to', async () => {
    const forget = (customer_id: string) =>
      db.plant(['documents'], 'update documents set deal_hash = null where customer_id = $1', [customer_id]);
    const [begun, done] = [newNumber(), newNumber()];
    const customer_id = await draft(begun);
    const sold = await draft(done);
    for (const id of [customer_id, sold]) await sign(id);
    await register({ ...whole(done), customer_id: sold });
    for (const id of [customer_id, sold]) await forget(id);
    expect(await collect(customer_id)).toMatchObject({ missing: ['signature'] });
    expect(await collect(sold)).toMatchObject({ missing: [] });
    expect(await consentsOf(sold)).toEqual([{ signed: true, confirmed: false }]);
  });
});

describe('a loan that a financer makes', () => {
  beforeAll(async () => {
    await db.asOwner(
      `insert into financers (org_id, financer_id, name, is_regulated, set_at) values (20, 3, 'Gramin', false, now()), (20, 4, 'Shahar', false, now())`,
    );
  });
  let loans = 0;
  const loanOf = (financer_id: number) => ({
    financer_id,
    loan_account_no: `GF-${(loans += 1)}`,
    sanctioned_amount: 14_000_00,
    sanctioned_on: '2026-04-09',
  });
  /** Signed and told while the form named this lender, or none. */
  async function agreed(financer_id?: number) {
    const mobile = newNumber();
    const form = { ...whole(mobile), ...(financer_id !== undefined && { financer_id }) };
    const { customer_id } = await register({ ...form, draft: true });
    await sign(customer_id);
    await send(customer_id);
    expect(await collect(customer_id, await told(mobile))).toMatchObject({ missing: [] });
    return { ...whole(mobile), customer_id };
  }

  it('is what signature and code were given for, and so is the sale without one', async () => {
    const lent = await agreed(3);
    await finance({ ...lent, loan: loanOf(3) });
    const own = await agreed();
    await register(own);
    for (const { customer_id } of [lent, own])
      expect(await consentsOf(customer_id)).toEqual([{ signed: true, confirmed: true }]);
  });

  it('of another lender finds neither, nor where none was named, nor the sale without a loan', async () => {
    const [other, unnamed, own] = [await agreed(3), await agreed(), await agreed(3)];
    await finance({ ...other, loan: loanOf(4) });
    await finance({ ...unnamed, loan: loanOf(3) });
    await register(own);
    for (const { customer_id } of [other, unnamed, own]) {
      expect(await consentsOf(customer_id)).toEqual([{ signed: false, confirmed: false }]);
      expect(await collect(customer_id)).toMatchObject({ missing: ['signature', 'code'] });
    }
  });

  it('is not signed by the call that takes no loan', async () => {
    await expect(register({ ...whole(newNumber()), financer_id: 3 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      options: { fields: [{ path: 'financer_id', key: 'field.choice' }] },
    });
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

  it('says so of none whose time is over', async () => {
    const customer_id = await draft(newNumber());
    await send(customer_id);
    await db.asOwner(`update otps set expires_at = now() - interval '1 second' where customer_id = $1`, [customer_id]);
    expect(await tooSoon(customer_id)).toEqual({ code: 'OTP_TOO_SOON', is_same: false });
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
