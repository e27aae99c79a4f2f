import { describe, expect, it } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { localForm, newerForm, serverForm } from './draft.ts';
import { EMPTY } from './fields.ts';

const CUSTOMER = '0199aaaa-0000-7000-8000-000000000001';
const profile = (draft: unknown) =>
  ({ customer: { customer_id: CUSTOMER, plan_id: 1 }, draft }) as unknown as CustomerProfile;

describe('the form that the server keeps', () => {
  it('comes back as it was typed, valid or not', () => {
    const form = serverForm(
      profile({
        plan_id: 1,
        draft_state: { step: 'device', typed: { 'device.imei1': '35', saved_at: '2026-11-20T10:00:00.000Z' } },
      }),
    );
    expect(form).toMatchObject({ step: 'device', customerId: CUSTOMER, savedAt: '2026-11-20T10:00:00.000Z' });
    expect(form.values).toMatchObject({ plan_id: '1', 'device.imei1': '35', 'emi.method': 'FLAT' });
  });
  it('without the state of a form is read from its parts', () => {
    const { values, step } = serverForm(
      profile({
        customer: { first_name: 'Savita', mobile: '+919812345678', address: { city: 'Nashik' } },
        emi: { method: 'REDUCING', rate_bps: 1835, cash_price: 1_400_000, tenure: 12 },
      }),
    );
    expect(step).toBe('plan');
    expect(values).toMatchObject({
      'customer.first_name': 'Savita',
      'customer.mobile': '9812345678',
      'customer.address.city': 'Nashik',
      'emi.rate_bps': '18.35',
      'emi.cash_price': '1400000',
      'emi.tenure': '12',
    });
  });
  it('survives nonsense', () => {
    for (const draft of [null, 7, 'x', { draft_state: { typed: 3, step: 'nowhere' }, customer: [1] }])
      expect(serverForm(profile(draft)).values).toEqual({ ...EMPTY, plan_id: '1' });
  });
});

describe('of two copies', () => {
  const local = (savedAt: string) =>
    localForm({ value: { step: 'emi', values: { 'emi.tenure': '9' }, customerId: CUSTOMER }, savedAt });
  const server = (savedAt?: string) => ({ ...serverForm(profile({})), savedAt });
  it('the one that was typed last is gone on with', () => {
    expect(newerForm(local('2026-11-20T10:05:00.000Z'), server('2026-11-20T10:00:00.000Z')).step).toBe('emi');
    expect(newerForm(local('2026-11-20T09:55:00.000Z'), server('2026-11-20T10:00:00.000Z')).step).toBe('plan');
  });
  it('this phone’s own stands against one of unknown age, and the server’s against none', () => {
    expect(newerForm(local('2026-11-20T10:05:00.000Z'), server()).step).toBe('emi');
    expect(newerForm(undefined, server()).step).toBe('plan');
  });
  it('the signature stays, which only this phone has', () => {
    const signed = { deal: 'of one phone', strokes: [], width: 320, height: 160 };
    const own = localForm({ value: { step: 'consent', values: {}, signed }, savedAt: '2026-11-20T09:55:00.000Z' });
    expect(newerForm(own, server('2026-11-20T10:00:00.000Z')).signed).toBe(signed);
  });
  it('neither brings back a PAN or a tick', () => {
    const form = localForm({
      value: { step: 'consent', values: { 'customer.pan': 'ABCDE1234F', 'consent.accepted': '1' } },
      savedAt: '2026-11-20T10:05:00.000Z',
    });
    expect(form.values['customer.pan']).toBe('');
    expect(form.values['consent.accepted']).toBe('');
  });
});
