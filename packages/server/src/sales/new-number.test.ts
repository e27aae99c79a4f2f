import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KistError } from '@kist/contract/errors';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import * as identities from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import type { Tx } from '#server/platform/database.ts';
import type { TestDatabase } from '#test/database.ts';
import { createUser } from '#test/http.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { testSealer } from '#test/sealer.ts';
import { createServices } from '#test/services.ts';
import { usedCode } from '#test/whole-consent.ts';
import * as sales from './sales.ts';

/** A shop that writes a number of its own down for a customer does not speak for them by it. */
let world: LockWorld;
let db: TestDatabase;
let numbers = 40_000;
beforeAll(async () => {
  world = await createLockWorld();
  const services = createServices(world.db);
  const { ports } = services.db;
  db = services.db.with({
    ...ports,
    identity: { ...ports.identity, sealer: testSealer, canSendCodes: () => true },
  }) as TestDatabase;
  return () => services.waker.close();
});
afterAll(() => world.close());
beforeEach(() => world.at('2026-02-11T12:00:00'));

/** The clock goes on while a test runs. */
const at = (minute: string) => expect.stringMatching(new RegExp(`^${minute}:[0-5]`)) as string;
const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const newNumber = () => `+9198762${String((numbers += 1)).padStart(5, '0')}`;
const numberOf = async ({ customerId }: Sale) =>
  (await db.asOwner<{ mobile: string }>('select mobile from customers where customer_id = $1', [customerId]))[0]!
    .mobile;
/** To somebody whose number nobody else has, and who told a code from it. */
const sell = async (given: Parameters<LockWorld['sell']>[0] = {}) => {
  const sale = await world.sell(given);
  const mobile = newNumber();
  await db.plant(['customers'], 'update customers set mobile = $2 where customer_id = $1', [sale.customerId, mobile]);
  await db.plant(['consent_confirmations'], 'update consent_confirmations set mobile = $2 where customer_id = $1', [
    sale.customerId,
    mobile,
  ]);
  return sale;
};
const told = { numberChanges: () => Promise.resolve() };
const change = ({ customerId: customer_id }: Sale, mobile: string, otp?: string) =>
  inOrg((tx) => sales.changeDetails(tx, told, world.shop, { customer_id, mobile, otp }));
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    (outcome) => (outcome instanceof KistError ? outcome.code : 'accepted'),
    (error: KistError) => error.code,
  );
const codeTo = async (mobile: string) => {
  await world.deliver();
  return world.texts.findLast(({ to }) => to === mobile)!.body.slice(0, 6);
};
const PURPOSES = ['CONSENT', 'TERMS', 'NUMBER', 'THEFT_REPORT', 'THEFT_LIFT'] as const;
const codeOf = async (sale: Sale, purpose: (typeof PURPOSES)[number]) => ({
  customer_id: sale.customerId,
  mobile: await numberOf(sale),
  purpose,
  text_hash: purpose.startsWith('THEFT') ? null : Buffer.alloc(32, 1),
});
const send = async (sale: Sale, purpose: (typeof PURPOSES)[number]) => {
  const code = await codeOf(sale, purpose);
  const words = { amount: '1', until_on: '1', outstanding: '1', ending: '1' };
  return inOrg((tx) => identities.sendCustomerCode(tx, world.shop, { ...code, language: 'en', words }));
};
const present = async (sale: Sale, purpose: (typeof PURPOSES)[number], otp: string) => {
  const code = await codeOf(sale, purpose);
  return inOrg((tx) => identities.presentCustomerCode(tx, world.shop, code, otp));
};
const stands = (sale: Sale, purpose: (typeof PURPOSES)[number]) =>
  inOrg(async (tx) => {
    const about = purpose.startsWith('THEFT') ? null : Buffer.alloc(32, 1);
    const of = { customerId: sale.customerId, purpose, about };
    const code = await usedCode(tx, db, of);
    const { rows } = await tx.query<{ counts: boolean }>(
      'select kist_code_is_used_now(kist_org(), $1, $2, $3, $4) as counts',
      [code, sale.customerId, purpose, about],
    );
    return rows[0]!.counts;
  });

