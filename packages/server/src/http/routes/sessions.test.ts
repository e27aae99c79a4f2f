import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { TRUSTED_MS } from '#server/identity/session-epochs.ts';
import { sessionRequired } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { createSession, createShopApp, createTestApp, createUser, type TestApp } from '#test/http.ts';
import { mpin, signInActs } from '#test/sign-in-acts.ts';
import { authRoutes } from './auth.ts';
import { organisationRoutes } from './organisation.ts';
import { sessionRoutes } from './sessions.ts';

let it: TestApp;
let token: string;
beforeAll(async () => {
  it = await createShopApp(organisationRoutes, authRoutes, sessionRoutes);
  token = await createSession(it.db, await createUser(it.db));
});

describe('sessions', () => {
  test('without a session, or with a wrong, cut or revoked token, the answer is 511 SESSION_REQUIRED in our envelope', async () => {
    for (const wrong of [undefined, 'x', `${token}x`, token.slice(0, -1), `k.${'A'.repeat(43)}`]) {
      const { status, code, text } = await it.call('getAccessConfig', { token: wrong });
      expect([wrong, status, code]).toEqual([wrong, 511, 'SESSION_REQUIRED']);
      expect(JSON.parse(text)).toMatchObject({ status: 511, response: 'failure' });
    }
  });

  test('a logout is known at the next request here, and in every other process at the next change or within the trusted moment', async () => {
    const aProcess = () =>
      createTestApp({
        database: it.db,
        register: (app) => [authRoutes, sessionRoutes, organisationRoutes].forEach((register) => register(app)),
        sessionTrustMs: TRUSTED_MS,
      });
    const [here, other] = [await aProcess(), await aProcess()];
    const user = await createUser(it.db);
    for (const probe of ['change', 'read'] as const) {
      const mine = await createSession(it.db, user);
      for (const app of [here, other]) expect((await app.call('getAccessConfig', { token: mine })).status).toBe(200);
      expect((await here.call('logout', { token: mine, body: {} })).data).toEqual({});
      const loggedOutAtMs = performance.now();
      expect((await here.call('getAccessConfig', { token: mine })).status).toBe(511);
      if (probe === 'change')
        expect((await other.call('logoutMySession', { token: mine, body: { all_others: true } })).status).toBe(511);
      await new Promise((resolve) => setTimeout(resolve, TRUSTED_MS - (performance.now() - loggedOutAtMs)));
      expect((await other.call('getAccessConfig', { token: mine })).status).toBe(511);
    }
  });

  test('what is ended in one process changes nothing in another, not even where reads still rest on a minute ago', async () => {
    const other = await createTestApp({
      database: it.db,
      register: (app) => [authRoutes, sessionRoutes, organisationRoutes].forEach((register) => register(app)),
      sessionTrustMs: 60_000,
    });
    const user = await createUser(it.db);
    const [mine, theirs] = [await createSession(it.db, user), await createSession(it.db, user)];
    // The second time it is remembered.
    for (const token of [mine, theirs, mine]) expect((await other.call('getAccessConfig', { token })).status).toBe(200);
    await it.call('logout', { token: mine, body: {} });
    expect((await other.call('getAccessConfig', { token: mine })).status).toBe(200);
    const pin = { mpin: '8305', device_id: newId().repeat(2) };
    for (const refused of [
      await other.call('setMpin', { token: mine, body: pin }),
      await other.call('logoutMySession', { token: mine, body: { all_others: true } }),
    ])
      expect([refused.status, refused.code]).toEqual([511, 'SESSION_REQUIRED']);
    const [row] = await it.db.asOwner<{ mpin: string | null; open: number }>(
      `select mpin_hash as mpin, (select count(*)::int from sessions s where s.user_id = u.user_id and revoked_at is null) as open
       from users u where user_id = $1`,
      [user.userId],
    );
    expect(row).toEqual({ mpin: null, open: 1 });
  });

  test(`a session that nobody used for ${LIMITS.sessionIdleDays} days is over; one that is used goes on, to its absolute end at the latest`, async () => {
    const user = await createUser(it.db);
    const mine = await createSession(it.db, user);
    const { sessionIdleDays, sessionAbsoluteDays } = LIMITS;
    const unusedFor = (days: number) =>
      it.db.transaction(20, (tx) =>
        tx.query(
          `update sessions set last_seen_at = now() - make_interval(days => $2), expires_at = now() + make_interval(days => $3 - $2) where user_id = $1`,
          [user.userId, days, sessionIdleDays],
        ),
      );
    await unusedFor(sessionIdleDays - 1);
    expect((await it.call('getAccessConfig', { token: mine })).status).toBe(200);
    const { rows } = await it.db.read(20, (tx) =>
      tx.query(
        `select abs(extract(epoch from expires_at - now() - make_interval(days => $2))) < 3600 as moved,
           expires_at <= created_at + make_interval(days => $3) as within from sessions where user_id = $1`,
        [user.userId, Math.min(sessionIdleDays, sessionAbsoluteDays), sessionAbsoluteDays],
      ),
    );
    expect(rows).toEqual([{ moved: true, within: true }]);
    await unusedFor(sessionIdleDays);
    expect((await it.call('getAccessConfig', { token: mine })).status).toBe(511);
  });

  test('own sessions are listed with device and place; one or all others end; those of others do not exist', async () => {
    const user = await createUser(it.db);
    const [first, second, third] = [
      await createSession(it.db, user),
      await createSession(it.db, user),
      await createSession(it.db, user),
    ];
    const { data } = await it.call('mySessions', { token: second });
    expect(data.map(({ is_current }) => is_current)).toEqual([false, true, false]);
    expect(data[0]).toMatchObject({ browser: 'Test', platform: 'test', place: '127.0.0.1' });
    const foreign = (await it.call('mySessions', { token })).data[0]?.session_id ?? '';
    const [theirs, nobodys] = [
      await it.call('logoutMySession', { token: second, body: { session_id: foreign } }),
      await it.call('logoutMySession', { token: second, body: { session_id: newId() } }),
    ];
    expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
    expect(
      (await it.call('logoutMySession', { token: second, body: { session_id: data[0]?.session_id ?? '' } })).data,
    ).toEqual({ ended: 1 });
    expect((await it.call('mySessions', { token: third })).status).toBe(511);
    // What was ended stands in the history, one session too.
    expect(
      await it.db.asOwner(
        `select data -> 'session_ids' as ids from audit_lines where action = 'sessions_ended' and data -> 'session_ids' ? $1`,
        [data[0]?.session_id],
      ),
    ).toEqual([{ ids: [data[0]?.session_id] }]);
    expect((await it.call('logoutMySession', { token: second, body: { all_others: true } })).data).toEqual({
      ended: 1,
    });
    expect((await it.call('mySessions', { token: first })).status).toBe(511);
    const bad = await it.call('logoutMySession', { token: second, rawBody: { session_id: 'x' } });
    expect([bad.status, bad.code]).toEqual([404, 'NOT_FOUND']);
    expect((await it.call('logoutMySession', { token: second, rawBody: {} })).errors?.[0]).toMatchObject({
      path: 'session_id',
      message: 'This is a required field.',
    });
    expect((await it.call('logoutMySession', { body: { all_others: true } })).status).toBe(511);
  });
});

