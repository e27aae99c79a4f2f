import { beforeAll, describe, expect, it } from 'vitest';
import type { CallName } from '@kist/contract/paths';
import { newId } from '#server/platform/ids.ts';
import { type CallInput, createSession } from '#test/http.ts';
import { sendForm, useWholeShops } from '#test/whole-shop.ts';

/** What each call of customers, their phones' codes, their documents and the shop's keys answers: done, not understood, not allowed, not there, not now. */
const world = useWholeShops();
/** A shop whose user may neither read nor sell. */
let powerless: string;

beforeAll(async () => {
  const { orgId, userId } = world.sibling.actor;
  await world.db.asOwner(
    `update users set user_access = user_access || '{"active_deactive": "0"}', lock_access = lock_access || '{"read": "0"}' where user_id = $1`,
    [userId],
  );
  powerless = await createSession(world.db, { orgId, userId, mobile: '' });
});

const call = async <N extends CallName>(name: N, input: CallInput<N>) => {
  const reply = await world.http.call(name, { token: world.own.token, ...input });
  return reply.status === 200 ? { status: 200, data: reply.data } : { status: reply.status, code: reply.code };
};
const own = () => ({ customer_id: world.own.ids.customer_id });
const foreign = () => ({ customer_id: world.foreign.ids.customer_id });
const siblings = () => ({ customer_id: world.sibling.ids.customer_id });
const refused = { status: 403, code: 'FEATURE_NOT_ALLOWED' };
const unknown = { status: 404, code: 'NOT_FOUND' };