describe.each(PURPOSES)('a code for %s', (purpose) => {
  it('is neither sent to a number that a shop changed, nor counted, nor taken by the database, until a day has passed', async () => {
    const sale = await sell();
    expect(await stands(sale, purpose)).toBe(true);
    expect(await change(sale, newNumber())).toMatchObject({ number_speaks_at: at('2026-02-12T06:30') });
    await world.at('2026-02-12T11:00:00');
    const refused = await send(sale, purpose).then(
      () => undefined,
      (error: KistError) => ({ code: error.code, ...error.options }),
    );
    expect(refused).toMatchObject({ code: 'NUMBER_IS_NEW', details: { speaks_at: at('2026-02-12T06:30') } });
    expect(refused!.retryAfterS).toBeGreaterThan(3600 - 120);
    expect(refused!.retryAfterS).toBeLessThanOrEqual(3600 + 60);
    expect(await refusal(present(sale, purpose, '123456'))).toBe('NUMBER_IS_NEW');
    expect(await stands(sale, purpose)).toBe(false);
    await world.at('2026-02-12T12:01:00');
    await send(sale, purpose);
    expect(await present(sale, purpose, await codeTo(await numberOf(sale)))).toMatchObject({ verdict: 'accepted' });
    expect(await stands(sale, purpose)).toBe(true);
  });
});

it('every door at the counter says so: consent, new EMIs, theft, and the next number', async () => {
  const sale = await sell();
  const { customerId: customer_id } = sale;
  // Back to one that told a code once, after the other one spoke.
  const own = await numberOf(sale);
  await change(sale, newNumber());
  await world.at('2026-02-12T12:01:00');
  await change(sale, own);
  const clause = { customer_id, text_version: '2', language: 'en' } as const;
  const edit = { customer_id, tenure: 3 };
  const doors = [
    inOrg((tx) => sales.sendConsentCode(tx, world.shop, clause)),
    inOrg((tx) => sales.collectConsent(tx, world.shop, { ...clause, otp: '123456' }, () => Promise.resolve())),
    inOrg((tx) => sales.sendEditCode(tx, world.shop, edit)),
    inOrg((tx) => sales.edit(tx, world, world.shop, { ...edit, reason: 'asked for it', otp: '123456' })),
    inOrg((tx) => locking.sendTheftCode(tx, world.shop, { customerId: customer_id, purpose: 'THEFT_REPORT' })),
    inOrg((tx) =>
      world.locking.reportTheft(tx, world.shop, { customerId: customer_id, otp: '123456', note: 'at the market' }),
    ),
    inOrg((tx) => sales.sendNumberCode(tx, world.shop, { customer_id, mobile: newNumber() })),
    change(sale, newNumber(), '123456'),
  ];
  expect(await Promise.all(doors.map(refusal))).toEqual(doors.map(() => 'NUMBER_IS_NEW'));
});

it('a code from the old number lets the new one speak at once, and is kept with the change', async () => {
  const sale = await sell();
  const [own, next, another] = [await numberOf(sale), newNumber(), newNumber()];
  await inOrg((tx) => sales.sendNumberCode(tx, world.shop, { customer_id: sale.customerId, mobile: next }));
  const otp = await codeTo(own);
  // To this number and no other, and a wrong one changes nothing.
  expect(await refusal(change(sale, another, otp))).toBe('OTP_INVALID');
  expect(await refusal(change(sale, next, otp === '111111' ? '222222' : '111111'))).toBe('OTP_INVALID');
  expect(await numberOf(sale)).toBe(own);
  expect(await change(sale, next, otp)).toMatchObject({ changed: ['mobile'], number_speaks_at: null });
  const kept = await db.asOwner(
    `select n.otp_id = (l.data ->> 'otp_id')::uuid as is_same from number_changes n
     join audit_lines l on l.subject_id = n.customer_id::text and l.action = 'customer_changed' and l.data ? 'otp_id' where n.customer_id = $1`,
    [sale.customerId],
  );
  expect(kept).toEqual([{ is_same: true }]);
  await send(sale, 'THEFT_REPORT');
});