describe('a session that is over', () => {
  const why = async (token: string) => {
    const { status, code, text } = await it.call('getAccessConfig', { token });
    expect([status, code]).toEqual([511, 'SESSION_REQUIRED']);
    return (JSON.parse(text) as { details?: unknown }).details;
  };

  test('says why: logged out from elsewhere, too old, or its user suspended', async () => {
    const user = await createUser(it.db);
    const [here, elsewhere, old] = [
      await createSession(it.db, user),
      await createSession(it.db, user),
      await createSession(it.db, user),
    ];
    const { data } = await it.call('mySessions', { token: old });
    const { session_id } = data.find(({ is_current }) => is_current)!;
    await it.db.asOwner('update sessions set expires_at = now() where session_id = $1', [session_id]);
    expect(await why(old)).toEqual({ why: 'expired' });
    await it.call('logoutMySession', { token: elsewhere, body: { all_others: true } });
    expect(await why(here)).toEqual({ why: 'logged_out' });
    // So do those of calls that change something.
    const { text } = await it.call('logout', { token: here, body: {} });
    expect(JSON.parse(text)).toMatchObject({ details: { why: 'logged_out' } });
    await it.db.transaction(20, (tx) =>
      tx.query('update users set is_active = false where user_id = $1', [user.userId]),
    );
    expect(await why(elsewhere)).toEqual({ why: 'suspended' });
  });

  test('of a customer whose login was shut does not speak of a suspension', async () => {
    const user = await createUser(it.db, { userType: 'customer' });
    const ended = await createSession(it.db, user);
    await it.db.transaction(20, async (tx) => {
      await tx.query('update sessions set revoked_at = now() where user_id = $1', [user.userId]);
      await tx.query('update users set is_active = false where user_id = $1', [user.userId]);
    });
    expect(await why(ended)).toEqual({ why: 'logged_out' });
  });

  test('is looked for one at a time: a heap of made-up tokens takes one connection from the shops', async () => {
    let [open, most] = [0, 0];
    const db = {
      read: async () => {
        most = Math.max(most, (open += 1));
        await new Promise((resolve) => setTimeout(resolve, 20));
        open -= 1;
        return undefined;
      },
    } as unknown as Parameters<typeof sessionRequired>[0];
    const made = Array.from({ length: 50 }, () => sessionRequired(db, `k.${'A'.repeat(43)}`));
    expect((await Promise.all(made)).every(({ code }) => code === 'SESSION_REQUIRED')).toBe(true);
    expect(most).toBe(1);
  });

  test('that never was one says nothing, also where its token is of one of another organisation', async () => {
    for (const made of ['x', `k.${'A'.repeat(43)}`, `zzzzz.${'A'.repeat(43)}`, token.replace(/^k\./, 'v.')])
      expect([made, await why(made)]).toEqual([made, undefined]);
  });
});