describe.each([
  ['getCustomerProfile', { customer: { customer_id: expect.any(String) } }],
  [
    'getCustomerQrCode',
    { offers_code: true, is_enrolled: false, status: 0, qr: expect.stringContaining('kist.token') },
  ],
  ['generateEmmCode', { is_enrolled: false, qr: expect.stringContaining('kist.token') }],
  ['getCustomerDocuments', [{ document_type: 'signature', url: expect.stringMatching(/^\/files\//) }]],
] as const)('%s', (name, done) => {
  it('answers the shop whose customer it is', async () => {
    expect(await call(name, { query: own() })).toMatchObject({ status: 200, data: done });
  });
  it('refuses what names no customer', async () => {
    expect(await call(name, { query: {} as never })).toMatchObject({ status: 400 });
  });
  it('refuses a user without the word for it', async () => {
    expect(await call(name, { token: powerless, query: siblings() })).toEqual(refused);
  });
  it('finds nobody of another shop, another organisation, or nowhere', async () => {
    for (const query of [siblings(), foreign(), { customer_id: newId() }])
      expect(await call(name, { query })).toEqual(unknown);
  });
});

describe('getDocument', () => {
  it('links to the picture for the shop whose customer it is', async () => {
    const query = { document_id: world.own.ids.document_id };
    expect(await call('getDocument', { query })).toMatchObject({
      status: 200,
      data: { mime: 'image/png', url: expect.stringMatching(/^\/files\//) },
    });
  });
  it('refuses, and finds none of others', async () => {
    expect(await call('getDocument', { query: {} as never })).toMatchObject({ status: 400 });
    const theirs = { document_id: world.sibling.ids.document_id };
    expect(await call('getDocument', { token: powerless, query: theirs })).toEqual(refused);
    for (const query of [theirs, { document_id: world.foreign.ids.document_id }])
      expect(await call('getDocument', { query })).toEqual(unknown);
  });
});

describe.each(['uploadSignature', 'uploadCustomerPhoto', 'uploadInvoice'] as const)('%s', (name) => {
  const send = async (token: string, fields: Record<string, string>) => {
    const reply = await sendForm(world.http, name, token, fields);
    const { code } = JSON.parse(reply.payload) as { code?: string };
    return { status: reply.statusCode, ...(code === undefined ? {} : { code }) };
  };
  it('keeps a picture of the shop’s own customer', async () => {
    expect(await send(world.own.token, own())).toEqual({ status: 200 });
  });
  it('refuses what names no customer, and a user who may not sell; finds none of others', async () => {
    expect(await send(world.own.token, {})).toMatchObject({ status: 400 });
    expect(await send(powerless, siblings())).toEqual(refused);
    for (const fields of [siblings(), foreign()]) expect(await send(world.own.token, fields)).toEqual(unknown);
  });
});

describe('registerCustomer', () => {
  const draft = { draft: true, plan_id: 1 };
  it('begins a draft and goes on with it', async () => {
    const begun = await world.http.call('registerCustomer', { token: world.own.token, body: draft });
    const { customer_id } = begun.data;
    const body = { ...draft, customer_id, customer: { first_name: 'Asha', mobile: '9812300001' } };
    expect(await call('registerCustomer', { body })).toMatchObject({
      status: 200,
      data: { customer_id, is_draft: true },
    });
  });
  it('takes a product for the plan that it is', async () => {
    const { data } = await world.http.call('registerCustomer', {
      token: world.own.token,
      body: { draft: true, product_id: 2 } as never,
    });
    const kept = await world.db.asOwner('select plan_id from customers where customer_id = $1', [data.customer_id]);
    expect(kept).toEqual([{ plan_id: 2 }]);
  });
  it('refuses what is half a sale, a user who may not sell, and the draft of another', async () => {
    expect(await call('registerCustomer', { body: { plan_id: 1 } })).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
    });
    expect(await call('registerCustomer', { token: powerless, body: draft })).toEqual(refused);
    for (const { draftId } of [world.sibling, world.foreign])
      expect(await call('registerCustomer', { body: { ...draft, customer_id: draftId } })).toEqual(unknown);
  });
  it('refuses a customer who is registered already', async () => {
    expect(await call('registerCustomer', { body: { ...draft, ...own() } })).toEqual({
      status: 409,
      code: 'STATE_CONFLICT',
    });
  });
});

describe('deleteDraft', () => {
  it('refuses what names nobody, a user who may not sell, the draft of another, and a sale', async () => {
    expect(await call('deleteDraft', { rawBody: {} })).toMatchObject({ status: 400 });
    expect(await call('deleteDraft', { token: powerless, body: { customer_id: world.sibling.draftId } })).toEqual(
      refused,
    );
    for (const { draftId } of [world.sibling, world.foreign])
      expect(await call('deleteDraft', { body: { customer_id: draftId } })).toEqual(unknown);
    expect(await call('deleteDraft', { body: own() })).toEqual({ status: 409, code: 'STATE_CONFLICT' });
  });
  it('deletes the shop’s own, once', async () => {
    const body = { customer_id: world.own.draftId };
    expect(await call('deleteDraft', { body })).toEqual({ status: 200, data: { keys_returned: 0 } });
    expect(await call('deleteDraft', { body })).toEqual(unknown);
  });
});

const termsOfLastSale = async (userId: string) => {
  const [last] = await world.db.asOwner(
    'select method, frequency, rate_bps, tenure, fee_paise::int, anchor_day from agreements where owner_user_id = $1 order by created_at desc limit 1',
    [userId],
  );
  return { ...last };
};

describe('listPlans and getKeys', () => {
  it('tell the shop its own keys, and a mini-retailer its own', async () => {
    for (const { token, actor, keys } of [
      { ...world.own, keys: 1006 },
      { ...world.mini, keys: 2006 },
    ]) {
      expect(await call('listPlans', { token })).toEqual({
        status: 200,
        data: [
          {
            plan_id: 1,
            plan_type: 0,
            name: 'EMI phone',
            app_type: null,
            provisioning_type: 0,
            keys_left: keys,
            is_emi: true,
            last_sold_at: expect.stringMatching(/Z$/),
            last_terms: await termsOfLastSale(actor.userId),
            presets: [],
          },
          expect.objectContaining({ plan_type: 1, provisioning_type: 2, keys_left: 0, last_sold_at: null }),
        ],
      });
      expect(await call('getKeys', { token })).toEqual({
        status: 200,
        data: [{ plan_type: 0, name: 'DPC', paid: keys, granted: 0, reserved: 1, price_paise: null }],
      });
    }
  });
  it('refuse a user who may neither read nor sell', async () => {
    for (const name of ['listPlans', 'getKeys'] as const)
      expect(await call(name, { token: powerless })).toEqual(refused);
  });
});

describe('getPhoneModel', () => {
  const modelOf = (imei: string, token = world.own.token) =>
    call('getPhoneModel', { token, query: { tac: imei.slice(0, 8) } });
  it('knows what phones of the organisation with such an IMEI were called, and nothing of another organisation’s', async () => {
    const [phone] = await world.db.asOwner<{ imei1: string; org_id: number }>(
      'select imei1, org_id from devices where customer_id = $1',
      [world.own.ids.customer_id],
    );
    const imei = `35391805${phone!.imei1.slice(8)}`;
    await world.db.asOwner(`update devices set imei1 = $2, brand = 'Redmi', model = '13C' where customer_id = $1`, [
      world.own.ids.customer_id,
      imei,
    ]);
    expect(await modelOf(imei)).toEqual({ status: 200, data: { brand: 'Redmi', model: '13C' } });
    const nothing = { status: 200, data: { brand: null, model: null } };
    expect(await modelOf('99999999')).toEqual(nothing);
    expect(await modelOf(imei, world.foreign.token)).toEqual(nothing);
    // What the operator's table says stands before what one sale registered, which may have mistyped it.
    await world.db.asOwner(
      `insert into phone_models (org_id, tac, brand, model, set_at)
       values ($1, '35391805', 'Table', 'T1', now()), ($1, '99999999', 'Table', 'T2', now())`,
      [phone!.org_id],
    );
    expect(await modelOf(imei)).toEqual({ status: 200, data: { brand: 'Table', model: 'T1' } });
    expect(await modelOf('99999999')).toEqual({ status: 200, data: { brand: 'Table', model: 'T2' } });
    expect(await modelOf('99999999', world.foreign.token)).toEqual(nothing);
  });
  it('is for those who sell', async () => {
    expect(await call('getPhoneModel', { token: powerless, query: { tac: '35391805' } })).toEqual(refused);
  });
});

describe('previewEmi', () => {
  const terms = { method: 'ZERO', rate_bps: 0, tenure: 4, frequency: 'MONTHLY', delivered_on: '2026-01-10' } as const;
  it('reckons without keeping anything, and refuses terms that no schedule has', async () => {
    expect(
      await call('previewEmi', { body: { ...terms, cash_price: 10_000_00, down_payment: 2_000_00 } }),
    ).toMatchObject({
      status: 200,
      data: { financed: 8_000_00, emi: 2_000_00, total_interest: 0 },
    });
    expect(await call('previewEmi', { body: { ...terms, cash_price: 1_00, down_payment: 2_00 } })).toMatchObject({
      status: 400,
    });
  });
});