it('a number that waits agrees to no other, and the wait is the later one', async () => {
  const sale = await sell();
  await change(sale, newNumber());
  await world.at('2026-02-12T11:00:00');
  expect(await change(sale, newNumber())).toMatchObject({ number_speaks_at: at('2026-02-13T05:30') });
});

describe('a number that comes back', () => {
  it('before the other one ever spoke waits for nothing, however often', async () => {
    const sale = await sell();
    const own = await numberOf(sale);
    expect(await change(sale, newNumber())).toMatchObject({ number_speaks_at: at('2026-02-12T06:30') });
    expect(await change(sale, own)).toMatchObject({ number_speaks_at: null });
    await send(sale, 'THEFT_LIFT');
    expect(await present(sale, 'THEFT_LIFT', await codeTo(own))).toMatchObject({ verdict: 'accepted' });
    // By a third one too, and whoever wrote what went in between.
    await change(sale, newNumber());
    await inOrg((tx) =>
      tx.query('update customers set mobile = $2 where org_id = $1 and customer_id = $3', [
        ORG,
        newNumber(),
        sale.customerId,
      ]),
    );
    await inOrg((tx) =>
      tx.query('update customers set mobile = $2 where org_id = $1 and customer_id = $3', [ORG, own, sale.customerId]),
    );
    expect(await stands(sale, 'THEFT_REPORT')).toBe(true);
    // The other one waits as before when it comes again.
    await world.at('2026-02-12T12:01:00');
    expect(await change(sale, newNumber())).toMatchObject({ number_speaks_at: at('2026-02-13T06:31') });
    expect(await refusal(send(sale, 'THEFT_REPORT'))).toBe('NUMBER_IS_NEW');
  });

  it('after the other one spoke waits like any: by its day, or by a code', async () => {
    const sale = await sell();
    const own = await numberOf(sale);
    await change(sale, newNumber());
    await world.at('2026-02-12T12:01:00');
    await send(sale, 'THEFT_REPORT');
    expect(await change(sale, own)).toMatchObject({ number_speaks_at: at('2026-02-13T06:31') });
    expect(await stands(sale, 'THEFT_REPORT')).toBe(false);
    await world.at('2026-02-11T12:00:00');
    const agreed = await sell();
    const [first, next] = [await numberOf(agreed), newNumber()];
    await inOrg((tx) => sales.sendNumberCode(tx, world.shop, { customer_id: agreed.customerId, mobile: next }));
    expect(await change(agreed, next, await codeTo(first))).toMatchObject({ number_speaks_at: null });
    expect(await change(agreed, first)).toMatchObject({ number_speaks_at: at('2026-02-12T06:30') });
  });

  it('signs in again, and the other one does not', async () => {
    const sale = await sell();
    const { customerId: customer_id } = sale;
    const own = await numberOf(sale);
    const names = { first_name: 'Asha', last_name: 'Patil', language: 'en' } as const;
    await inOrg((tx) => identities.giveCustomerLogin(tx, world.shop, { customer_id, mobile: own, ...names }));
    const user = await inOrg((tx) => identities.loginOfCustomer(tx, customer_id));
    expect(user).toBeDefined();
    await change(sale, newNumber());
    expect(await inOrg((tx) => identities.loginOfCustomer(tx, customer_id))).toBeUndefined();
    await change(sale, own);
    expect(await inOrg((tx) => identities.loginOfCustomer(tx, customer_id))).toBe(user);
    expect(await db.asOwner('select is_active from users where user_id = $1', [user])).toEqual([{ is_active: true }]);
  });
});

