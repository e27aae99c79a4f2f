import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ENDPOINTS } from '@kist/contract/endpoints';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { createSession, createUser, newMobile } from '#test/http.ts';
import { sessionProcess } from '#test/sessions.ts';
import { type Actor, SYSTEM } from './actor.ts';
import * as identity from './identity.ts';
import { approveSignup, refuseSignup, requestSignup, signups } from './signups.ts';

const db = await createTestDatabase();
const [ORG, OTHER] = [20, 21];
let shop: Actor;
let mini: Actor;
let sibling: Actor;
let siblingsMini: Actor;
let foreign: Actor;
let admin: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  await makeOrganisation(db, OTHER);
  shop = await makeRetailer(db, ORG);
  mini = await makeRetailer(db, ORG, shop);
  sibling = await makeRetailer(db, ORG);
  siblingsMini = await makeRetailer(db, ORG, sibling);
  foreign = await makeRetailer(db, OTHER);
  const { userId } = await createUser(db, { userType: 'admin' });
  admin = { ...shop, userType: 'admin', userId, visibleOwnerIds: [] };
});

type New = z.input<typeof ENDPOINTS.addUser.body>;
const person = (given: Partial<New> = {}) =>
  ENDPOINTS.addUser.body.parse({ mobile: newMobile(), first_name: 'Vikas', shop_name: 'Vikas', ...given });
const add = (actor: Actor, given: Partial<New> = {}) =>
  db.transaction(actor.orgId, (tx) => identity.addPerson(tx, actor, person(given)));
const change = (actor: Actor, body: object) =>
  db.transaction(actor.orgId, (tx) => identity.updatePerson(tx, actor, ENDPOINTS.updateUser.body.parse(body)));
const suspend = (actor: Actor, user_id: string) =>
  db.transaction(
    actor.orgId,
    async (tx) => (await identity.suspendPerson(tx, actor, { user_id, reason: 'closed' })).length,
  );
const activate = (actor: Actor, user_id: string) =>
  db.transaction(actor.orgId, async (tx) => (await identity.activatePerson(tx, actor, { user_id })).length);
const see = (actor: Actor, user_id: string) => db.read(actor.orgId, (tx) => identity.person(tx, actor, user_id));
const row = async (user_id: string) => (await db.asOwner('select * from users where user_id = $1', [user_id]))[0]!;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );

describe('who sees whom', () => {
  /** Written from the roles, apart from the rules. */
  const SEES: Record<string, readonly string[]> = {
    shop: ['shop', 'mini'],
    mini: ['mini'],
    sibling: ['sibling', 'siblingsMini'],
    siblingsMini: ['siblingsMini'],
    foreign: ['foreign'],
    admin: ['shop', 'mini', 'sibling', 'siblingsMini', 'admin'],
    system: ['shop', 'mini', 'sibling', 'siblingsMini'],
  };
  const all = (): Record<string, Actor> => ({ shop, mini, sibling, siblingsMini, foreign, admin, system: SYSTEM(ORG) });

  test.each(Object.keys(SEES))('%s sees exactly those of the table; everybody else is not there', async (name) => {
    const actors = all();
    const seen = [];
    for (const other of Object.keys(actors))
      if ((await code(see(actors[name]!, actors[other]!.userId))) === 'accepted') seen.push(other);
    expect(seen.toSorted()).toEqual(SEES[name]!.toSorted());
  });

  test('a customer who signs in is nobody’s shop, an admin neither', async () => {
    const customer = await createUser(db, { userType: 'customer' });
    for (const actor of [shop, admin, SYSTEM(ORG)]) expect(await code(see(actor, customer.userId))).toBe('NOT_FOUND');
    expect(await code(suspend(SYSTEM(ORG), admin.userId))).toBe('NOT_FOUND');
  });

  test('whom it does not run it neither changes, suspends nor lets in, and oneself not beyond one’s profile', async () => {
    for (const [actor, other, expected] of [
      [shop, sibling, 'NOT_FOUND'],
      [shop, siblingsMini, 'NOT_FOUND'],
      [shop, foreign, 'NOT_FOUND'],
      [mini, shop, 'NOT_FOUND'],
      [admin, foreign, 'NOT_FOUND'],
      [shop, shop, 'FORBIDDEN'],
      [mini, mini, 'FORBIDDEN'],
    ] as const) {
      const before = await row(other.userId);
      const user_id = other.userId;
      expect(await code(suspend(actor, user_id))).toBe(expected);
      expect(await code(activate(actor, user_id))).toBe(expected);
      for (const beyond of [
        { mobile: newMobile() },
        { access: { unistall: '0' } },
        { lock_access: { read: '1' } },
        { add_retailer: '1' },
      ])
        expect([other.userId, beyond, await code(change(actor, { user_id, ...beyond }))]).toEqual([
          other.userId,
          beyond,
          expected,
        ]);
      expect(await row(other.userId)).toEqual(before);
    }
    expect((await change(mini, { shop_name: 'Mini of Nashik', firstName: 'Komal' })).changed.toSorted()).toEqual([
      'first_name',
      'shop_name',
    ]);
  });
});

