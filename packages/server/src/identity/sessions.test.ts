import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { createTestDatabase } from '#test/database.ts';
import { createOrganisation, createSession, createUser, type TestUser } from '#test/http.ts';
import { sessionProcess } from '#test/sessions.ts';
import { setClockOffset } from '#server/platform/clock.ts';
import { epochsOf } from './session-memory.ts';
import type { Actor } from './actor.ts';
import { listSessions } from './sessions.ts';

const db = await createTestDatabase();
beforeAll(async () => {
  await createOrganisation(db, { orgId: 20 });
  await createOrganisation(db, { orgId: 21 });
});

const write = (user: TestUser, text: string, ...values: unknown[]) =>
  db.transaction(user.orgId, (tx) => tx.query(text, [user.userId, ...values]));
const epochOf = async (orgId: number) => (await epochsOf(db.devicePool, [orgId])).get(orgId) ?? 0;

/** As the owner of the tables: what no service writes. */
const writeAsOwner = (user: TestUser, text: string, ...values: unknown[]) =>
  db.asOwner(`${text} returning true as done`, [user.userId, ...values]);

/** What a look-up could find changed. */
const CHANGES = {
  'a session ends': 'update sessions set revoked_at = now() where user_id = $1',
  'a session is cut short': `update sessions set expires_at = now() + interval '1 second' where user_id = $1`,
  'a session is forgotten': 'delete from sessions where user_id = $1',
  'the user is switched off': 'update users set is_active = false where user_id = $1',
  'the user may do less': `update users set user_access = user_access || '{"lock_unlock":"0"}' where user_id = $1`,
  'the user may see less': `update users set lock_access = lock_access || '{"read":"0"}' where user_id = $1`,
  'the user reads another language': `update users set language = 'hn' where user_id = $1`,
  'a mini-retailer joins': `insert into users (org_id, user_id, user_type, parent_user_id, mobile, first_name)
    select org_id, gen_random_uuid(), 'miniretailer', user_id, '+918' || lpad((random() * 999999999)::int::text, 9, '0'), 'Mina' from users where user_id = $1`,
};
/** The same, of what no service changes: whoever owns the tables may. */
const CHANGES_OF_THE_OWNER = {
  'the user is another kind': `update users set user_type = 'miniretailer' where user_id = $1`,
  'a mini-retailer leaves': 'update users set parent_user_id = null where parent_user_id = $1',
  'the user is forgotten': 'delete from users where user_id = $1',
};
const isOwners = (name: string): name is keyof typeof CHANGES_OF_THE_OWNER => name in CHANGES_OF_THE_OWNER;

