import { expect, test } from 'vitest';
import { createSession, lastOtp } from '#test/http.ts';
import { ORG, useWholeShops } from '#test/whole-shop.ts';

const world = useWholeShops();

/** What pasting and mischief bring: line ends, a bidi override with its isolate, a zero-width space, a byte order mark, a soft hyphen. */
const DIRT = '\r\n\u202E\u2066\u200B\uFEFF\u00AD\t';
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('a customer’s name, address and phone are kept as what can be seen of them, in a draft and in an agreement', async () => {
  const { token } = world.own;
  const customer = {
    first_name: `Asha${DIRT}Devi`,
    last_name: 'e\u0301clair',
    mobile: '9812300001',
    address: { line1: `12${DIRT}MG Road`, city: `${DIRT}Pune`, state: '', pincode: '411001' },
  };
  const draft = await world.http.call('registerCustomer', {
    token,
    body: {
      draft: true,
      plan_id: 1,
      customer,
      draft_state: { step: 'device', typed: { 'device.brand': `Red${DIRT}mi` } },
    },
  });
  const { data, text } = await world.http.call('getCustomerProfile', {
    token,
    query: { customer_id: draft.data.customer_id },
  });
  expect(data.customer).toMatchObject({
    first_name: 'Asha Devi',
    last_name: '\u00E9clair',
    address: { line1: '12 MG Road', city: 'Pune' },
  });
  expect(JSON.stringify(data.draft)).toContain('Red mi');
  expect(text).not.toMatch(UNSEEN);
  const found = await world.http.call('listCustomers', { token, query: { search: `asha${DIRT}devi` } });
  expect(found.data.list.map((row) => row.customer_id)).toContain(draft.data.customer_id);
});

test.each(['\u0007', '\uE000', '\u0378', '\u001B[31m'])(
  '%j is refused in a name, a note and a reference, by field',
  async (char) => {
    const { token, ids } = world.own;
    const named = await world.http.call('registerCustomer', {
      token,
      body: { draft: true, plan_id: 1, customer: { first_name: `A${char}`, mobile: '9812300002' } },
    });
    expect([named.code, named.errors?.map(({ path, code }) => [path, code])]).toEqual([
      'INVALID_INPUT',
      [['customer.first_name', 'field.characters']],
    ]);
    const noted = await world.http.call('reversePayment', {
      token,
      body: { payment_id: ids.payment_id, reason: `Mistake${char}` },
    });
    expect([noted.code, noted.errors?.[0]?.path]).toEqual(['INVALID_INPUT', 'reason']);
    const paid = await world.http.call('updateEmiStatus', {
      token,
      body: { instalment_id: ids.instalment_id, amount: 1, method: 'UPI', reference: `UTR${char}` },
    });
    expect([paid.code, paid.errors?.[0]?.path]).toEqual(['INVALID_INPUT', 'reference']);
  },
);

test('a shop’s name that came another way brings no line into a receipt, an SMS or its UPI link', async () => {
  const { token, ids, actor } = world.own;
  await world.db.asOwner('update users set shop_name = $2 where user_id = $1', [
    actor.userId,
    'Sunita\r\nBcc: 9800000000\u202E\u2028 Mobile',
  ]);
  const paid = await world.http.call('updateEmiStatus', {
    token,
    body: { instalment_id: ids.instalment_id, amount: 100, method: 'UPI' },
  });
  expect(paid.data.share_text).toMatch(/^Sunita Bcc: 9800000000 Mobile: /);
  expect(paid.data.share_text).not.toMatch(UNSEEN);
  const sent = await world.db.asOwner<{ body: string }>(
    'select body from notices where org_id = $1 and body is not null',
    [ORG],
  );
  expect(sent.length).toBeGreaterThan(0);
  for (const { body } of sent) expect(body).not.toMatch(UNSEEN);
});

test('what a browser calls itself is one short line in the list of sessions', async () => {
  const { actor } = world.own;
  const token = await createSession(world.db, { orgId: ORG, userId: actor.userId, mobile: '' });
  const mobile = '+919811100099';
  await world.db.asOwner('update users set mobile = $2 where user_id = $1', [actor.userId, mobile]);
  await world.http.call('loginWithOtp', { body: { mobile } });
  const otp = await lastOtp(world.db, ORG, mobile);
  const headers = {
    'x-device-details': `Pixel\u00AD\u0085${'9'.repeat(500)}`,
    'x-browser-name': 'Chrome\u0001\u009F',
    'x-browser-version': '130',
  };
  const granted = await world.http.call('verifyOtpAuth', {
    headers,
    body: { mobile, otp, purpose: 'LOGIN' },
  });
  expect(granted.status).toBe(200);
  const { data } = await world.http.call('mySessions', { token });
  const fresh = data.find(({ device }) => device.startsWith('Pixel'));
  expect(fresh?.device.length).toBe(120);
  expect(fresh?.browser).toBe('Chrome 130');
  expect(JSON.stringify(data)).not.toMatch(UNSEEN);
});