describe('a new shop', () => {
  test('of a retailer is its mini-retailer, which may do no more than it may itself', async () => {
    const barred: Actor = { ...(await makeRetailer(db, ORG)), access: { ...shop.access, unistall: '0' } };
    await db.asOwner(`update users set user_access = user_access || '{"unistall": "0"}' where user_id = $1`, [
      barred.userId,
    ]);
    const made = await row(await add(barred));
    expect(made).toMatchObject({
      user_type: 'miniretailer',
      parent_user_id: barred.userId,
      is_active: true,
      may_add_retailers: false,
      user_access: { unistall: '0', lock_unlock: '1', bulk_retailer: '0' },
    });
    expect(await code(add(barred, { access: { unistall: '1' } }))).toBe('FORBIDDEN');
    expect(await row(await add(barred, { access: { bulk_retailer: '1' } }))).toMatchObject({
      user_access: { bulk_retailer: '1' },
    });
  });

  test('beside a retailer needs the access for it; its maker does not see it', async () => {
    expect(await code(add(shop, { user_type: 'retailer' }))).toBe('FORBIDDEN');
    expect(await code(change(shop, { user_id: mini.userId, add_retailer: '1' }))).toBe('FORBIDDEN');
    await change(admin, { user_id: shop.userId, add_retailer: '1' });
    const beside = await add(shop, { user_type: 'retailer' });
    expect(await row(beside)).toMatchObject({ user_type: 'retailer', parent_user_id: null });
    expect(await code(see(shop, beside))).toBe('NOT_FOUND');
    expect(await code(add(shop, { user_type: 'retailer', add_retailer: '1' }))).toBe('FORBIDDEN');
    // To a retailer this word is the approval of more locks an hour than others have.
    const bulk = { access: { bulk_retailer: '1' } } as const;
    expect(await code(add(shop, { user_type: 'retailer', ...bulk }))).toBe('FORBIDDEN');
    const approved: Actor = { ...shop, access: { ...shop.access, bulk_retailer: '1' } };
    expect(await row(await add(approved, { user_type: 'retailer', ...bulk }))).toMatchObject({
      user_access: bulk.access,
    });
  });

  test('of an admin is either, below a retailer of the organisation alone', async () => {
    expect(await row(await add(admin, { user_type: 'retailer' }))).toMatchObject({ parent_user_id: null });
    expect(await row(await add(admin, { retailer_id: sibling.userId }))).toMatchObject({
      parent_user_id: sibling.userId,
    });
    for (const retailer_id of [foreign.userId, mini.userId])
      expect(await code(add(admin, { retailer_id }))).toBe('NOT_FOUND');
    expect(await code(add(admin))).toBe('INVALID_INPUT');
    expect(await code(add(shop, { retailer_id: sibling.userId }))).toBe('NOT_FOUND');
    expect(await code(add(mini))).toBe('FORBIDDEN');
  });

  test('signs in with a number that nobody of the organisation has', async () => {
    const { mobile } = await row(sibling.userId);
    expect(await code(add(shop, { mobile: String(mobile) }))).toBe('MOBILE_TAKEN');
    expect(await code(add(foreign, { mobile: String(mobile) }))).toBe('accepted');
    expect(await code(change(shop, { user_id: mini.userId, mobile: String(mobile) }))).toBe('MOBILE_TAKEN');
  });

  test('takes the word active_deactive', async () => {
    const barred: Actor = { ...shop, access: { ...shop.access, active_deactive: '0' } };
    const attempts = [
      () => add(barred),
      () => suspend(barred, mini.userId),
      () => change(barred, { user_id: mini.userId, shop_name: 'X' }),
    ];
    for (const attempt of attempts) expect(await code(attempt())).toBe('FEATURE_NOT_ALLOWED');
  });
});

