import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { TRUSTED_MS } from '#server/identity/session-epochs.ts';
import { newToken } from '#server/platform/ids.ts';
import {
  createOrganisation,
  createSession,
  createTestApp,
  createUser,
  lastOtp,
  mobileHash,
  type TestApp,
  type TestUser,
} from '#test/http.ts';
import { authRoutes } from './auth.ts';
import { organisationRoutes } from './organisation.ts';
import { sessionRoutes } from './sessions.ts';

/** Two processes on one database; what one remembers of a session is as old as in production. */
let processes: [TestApp, TestApp];
beforeAll(async () => {
  const options = {
    sessionTrustMs: TRUSTED_MS,
    register: (app: TestApp['app']) =>
      [authRoutes, sessionRoutes, organisationRoutes].forEach((register) => register(app)),
  };
  const first = await createTestApp(options);
  await createOrganisation(first.db, { orgId: 20 });
  processes = [first, await createTestApp({ ...options, database: first.db })];
});

const PINS = ['8305', '7294'] as const;
const WRONG = '6183';
const sql = (text: string, values: unknown[]) => processes[0].db.transaction(20, (tx) => tx.query(text, values));
const lockEnds = (user: TestUser) =>
  sql('update users set mpin_locked_until = now() where user_id = $1 and mpin_locked_until is not null', [user.userId]);

async function withMpin(): Promise<{ user: TestUser; deviceId: string; token: string }> {
  const user = await createUser(processes[0].db);
  const deviceId = newToken();
  const token = await createSession(processes[0].db, user);
  const set = await processes[0].call('setMpin', { token, body: { mpin: PINS[0], device_id: deviceId } });
  expect(set.data).toEqual({ mpin_set: true, sessions_ended: 0 });
  return { user, deviceId, token };
}

interface Try {
  how: 'login' | 'change';
  isRight: boolean;
  process: number;
}
const tries = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        how: fc.constantFrom('login', 'change'),
        isRight: fc.constant(false),
        process: fc.nat(1),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ how: fc.constantFrom('login', 'change'), isRight: fc.constant(true), process: fc.nat(1) }),
    },
    { weight: 2, arbitrary: fc.constant('wait' as const) },
  ),
  { minLength: 8, maxLength: 20 },
) as fc.Arbitrary<(Try | 'wait')[]>;

describe('one count of wrong M-PINs', () => {
  test('holds over sign-in and change, in two processes: five a lock, in any order, and a right one counts for nothing while it is locked', async () => {
    await fc.assert(
      fc.asyncProperty(tries, async (steps) => {
        const { user, deviceId, token } = await withMpin();
        let pin = 0;
        /** Wrong in a row, and those of them since the last lock. */
        let failed = 0;
        let inLock = 0;
        let isLocked = false;
        for (const step of steps) {
          if (step === 'wait') {
            await lockEnds(user);
            if (isLocked) inLock = 0;
            isLocked = false;
            continue;
          }
          const { call } = processes[step.process]!;
          const given = step.isRight ? PINS[pin]! : WRONG;
          const next = PINS[1 - pin]!;
          const { status, code } =
            step.how === 'login'
              ? await call('loginWithOtp', { body: { mobile: user.mobile, mpin: given, device_id: deviceId } })
              : await call('setMpin', { token, body: { mpin: next, current_mpin: given, device_id: deviceId } });
          if (isLocked) {
            expect([status, code]).toEqual([429, 'MPIN_LOCKED']);
            continue;
          }
          if (step.isRight) {
            expect(status).toBe(200);
            if (step.how === 'change') pin = 1 - pin;
            [failed, inLock] = [0, 0];
            continue;
          }
          failed += 1;
          inLock += 1;
          isLocked = inLock === LIMITS.mpinTries;
          expect([inLock <= LIMITS.mpinTries, code]).toEqual([true, isLocked ? 'MPIN_LOCKED' : 'MPIN_INVALID']);
          // Then the device is known no more, and a session in which it was guessed is over.
          if (failed === 2 * LIMITS.mpinTries) return;
        }
      }),
      { numRuns: 6 },
    );
  }, 60_000);

  test('is not begun anew by the tenth wrong one: the lock stands, the session that guessed is over, only a code opens', async () => {
    const { user, deviceId, token } = await withMpin();
    const second = await createSession(processes[0].db, user);
    const change = (session: string, current_mpin: string) =>
      processes[1].call('setMpin', { token: session, body: { mpin: PINS[1], current_mpin, device_id: deviceId } });
    const codes: (string | undefined)[] = [];
    for (let n = 1; n <= 2 * LIMITS.mpinTries; n++) {
      codes.push((await change(token, WRONG)).code);
      if (n === LIMITS.mpinTries) await lockEnds(user);
    }
    expect(codes.filter((code) => code === 'MPIN_LOCKED')).toHaveLength(2);
    expect((await change(token, PINS[0])).status).toBe(511);
    const locked = await change(second, PINS[0]);
    expect([locked.status, locked.code]).toEqual([429, 'MPIN_LOCKED']);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(LIMITS.mpinLockS - 60);
    await lockEnds(user);
    const body = { mobile: user.mobile, mpin: PINS[0], device_id: deviceId };
    expect((await processes[0].call('loginWithOtp', { body })).data).toMatchObject({ step: 'otp' });
  });

  test('does not count a right one because the new one was too simple', async () => {
    const { deviceId, token } = await withMpin();
    for (let n = 0; n <= LIMITS.mpinTries; n++) {
      const body = { mpin: '1234', current_mpin: PINS[0], device_id: deviceId };
      expect((await processes[0].call('setMpin', { token, body })).code).toBe('MPIN_TOO_SIMPLE');
    }
    const body = { mpin: PINS[1], current_mpin: PINS[0], device_id: deviceId };
    expect((await processes[0].call('setMpin', { token, body })).status).toBe(200);
  });
});

