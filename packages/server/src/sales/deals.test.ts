import { describe, expect, it } from 'vitest';
import { createConsentWorld } from '#test/consent-world.ts';

const { newImei, newNumber, whole, register, draft, send, collect, told, sign, consentsOf } =
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