describe('access', () => {
  test('that a retailer loses is lost below it, and nobody beside it loses any', async () => {
    const above = await makeRetailer(db, ORG);
    const below = await makeRetailer(db, ORG, above);
    const before = await row(mini.userId);
    await change(admin, { user_id: above.userId, access: { unistall: '0' }, lock_access: { unlock: '0' } });
    expect(await row(below.userId)).toMatchObject({
      user_access: { unistall: '0', lock_unlock: '1' },
      lock_access: { unlock: '0', lock: '1' },
    });
    expect(await row(mini.userId)).toEqual(before);
    const [line] = await db.asOwner<{ data: object }>(
      `select data from audit_lines where subject_id = $1 and action = 'user_changed' order by seq desc limit 1`,
      [above.userId],
    );
    expect(line!.data).toMatchObject({ access: { unistall: '0', unlock: '0' } });
  });

  test('a retailer takes a word from those below it also where it has none of its own, and gives none', async () => {
    const above: Actor = { ...(await makeRetailer(db, ORG)), access: { ...shop.access, unistall: '0' } };
    const below = await makeRetailer(db, ORG, above);
    const word = (unistall: '0' | '1') => change(above, { user_id: below.userId, access: { unistall } });
    expect((await word('0')).changed).toEqual(['user_access']);
    expect(await code(word('1'))).toBe('FORBIDDEN');
    expect(await row(below.userId)).toMatchObject({ user_access: { unistall: '0' } });
  });

  test('whether a mini-retailer may order many at once is its own word: no change of its retailer takes it', async () => {
    const above = await makeRetailer(db, ORG);
    const below = await makeRetailer(db, ORG, above);
    await change(above, { user_id: below.userId, access: { bulk_retailer: '1' } });
    await change(admin, { user_id: above.userId, shop_name: 'Renamed', access: { lock_unlock: '0' } });
    expect(await row(above.userId)).toMatchObject({ user_access: { bulk_retailer: '0', lock_unlock: '0' } });
    expect(await row(below.userId)).toMatchObject({ user_access: { bulk_retailer: '1', lock_unlock: '0' } });
  });

  test('that is taken away counts at the next request, in every process', async () => {
    const above = await makeRetailer(db, ORG);
    const below = await makeRetailer(db, ORG, above);
    const token = await createSession(db, { orgId: ORG, userId: below.userId, mobile: '' });
    const elsewhere = sessionProcess(db, 0);
    expect((await elsewhere.authenticate(token, '127.0.0.1', true))?.access.lock_unlock).toBe('1');
    await change(above, { user_id: below.userId, access: { lock_unlock: '0' } });
    expect((await elsewhere.authenticate(token, '127.0.0.1', true))?.access.lock_unlock).toBe('0');
  });
});

test('an address that a shop writes for a new mini-retailer is vouched for by nobody, one that the organisation writes is', async () => {
  const made = [
    await add(shop, { email: 'new.mini@shop.example' }),
    await add(admin, { user_type: 'retailer', email: 'new.retailer@shop.example' }),
  ];
  const vouched = await Promise.all(made.map(async (id) => (await row(id))['is_email_vouched']));
  expect(vouched).toEqual([false, true]);
});

test('an address that a shop wrote itself is vouched for by no other change, whoever makes it', async () => {
  const below = await makeRetailer(db, ORG, shop);
  const { userId: user_id } = below;
  await change(below, { user_id, email: 'written.here@shop.example' });
  for (const actor of [admin, SYSTEM(ORG)]) {
    await change(actor, { user_id, shop_name: `Renamed by ${actor.userType}` });
    expect(await row(user_id)).toMatchObject({ email: 'written.here@shop.example', is_email_vouched: false });
  }
});