test('a changed M-PIN ends every other session in every process, every proof that waits, and the trust of every other device', async () => {
  const [here, there] = processes;
  const { user, deviceId, token } = await withMpin();
  const lost = newToken();
  await here.call('loginWithOtp', { body: { mobile: user.mobile, device_id: lost } });
  const otp = await lastOtp(here.db, 20, user.mobile);
  const entered = await here.call('verifyOtpAuth', {
    body: { mobile: user.mobile, otp, purpose: 'LOGIN', device_id: lost },
  });
  if (entered.data.purpose !== 'LOGIN') throw new Error('no session');
  const others = [entered.data.token, await createSession(here.db, user)];
  await here.call('forgotPassword', { body: { mobile: user.mobile, device_id: lost } });
  const resetOtp = await lastOtp(here.db, 20, user.mobile);
  const { data: proof } = await here.call('verifyOtpAuth', {
    body: { mobile: user.mobile, otp: resetOtp, purpose: 'FORGOT_PASSWORD', device_id: lost },
  });
  if (proof.purpose !== 'FORGOT_PASSWORD') throw new Error('no reset token');
  for (const app of processes)
    for (const session of [token, ...others])
      expect((await app.call('getAccessConfig', { token: session })).status).toBe(200);

  const changed = await here.call('setMpin', {
    token,
    body: { mpin: PINS[1], current_mpin: PINS[0], device_id: deviceId },
  });
  expect(changed.data).toEqual({ mpin_set: true, sessions_ended: others.length });
  await new Promise((resolve) => setTimeout(resolve, TRUSTED_MS));
  for (const app of processes) {
    for (const session of others) expect((await app.call('getAccessConfig', { token: session })).status).toBe(511);
    expect((await app.call('getAccessConfig', { token })).status).toBe(200);
  }
  const reset = await there.call('resetPassword', { body: { reset_token: proof.reset_token, mpin: '4917' } });
  expect([reset.status, reset.code]).toEqual([400, 'RESET_TOKEN_INVALID']);
  await processes[0].db.asOwner(
    `update otps set created_at = created_at - interval '1 minute' where mobile_hash = $1`,
    [mobileHash(user.mobile)],
  );
  const enter = (device_id: string) =>
    there.call('loginWithOtp', { body: { mobile: user.mobile, mpin: PINS[1], device_id } });
  expect((await enter(lost)).data).toMatchObject({ step: 'otp' });
  expect((await enter(deviceId)).data).toMatchObject({ step: 'session' });
  const { rows } = await sql(
    `select data from audit_lines where subject_kind = 'user' and subject_id = $1 and action = 'mpin_changed'`,
    [user.userId],
  );
  expect(rows).toEqual([{ data: { sessions_ended: others.length } }]);
});

test('two changes at once, both right about the old M-PIN: one of them holds', async () => {
  const { user, deviceId, token } = await withMpin();
  const second = await createSession(processes[0].db, user);
  const change = (app: TestApp, session: string, mpin: string) =>
    app.call('setMpin', { token: session, body: { mpin, current_mpin: PINS[0], device_id: deviceId } });
  const replies = await Promise.all([change(processes[0], token, PINS[1]), change(processes[1], second, '4917')]);
  const held = replies.findIndex(({ status }) => status === 200);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const body = { mobile: user.mobile, mpin: [PINS[1], '4917'][held]!, device_id: deviceId };
  expect((await processes[0].call('loginWithOtp', { body })).data).toMatchObject({ step: 'session' });
});

test('an M-PIN that is changed while it is looked at opens nothing: it was right a moment ago', async () => {
  const { user, deviceId, token } = await withMpin();
  const { db, call } = processes[0];
  let changed: number | undefined;
  // Between the try that was counted and the session that would open.
  const changing = (database: TestApp['db']): TestApp['db'] => ({
    ...database,
    with: (ports) => changing(database.with(ports)),
    transaction: async (orgId, work) => {
      const { rows } = await sql('select mpin_failed as tries from users where user_id = $1', [user.userId]);
      if (rows[0]?.['tries'] === 1 && changed === undefined) {
        changed = 0;
        const body = { mpin: PINS[1], current_mpin: PINS[0], device_id: deviceId };
        changed = (await call('setMpin', { token, body })).status;
      }
      return database.transaction(orgId, work);
    },
  });
  const slow = await createTestApp({
    database: changing(db),
    register: (app) => authRoutes(app),
  });
  const enter = (mpin: string) =>
    slow.call('loginWithOtp', { body: { mobile: user.mobile, mpin, device_id: deviceId } });
  expect((await enter(PINS[0])).data).toMatchObject({ step: 'otp' });
  expect(changed).toBe(200);
  expect((await enter(PINS[1])).data).toMatchObject({ step: 'session' });
});