describe("an organisation's epoch", () => {
  test.each(Object.entries({ ...CHANGES, ...CHANGES_OF_THE_OWNER }))(
    'rises when %s, and no other organisation’s does',
    async (name, text) => {
      const [user, elsewhere] = [await createUser(db), await createUser(db, { orgId: 21 })];
      await createUser(db, { userType: 'miniretailer', parentUserId: user.userId });
      await createSession(db, user);
      if (name === 'the user is forgotten') await writeAsOwner(user, CHANGES_OF_THE_OWNER['a mini-retailer leaves']);
      const before = [await epochOf(20), await epochOf(21)];
      const changed = isOwners(name) ? (await writeAsOwner(user, text)).length : (await write(user, text)).rowCount;
      expect(changed).toBeGreaterThan(0);
      expect(await epochOf(20)).toBeGreaterThan(before[0]!);
      expect([elsewhere.orgId, await epochOf(21)]).toEqual([21, before[1]]);
    },
  );

  test('rises when something more is sold to a customer’s number, and when it is not theirs any more', async () => {
    const [user, shop] = [await createUser(db, { userType: 'customer' }), await createUser(db)];
    const link = `with c as (insert into customers (org_id, customer_id, owner_user_id, plan_type, mobile, created_at, updated_at)
        select org_id, gen_random_uuid(), $2, 0, mobile, now(), now() from users where user_id = $1 returning org_id, customer_id)
      insert into customer_logins (org_id, customer_id, user_id, since) select org_id, customer_id, $1::uuid, now() from c`;
    const before = await epochOf(20);
    await writeAsOwner(user, link, shop.userId);
    const linked = await epochOf(20);
    await writeAsOwner(user, 'delete from customer_logins where user_id = $1');
    expect([linked > before, (await epochOf(20)) > linked]).toEqual([true, true]);
  });

  test('a login of somebody else’s number, or of a shop, is refused', async () => {
    const [user, shop] = [await createUser(db, { userType: 'customer' }), await createUser(db)];
    const link = (
      mobile: string,
    ) => `with c as (insert into customers (org_id, customer_id, owner_user_id, plan_type, mobile, created_at, updated_at)
        values (20, gen_random_uuid(), $2, 0, '${mobile}', now(), now()) returning org_id, customer_id)
      insert into customer_logins (org_id, customer_id, user_id, since) select org_id, customer_id, $1::uuid, now() from c`;
    for (const [who, mobile] of [
      [user, shop.mobile],
      [shop, shop.mobile],
    ] as const)
      await expect(writeAsOwner(who, link(mobile), shop.userId)).rejects.toThrow('not of their number');
  });

  test('stands while a session is only opened and used, and while what no session answers with changes', async () => {
    const user = await createUser(db);
    const before = await epochOf(20);
    await createSession(db, user);
    await write(
      user,
      `update sessions set last_seen_at = now(), expires_at = expires_at + interval '1 day' where user_id = $1`,
    );
    await write(user, `update users set mpin_failed = 2, mpin_hash = 'x', first_name = 'Usha' where user_id = $1`);
    expect(await epochOf(20)).toBe(before);
  });

  test('is nothing that one organisation can see or move for another', async () => {
    await write(await createUser(db, { orgId: 21 }), CHANGES['the user reads another language']);
    const seen = await db.read(20, async (tx) => (await tx.query('select org_id from session_epochs')).rows);
    expect(seen.every((row) => row['org_id'] === 20)).toBe(true);
    await expect(
      db.transaction(20, (tx) => tx.query('insert into session_epochs (org_id, epoch) values (21, 9)')),
    ).rejects.toThrow(/row-level security/);
  });
});