describe('suspended', () => {
  test('a shop and those below it are out at once, in every process; let in again they sign in anew', async () => {
    const above = await makeRetailer(db, ORG);
    const below = await makeRetailer(db, ORG, above);
    const closed = await makeRetailer(db, ORG, above);
    await suspend(above, closed.userId);
    const session = (userId: string) => createSession(db, { orgId: ORG, userId, mobile: '' });
    const tokens = [await session(above.userId), await session(below.userId)];
    const other = await session(sibling.userId);
    const elsewhere = sessionProcess(db, 0);
    const isIn = async (token: string) => (await elsewhere.authenticate(token, '127.0.0.1', true)) !== undefined;
    expect(await Promise.all([...tokens, other].map(isIn))).toEqual([true, true, true]);

    expect(await suspend(admin, above.userId)).toBe(2);
    expect(await Promise.all([...tokens, other].map(isIn))).toEqual([false, false, true]);
    expect(await code(suspend(admin, above.userId))).toBe('STATE_CONFLICT');
    expect(await code(activate(admin, below.userId))).toBe('STATE_CONFLICT');

    expect(await activate(admin, above.userId)).toBe(2);
    expect(await Promise.all(tokens.map(isIn))).toEqual([false, false]);
    expect(await isIn(await session(below.userId))).toBe(true);
    // Closed by itself before, and not along with the retailer.
    expect(await row(closed.userId)).toMatchObject({ is_active: false, suspend_reason: 'closed' });
    expect(await activate(above, closed.userId)).toBe(1);
  });

  test('counts for whoever is signed in, though nobody ended the session', async () => {
    const below = await makeRetailer(db, ORG, shop);
    const token = await createSession(db, { orgId: ORG, userId: below.userId, mobile: '' });
    await db.asOwner('update users set is_active = false where user_id = $1', [below.userId]);
    expect(await sessionProcess(db, 0).authenticate(token, '127.0.0.1', true)).toBeUndefined();
  });

  test('its customers turn to the retailer above, and where there is none to the organisation', async () => {
    const above = await makeRetailer(db, ORG);
    const below = await makeRetailer(db, ORG, above);
    await db.asOwner(`update organisations set support = '{"phone": "1800"}' where org_id = $1`, [ORG]);
    const contact = async (userId: string) =>
      (await db.asOwner(`select mobile, upi_id from shop_contacts_view where user_id = $1`, [userId]))[0];
    const own = await contact(below.userId);
    await suspend(above, below.userId);
    expect(await contact(below.userId)).toEqual(await contact(above.userId));
    await suspend(admin, above.userId);
    expect(await contact(below.userId)).toEqual({ mobile: '1800', upi_id: null });
    await activate(admin, above.userId);
    await activate(above, below.userId);
    expect(await contact(below.userId)).toEqual(own);
  });

  test('a new mobile ends every session, the M-PIN and the trusted devices of the old', async () => {
    const below = await makeRetailer(db, ORG, shop);
    const token = await createSession(db, { orgId: ORG, userId: below.userId, mobile: '' });
    await db.asOwner(`update users set mpin_hash = 'x' where user_id = $1`, [below.userId]);
    await db.asOwner(`insert into trusted_devices (org_id, user_id, device_hash) values ($1, $2, 'x')`, [
      ORG,
      below.userId,
    ]);
    await change(shop, { user_id: below.userId, mobile: newMobile() });
    expect(await sessionProcess(db, 0).authenticate(token, '127.0.0.1', true)).toBeUndefined();
    expect((await row(below.userId))['mpin_hash']).toBeNull();
    expect(await db.asOwner('select from trusted_devices where user_id = $1', [below.userId])).toEqual([]);
  });
});