describe('a device that is logged out from elsewhere', () => {
  const { newDevice, signIn, withMpin } = signInActs(() => it);
  /** Another device of theirs, trusted as well. */
  async function another(user: Awaited<ReturnType<typeof withMpin>>['user']) {
    const deviceId = newDevice();
    return { deviceId, token: (await signIn(user, deviceId)).token };
  }
  const enters = async (user: { mobile: string }, device_id: string) =>
    (await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin, device_id } })).data.step;
  const others = (token: string) => it.call('logoutMySession', { token, body: { all_others: true } });
  const one = async (of: string, token: string) => {
    const session_id = (await it.call('mySessions', { token: of })).data.find(
      ({ is_current }) => is_current,
    )!.session_id;
    return it.call('logoutMySession', { token, body: { session_id } });
  };

  test('asks for a code again, with all others; the one in hand opens by the M-PIN as before', async () => {
    const { user, deviceId, token } = await withMpin();
    const second = await another(user);
    expect((await others(token)).data).toEqual({ ended: 1 });
    expect(await enters(user, second.deviceId)).toBe('otp');
    expect(await enters(user, deviceId)).toBe('session');
  });

  test('asks for a code also where no session of it was open any more', async () => {
    const { user, deviceId, token } = await withMpin();
    const second = await another(user);
    await it.call('logout', { token: second.token, body: {} });
    expect((await others(token)).data).toEqual({ ended: 0 });
    expect(await enters(user, second.deviceId)).toBe('otp');
    expect(await enters(user, deviceId)).toBe('session');
  });

  test('asks for a code when it alone is logged out; a third keeps its trust', async () => {
    const { user, deviceId, token } = await withMpin();
    const [second, third] = [await another(user), await another(user)];
    expect((await one(second.token, token)).data).toEqual({ ended: 1 });
    expect(await enters(user, third.deviceId)).toBe('session');
    expect(await enters(user, deviceId)).toBe('session');
    expect(await enters(user, second.deviceId)).toBe('otp');
  });

  test('is known too where the M-PIN was set in a session that had named no device', async () => {
    const { user, token } = await withMpin();
    const [unnamed, deviceId] = [await signIn(user), newDevice()];
    expect(
      (
        await it.call('setMpin', {
          token: unnamed.token,
          body: { mpin: '9274', current_mpin: mpin, device_id: deviceId },
        })
      ).status,
    ).toBe(200);
    const here = await signIn(user, newDevice());
    expect((await one(unnamed.token, here.token)).data).toEqual({ ended: 1 });
    const entered = await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin: '9274', device_id: deviceId } });
    expect([entered.data.step, (await it.call('mySessions', { token })).status]).toEqual(['otp', 511]);
  });

  test('takes all others along where the session does not say which device it was on', async () => {
    const { user, deviceId, token } = await withMpin();
    const [second, unnamed] = [await another(user), await signIn(user)];
    expect((await one(unnamed.token, token)).data).toEqual({ ended: 1 });
    expect(await enters(user, second.deviceId)).toBe('otp');
    expect(await enters(user, deviceId)).toBe('session');
  });

  test('is told from the one in hand by when that signed in, where the session is of before sessions knew their device', async () => {
    const { user, deviceId, token } = await withMpin();
    const beside = await another(user);
    await it.db.asOwner('update sessions set device_hash = null where user_id = $1', [user.userId]);
    expect((await others(token)).data).toEqual({ ended: 1 });
    expect([await enters(user, beside.deviceId), await enters(user, deviceId)]).toEqual(['otp', 'session']);
  });

  test('is told from the one in hand too where that came in by the M-PIN', async () => {
    const { user, deviceId } = await withMpin();
    const beside = await another(user);
    const entered = await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin, device_id: deviceId } });
    if (entered.data.step !== 'session') throw new Error('no session');
    await it.db.asOwner('update sessions set device_hash = null where user_id = $1', [user.userId]);
    await others(entered.data.session.token);
    expect([await enters(user, beside.deviceId), await enters(user, deviceId)]).toEqual(['otp', 'session']);
  });

  test('cannot be told from the one in hand where that signed in again since: it too asks for a code, once', async () => {
    const { user, deviceId, token } = await withMpin();
    await it.db.asOwner(`update trusted_devices set created_at = created_at - interval '1 day' where user_id = $1`, [
      user.userId,
    ]);
    await enters(user, deviceId);
    await it.db.asOwner('update sessions set device_hash = null where user_id = $1', [user.userId]);
    await others(token);
    expect(await enters(user, deviceId)).toBe('otp');
    await signIn(user, deviceId);
    expect(await enters(user, deviceId)).toBe('session');
  });

  test('that logs itself out keeps its trust, and so does one that has another session in hand', async () => {
    const { user, deviceId, token } = await withMpin();
    const again = await signIn(user, deviceId);
    expect((await one(token, again.token)).data).toEqual({ ended: 1 });
    await it.call('logout', { token: again.token, body: {} });
    expect(await enters(user, deviceId)).toBe('session');
  });

  test('is never one where a session logs itself out, also one that does not say which device it was on: all others keep their trust', async () => {
    const { user, deviceId } = await withMpin();
    const [second, unnamed] = [await another(user), await signIn(user)];
    expect((await it.call('logout', { token: unnamed.token, body: {} })).status).toBe(200);
    expect((await it.call('mySessions', { token: unnamed.token })).status).toBe(511);
    for (const device of [deviceId, second.deviceId]) expect(await enters(user, device)).toBe('session');
  });
});