describe('a session that is remembered', () => {
  test('says after any changes exactly what a server that remembers nothing says', async () => {
    const { 'the user is forgotten': _, ...ofTheOwner } = CHANGES_OF_THE_OWNER;
    const steps = Object.entries({ ...CHANGES, ...ofTheOwner });
    const step = fc.record({ user: fc.nat(1), change: fc.constantFrom(...steps), asked: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (changes) => {
        const users = [await createUser(db), await createUser(db)];
        const tokens = [
          await createSession(db, users[0]!),
          await createSession(db, users[0]!),
          await createSession(db, users[1]!),
        ];
        const remembering = sessionProcess(db, 0);
        const ask = (of: ReturnType<typeof sessionProcess>) =>
          Promise.all(tokens.map((token, n) => of.authenticate(token, '127.0.0.1', n === 0)));
        expect((await ask(remembering)).every(Boolean)).toBe(true);
        for (const {
          user,
          change: [name, text],
          asked,
        } of changes) {
          await (isOwners(name) ? writeAsOwner : write)(users[user]!, text);
          for (let n = 0; n < asked; n += 1) await ask(remembering);
          expect(await ask(remembering)).toEqual(await ask(sessionProcess(db, 0)));
        }
      }),
      { numRuns: 40 },
    );
  });

  test('is dead for what changes something at once, and for reads as soon as its process is told or the trusted moment is over', async () => {
    const trustedMs = 300;
    const user = await createUser(db);
    const token = await createSession(db, user);
    const [here, there] = [sessionProcess(db, trustedMs), sessionProcess(db, trustedMs)];
    for (const sessions of [here, there]) expect(await sessions.authenticate(token, '', false)).toBeDefined();
    for (const sessions of [here, there]) expect(await sessions.authenticate(token, '', false)).toBeDefined();
    const endedAtMs = performance.now();
    await write(user, CHANGES['a session ends']);
    here.changed(20);
    expect(await here.authenticate(token, '', false)).toBeUndefined();
    // Reads in the other process go on for the trusted moment at the most, unless something changing asked meanwhile.
    while (await there.authenticate(token, '', false)) {
      expect(performance.now() - endedAtMs).toBeLessThan(trustedMs + 200);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const again = await createSession(db, user);
    const third = sessionProcess(db, trustedMs);
    expect(await third.authenticate(again, '', false)).toBeDefined();
    await write(user, CHANGES['a session ends']);
    expect(await third.authenticate(again, '', true)).toBeUndefined();
    expect(await third.authenticate(again, '', false)).toBeUndefined();
  });

  test(`is over ${LIMITS.sessionAbsoluteDays} days after its sign-in, however it is used and whoever remembers it`, async () => {
    const user = await createUser(db);
    const token = await createSession(db, user);
    const age = (ms: number) =>
      writeAsOwner(
        user,
        `update sessions set created_at = now() - make_interval(days => $2) + make_interval(secs => $3), last_seen_at = now() - interval '2 minutes' where user_id = $1`,
        LIMITS.sessionAbsoluteDays,
        ms / 1000,
      );
    // Used on its last day: that moves its end to the absolute one and no further.
    await age(86_400_000);
    await write(user, `update sessions set expires_at = now() + interval '1 hour' where user_id = $1`);
    expect(await sessionProcess(db).authenticate(token, '', true)).toBeDefined();
    const { rows } = await db.read(20, (tx) =>
      tx.query<{ hours: number }>(
        `select round(extract(epoch from expires_at - now()) / 3600)::int as hours from sessions where user_id = $1`,
        [user.userId],
      ),
    );
    expect(rows).toEqual([{ hours: 24 }]);
    // A row of before the absolute end, in use: it may say what it likes.
    await age(500);
    await write(user, `update sessions set expires_at = now() + interval '29 days' where user_id = $1`);
    const [here, there] = [sessionProcess(db, 60_000), sessionProcess(db, 60_000)];
    for (const sessions of [here, there]) expect(await sessions.authenticate(token, '', false)).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 550));
    for (const sessions of [here, there, sessionProcess(db, 0)]) {
      expect(await sessions.authenticate(token, '', false)).toBeUndefined();
      expect(await sessions.authenticate(token, '', true)).toBeUndefined();
    }
    const actor = { orgId: 20, userId: user.userId, userType: 'retailer' } as Actor;
    expect(await db.read(20, (tx) => listSessions(tx, actor))).toEqual([]);
  });

  test('ends with its time, whatever the epoch says', async () => {
    const user = await createUser(db);
    const token = await createSession(db, user);
    await write(user, `update sessions set expires_at = now() + interval '400 milliseconds' where user_id = $1`);
    const sessions = sessionProcess(db, 60_000);
    expect(await sessions.authenticate(token, '', false)).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 450));
    expect(await sessions.authenticate(token, '', false)).toBeUndefined();
  });

  test('is dated by the product’s clock, which a demo moves; it ends in real time all the same', async () => {
    const user = await createUser(db);
    const token = await createSession(db, user);
    const actor = { orgId: 20, userId: user.userId, userType: 'retailer' } as Actor;
    const shiftMs = 400 * DAY_MS;
    const list = async () => (await db.read(20, (tx) => listSessions(tx, actor)))[0]!;
    const move = (ms: number) => db.operator.unscoped((tx) => setClockOffset(tx, ms / 1000));
    const plain = await list();
    await move(shiftMs);
    const moved = await list();
    await move(0);
    for (const at of ['created_at', 'last_seen_at'] as const)
      expect(Date.parse(moved[at]) - Date.parse(plain[at])).toBe(shiftMs);
    expect(await sessionProcess(db, 0).authenticate(token, '', false)).toBeDefined();
  });
});