describe('a request for an account', () => {
  const asking = (mobile: string, shop_name = 'New Star') =>
    ENDPOINTS.signupRequest.body.parse({ mobile, first_name: 'Farida', shop_name });
  const ask = (mobile: string, shop_name?: string, orgId = ORG) =>
    db.transaction(orgId, (tx) => requestSignup(tx, { ...asking(mobile, shop_name), language: 'mr' }));
  const open = (orgId = ORG) => db.read(orgId, (tx) => signups(tx, { state: 'open' }));
  const of = async (mobile: string) => (await open()).find((one) => one.mobile === mobile)!;

  test('asked again stands as it was said first, once, and in its organisation alone', async () => {
    const mobile = newMobile();
    await ask(mobile);
    await ask(mobile, 'New Star of Nashik');
    expect((await open()).filter((one) => one.mobile === mobile)).toMatchObject([{ shop_name: 'New Star' }]);
    expect(await open(OTHER)).toEqual([]);
  });

  test('is approved once, and makes a retailer; refused it makes none; decided it stays', async () => {
    const [yes, no] = [newMobile(), newMobile()];
    await ask(yes);
    await ask(no);
    const decide = (work: typeof approveSignup, request_id: string, orgId = ORG) =>
      db.transaction(orgId, (tx) => work(tx, SYSTEM(orgId), { request_id }));
    const { request_id } = await of(yes);
    expect(await code(decide(approveSignup, request_id, OTHER))).toBe('NOT_FOUND');
    const user = await row(await decide(approveSignup, request_id));
    expect(user).toMatchObject({
      user_type: 'retailer',
      mobile: yes,
      shop_name: 'New Star',
      org_id: ORG,
      language: 'mr',
    });
    expect(await code(decide(approveSignup, request_id))).toBe('STATE_CONFLICT');
    const refused = (await of(no)).request_id;
    await db.transaction(ORG, (tx) => refuseSignup(tx, SYSTEM(ORG), { request_id: refused, reason: 'not a shop' }));
    expect(await db.asOwner('select from users where mobile = $1', [no])).toEqual([]);
    await expect(
      db.asOwner(`update signup_requests set reason = 'x' where request_id = $1`, [refused]),
    ).rejects.toThrow(/decided stays/);
    const refuse = (tx: Parameters<typeof refuseSignup>[0]) =>
      refuseSignup(tx, SYSTEM(ORG), { request_id: refused, reason: 'again' });
    expect(await code(decide(approveSignup, refused))).toBe('STATE_CONFLICT');
    expect(await code(db.transaction(ORG, refuse))).toBe('STATE_CONFLICT');
    expect(await db.asOwner('select from users where mobile = $1', [no])).toEqual([]);
    await ask(no);
    expect(await of(no)).toMatchObject({ shop_name: 'New Star' });
  });

  test('of a number that signs in already cannot be approved, and stays open', async () => {
    const { mobile } = await row(sibling.userId);
    await ask(String(mobile));
    const { request_id } = await of(String(mobile));
    expect(await code(db.transaction(ORG, (tx) => approveSignup(tx, SYSTEM(ORG), { request_id })))).toBe(
      'MOBILE_TAKEN',
    );
    expect(await of(String(mobile))).toBeDefined();
  });

  test('beyond five hundred open ones is put off: strangers fill no table', async () => {
    await db.asOwner(
      `insert into signup_requests (org_id, request_id, mobile, first_name, shop_name, requested_at)
       select $1, gen_random_uuid(), '+9160000' || lpad(n::text, 5, '0'), 'A', 'B', now() from generate_series(1, 500) n`,
      [OTHER],
    );
    expect(await code(ask(newMobile(), 'Late', OTHER))).toBe('RATE_LIMITED');
    // Those that nobody answered for a month make room; a younger one stays.
    await db.asOwner(`update signup_requests set requested_at = now() - interval '29 days' where org_id = $1`, [OTHER]);
    await db.transaction(OTHER, identity.forgetExpired);
    expect(await open(OTHER)).toHaveLength(500);
    await db.asOwner(`update signup_requests set requested_at = now() - interval '31 days' where org_id = $1`, [OTHER]);
    await db.transaction(OTHER, identity.forgetExpired);
    expect(await open(OTHER)).toEqual([]);
    expect(await code(ask(newMobile(), 'Late', OTHER))).toBe('accepted');
    expect(await code(ask(newMobile()))).toBe('accepted');
  });
});