it('no row comes but from its change, and one to come that stands from before holds nothing up', async () => {
  const sale = await sell();
  const planted = (when: string) =>
    `insert into number_changes (org_id, customer_id, changed_at) values ($1, $2, ${when})`;
  const alone = planted('kist_now()');
  const values = [ORG, sale.customerId];
  await expect(inOrg((tx) => tx.query(alone, values))).rejects.toThrow('it comes from its customer');
  await expect(db.asOwner(alone, values)).rejects.toThrow('it comes from its customer');
  await db.plant(['number_changes'], planted(`'2100-01-01'`), values);
  await send(sale, 'THEFT_REPORT');
});

it('three changes a day go without a code, two at once among them; a code from the old number lets more', async () => {
  for (const sale of [await sell(), await sell({ consentLacks: 'code' })]) {
    const own = await numberOf(sale);
    await change(sale, newNumber());
    await change(sale, own);
    const both = await Promise.all([refusal(change(sale, newNumber())), refusal(change(sale, newNumber()))]);
    expect(both.toSorted()).toEqual(['NUMBER_CHANGED_OFTEN', 'accepted']);
    await world.at('2026-02-12T12:01:00');
    expect(await refusal(change(sale, own))).toBe('accepted');
    await world.at('2026-02-11T12:00:00');
  }
  const sale = await sell();
  const [own, next] = [await numberOf(sale), newNumber()];
  for (const mobile of [newNumber(), own, newNumber()]) await change(sale, mobile);
  expect(await refusal(change(sale, newNumber()))).toBe('NUMBER_CHANGED_OFTEN');
  // What was the customer's all the time is never kept from coming back, and changes nothing of the count.
  expect(await change(sale, own)).toMatchObject({ number_speaks_at: null });
  expect(await refusal(change(sale, newNumber()))).toBe('NUMBER_CHANGED_OFTEN');
  await inOrg((tx) => sales.sendNumberCode(tx, world.shop, { customer_id: sale.customerId, mobile: next }));
  expect(await refusal(change(sale, next, await codeTo(own)))).toBe('accepted');
});

it('a slip of the finger in a sale to which nobody agreed yet is put right at once', async () => {
  const sale = await sell({ consentLacks: 'code' });
  expect(await change(sale, newNumber())).toMatchObject({ number_speaks_at: null });
  await send(sale, 'CONSENT');
  // Signed alone, where the dealer's own policy does without the code, is agreed.
  const policy = { ...POLICY_PRESETS.dealer, consentCodeRequired: false };
  const signed = await sell({ consentLacks: 'code', policy });
  await change(signed, newNumber());
  expect(await refusal(send(signed, 'CONSENT'))).toBe('NUMBER_IS_NEW');
});

it('the number of somebody of a shop neither comes nor agrees', async () => {
  const sale = await sell();
  await db.asOwner('update users set number_proved_at = now() where user_id = $1', [world.shop.userId]);
  const [{ mobile } = { mobile: '' }] = await db.asOwner<{ mobile: string }>(
    'select mobile from users where user_id = $1',
    [world.shop.userId],
  );
  const ask = () => inOrg((tx) => sales.sendNumberCode(tx, world.shop, { customer_id: sale.customerId, mobile }));
  expect(await refusal(ask())).toBe('STAFF_NUMBER');
});

it('a number that became somebody’s of a shop after its code went out agrees to nothing any more', async () => {
  const sale = await sell();
  const [own, next] = [await numberOf(sale), newNumber()];
  const send = () =>
    inOrg((tx) => sales.sendNumberCode(tx, world.shop, { customer_id: sale.customerId, mobile: next }));
  await send();
  const otp = await codeTo(own);
  await createUser(db, { orgId: ORG, userType: 'miniretailer', parentUserId: world.shop.userId, mobile: own });
  await db.asOwner('update users set number_proved_at = now() where mobile = $1', [own]);
  expect(await refusal(change(sale, next, otp))).toBe('STAFF_NUMBER');
  expect(await refusal(send())).toBe('STAFF_NUMBER');
  expect(await numberOf(sale)).toBe(own);
});
