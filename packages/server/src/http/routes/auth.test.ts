import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { newToken } from '#server/platform/ids.ts';
import { createShopApp, createUser, lastOtp, mobileHash, newMobile, type TestApp } from '#test/http.ts';
import { mpin, signInActs, wrongOtp } from '#test/sign-in-acts.ts';
import { authRoutes } from './auth.ts';
import { sessionRoutes } from './sessions.ts';

let it: TestApp;
beforeAll(async () => {
  it = await createShopApp(authRoutes, sessionRoutes);
});

const { newDevice, signIn, withMpin } = signInActs(() => it);
const sql = (text: string, values: unknown[]) => it.db.transaction(20, (tx) => tx.query(text, values));

describe('sign-in by code', () => {
  test('a known mobile gets a code by SMS in its language, and the code opens one session', async () => {
    const user = await createUser(it.db, { language: 'hn' });
    const asked = await it.call('loginWithOtp', { body: { mobile: user.mobile.slice(3) } });
    expect(asked.data).toEqual({ step: 'otp', resend_after_s: 30, expires_in_s: 300 });
    const otp = await lastOtp(it.db, 20, user.mobile);
    expect(otp).toMatch(/^\d{6}$/);
    const verified = await it.call('verifyOtpAuth', { body: { mobile: user.mobile, otp, purpose: 'LOGIN' } });
    expect(verified.data).toMatchObject({
      purpose: 'LOGIN',
      token: expect.stringMatching(/^k\./) as string,
      user_id: user.userId,
      account_id: user.userId,
      org_id: 20,
      user_type: 'retailer',
      mpin_set: false,
      seal_key: expect.stringMatching(/^[\w-]{43}$/),
    });
    const again = await it.call('verifyOtpAuth', { body: { mobile: user.mobile, otp, purpose: 'LOGIN' } });
    expect([again.status, again.code]).toEqual([400, 'OTP_EXPIRED']);
  });

  test('the database holds neither the code nor the token, only keyed hashes', async () => {
    const user = await createUser(it.db);
    const session = await signIn(user);
    const { rows } = await sql(
      'select encode(o.code_hash, $1) || encode(s.token_hash, $1) || s.device::text as text from otps o, sessions s where o.mobile_hash = $2 and s.user_id = $3',
      ['hex', mobileHash(user.mobile), user.userId],
    );
    expect(rows[0]?.['text']).not.toContain(session.token.slice(3));
    expect(session.token).toMatch(/^k\.[A-Za-z0-9_-]{43}$/);
  });

  test('an unknown mobile gets the same reply after the same statements, and no message', async () => {
    const known = (await createUser(it.db)).mobile;
    const unknown = newMobile();
    const [forKnown, forUnknown] = [
      await statements(() => it.call('loginWithOtp', { body: { mobile: known } })),
      await statements(() => it.call('loginWithOtp', { body: { mobile: unknown } })),
    ];
    expect(forUnknown.result.text).toBe(forKnown.result.text);
    expect(forUnknown.result.status).toBe(200);
    expect(forUnknown.names).toEqual(forKnown.names);
    const { rows } = await sql(
      `select topic, octet_length(sealed) as size, payload, expires_at > now() as ends from outbox order by id desc limit 2`,
      [],
    );
    expect(rows).toEqual([
      { topic: 'sms_decoy', size: expect.any(Number) as number, payload: null, ends: true },
      { topic: 'sms', size: rows[0]?.['size'] as number, payload: null, ends: true },
    ]);
    for (const mobile of [known, unknown]) {
      const tooSoon = await it.call('loginWithOtp', { body: { mobile } });
      expect([tooSoon.status, tooSoon.code]).toEqual([429, 'OTP_TOO_SOON']);
      const tried = await it.call('verifyOtpAuth', { body: { mobile, otp: '000000', purpose: 'LOGIN' } });
      expect([tried.status, tried.code]).toEqual([400, 'OTP_INVALID']);
    }
    const forgot = [
      await it.call('forgotPassword', { body: { mobile: known } }),
      await it.call('forgotPassword', { body: { mobile: unknown } }),
    ];
    expect(forgot[0]?.text).toBe(forgot[1]?.text);
  });

  test('an M-PIN sent for an unknown mobile, or from a device never verified, is answered like a request for a code', async () => {
    const { user } = await withMpin();
    for (const mobile of [user.mobile, newMobile()]) {
      const reply = await it.call('loginWithOtp', { body: { mobile, mpin, device_id: newDevice() } });
      expect(reply.data).toEqual({ step: 'otp', resend_after_s: 30, expires_in_s: 300 });
    }
  });

  test('a mobile that was switched off is treated as unknown and its sessions are dead at once', async () => {
    const user = await createUser(it.db);
    const { token } = await signIn(user);
    await sql('update users set is_active = false where user_id = $1', [user.userId]);
    expect((await it.call('mySessions', { token })).code).toBe('SESSION_REQUIRED');
    await it.db.asOwner('update otps set created_at = created_at - make_interval(mins => 1) where mobile_hash = $1', [
      mobileHash(user.mobile),
    ]);
    expect((await it.call('loginWithOtp', { body: { mobile: user.mobile } })).status).toBe(200);
    const { rows } = await sql(`select topic from outbox order by id desc limit 1`, []);
    expect(rows).toEqual([{ topic: 'sms_decoy' }]);
  });

  test('five wrong tries lock a code, also against the right one', async () => {
    const user = await createUser(it.db);
    await it.call('loginWithOtp', { body: { mobile: user.mobile } });
    const otp = await lastOtp(it.db, 20, user.mobile);
    const codes = [];
    for (let i = 0; i < LIMITS.otpTries; i++)
      codes.push(
        (await it.call('verifyOtpAuth', { body: { mobile: user.mobile, otp: wrongOtp(otp), purpose: 'LOGIN' } })).code,
      );
    expect(codes).toEqual(['OTP_INVALID', 'OTP_INVALID', 'OTP_INVALID', 'OTP_INVALID', 'OTP_USED_UP']);
    const right = await it.call('verifyOtpAuth', { body: { mobile: user.mobile, otp, purpose: 'LOGIN' } });
    expect([right.status, right.code]).toEqual([400, 'OTP_USED_UP']);
  });

  test('a code ends after five minutes, with its purpose, and with its device', async () => {
    const user = await createUser(it.db);
    const deviceId = newDevice();
    await it.call('loginWithOtp', { body: { mobile: user.mobile, device_id: deviceId } });
    const otp = await lastOtp(it.db, 20, user.mobile);
    const elsewhere = { mobile: user.mobile, otp, purpose: 'LOGIN' } as const;
    expect((await it.call('verifyOtpAuth', { body: elsewhere })).code).toBe('OTP_INVALID');
    expect((await it.call('verifyOtpAuth', { body: { ...elsewhere, device_id: newDevice() } })).code).toBe(
      'OTP_INVALID',
    );
    expect(
      (await it.call('verifyOtpAuth', { body: { ...elsewhere, purpose: 'FORGOT_PASSWORD', device_id: deviceId } }))
        .code,
    ).toBe('OTP_INVALID');
    await it.db.asOwner(`update otps set expires_at = now() - interval '1 second' where mobile_hash = $1`, [
      mobileHash(user.mobile),
    ]);
    expect((await it.call('verifyOtpAuth', { body: { ...elsewhere, device_id: deviceId } })).code).toBe('OTP_EXPIRED');
  });

  test('one code verified twice at once opens one session', async () => {
    const user = await createUser(it.db);
    await it.call('loginWithOtp', { body: { mobile: user.mobile } });
    const otp = await lastOtp(it.db, 20, user.mobile);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        it.call('verifyOtpAuth', { body: { mobile: user.mobile, otp, purpose: 'LOGIN' } }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await sql('select count(*)::int as n from sessions where user_id = $1', [user.userId]);
    expect(rows[0]?.['n']).toBe(1);
  });

  test('codes are 30 s apart and five a day for who asks, however many at the same time', async () => {
    const user = await createUser(it.db);
    const back = () =>
      it.db.asOwner(`update otps set created_at = created_at - interval '31 seconds' where mobile_hash = $1`, [
        mobileHash(user.mobile),
      ]);
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => it.call('loginWithOtp', { body: { mobile: user.mobile } })),
    );
    expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 429, 429, 429]);
    const soon = replies.find(({ status }) => status === 429);
    expect(soon?.code).toBe('OTP_TOO_SOON');
    expect(Number(soon?.headers['retry-after'])).toBeGreaterThan(0);
    for (let sent = 1; sent < LIMITS.otpPerDay; sent++) {
      await back();
      expect((await it.call('resendOtp', { body: { mobile: user.mobile, purpose: 'LOGIN' } })).data).toEqual({
        resend_after_s: 30,
        expires_in_s: 300,
      });
    }
    await back();
    const sixth = await it.call('forgotPassword', { body: { mobile: user.mobile } });
    expect([sixth.status, sixth.code]).toEqual([429, 'OTP_DAILY_LIMIT']);
  });

  test('ten codes presented about one mobile in ten minutes are enough', async () => {
    const mobile = newMobile();
    const codes = new Set<string | undefined>();
    for (let i = 0; i < 11; i++)
      codes.add((await it.call('verifyOtpAuth', { body: { mobile, otp: '000000', purpose: 'LOGIN' } })).code);
    expect(codes).toEqual(new Set(['OTP_INVALID', 'OTP_LOCKED']));
  });

  test('each wrong or missing field is named', async () => {
    const { status, code, errors } = await it.call('loginWithOtp', { rawBody: { mpin: 'x', extra: 1 } });
    expect([status, code]).toEqual([400, 'INVALID_INPUT']);
    expect(errors).toEqual([
      { path: 'mobile', message: 'This is a required field.', code: 'field.required' },
      { path: 'mpin', message: expect.any(String), code: 'field.mpin' },
      { path: 'extra', message: expect.any(String), code: 'field.unknown' },
    ]);
  });
});

describe('M-PIN', () => {
  test('opens a session on the device that was verified, and only there', async () => {
    const { user, deviceId } = await withMpin();
    const reply = await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin, device_id: deviceId } });
    expect(reply.data).toMatchObject({ step: 'session', session: { user_id: user.userId, mpin_set: true } });
  });

  test('five wrong ones lock it for 15 minutes, sent one by one or at once', async () => {
    for (const isAtOnce of [false, true]) {
      const { user, deviceId } = await withMpin();
      const guess = () => it.call('loginWithOtp', { body: { mobile: user.mobile, mpin: '9999', device_id: deviceId } });
      const replies = isAtOnce
        ? await Promise.all(Array.from({ length: 9 }, guess))
        : [await guess(), await guess(), await guess(), await guess(), await guess()];
      const codes = replies.map(({ code }) => code);
      expect(codes.filter((code) => code === 'MPIN_INVALID')).toHaveLength(4);
      expect(codes.filter((code) => code === 'MPIN_LOCKED')).toHaveLength(isAtOnce ? 5 : 1);
      if (!isAtOnce) expect(replies.map(({ details }) => details?.['tries_left'])).toEqual([4, 3, 2, 1, undefined]);
      const right = await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin, device_id: deviceId } });
      expect([right.status, right.code]).toEqual([429, 'MPIN_LOCKED']);
      expect(Number(right.headers['retry-after'])).toBeGreaterThan(850);
    }
  });

  test('ten wrong ones in a row take the trust from the device: then only a code opens', async () => {
    const { user, deviceId } = await withMpin();
    const body = { mobile: user.mobile, mpin: '9999', device_id: deviceId };
    for (let i = 0; i < 5; i++) await it.call('loginWithOtp', { body });
    await sql('update users set mpin_locked_until = now() where user_id = $1', [user.userId]);
    for (let i = 0; i < 5; i++) await it.call('loginWithOtp', { body });
    const right = await it.call('loginWithOtp', { body: { ...body, mpin } });
    expect(right.data).toMatchObject({ step: 'otp' });
  });

  test('a simple one is refused', async () => {
    const user = await createUser(it.db, { birthOn: '1987-06-05', mobile: '+919812346190' });
    const { token } = await signIn(user);
    for (const simple of ['0000', '1234', '9876', '1212', '1987', '0506', '6190']) {
      const { status, code } = await it.call('setMpin', { token, body: { mpin: simple, device_id: newDevice() } });
      expect([simple, status, code]).toEqual([simple, 400, 'MPIN_TOO_SIMPLE']);
    }
  });

  test('is changed with the current one only', async () => {
    const { token, deviceId } = await withMpin();
    const without = await it.call('setMpin', { token, body: { mpin: '7294', device_id: deviceId } });
    expect([without.status, without.errors?.[0]?.path]).toEqual([400, 'current_mpin']);
    const wrong = await it.call('setMpin', {
      token,
      body: { mpin: '7294', current_mpin: '1111', device_id: deviceId },
    });
    expect([wrong.status, wrong.code]).toEqual([400, 'MPIN_INVALID']);
    expect(
      (await it.call('setMpin', { token, body: { mpin: '7294', current_mpin: mpin, device_id: deviceId } })).data,
    ).toEqual({ mpin_set: true, sessions_ended: 0 });
    expect((await it.call('setMpin', { body: { mpin: '7294', device_id: deviceId } })).status).toBe(511);
  });

  test('of a stolen table can not be guessed without the pepper', async () => {
    const { user } = await withMpin();
    const { rows } = await sql('select mpin_hash from users where user_id = $1', [user.userId]);
    const { verify } = await import('@node-rs/argon2');
    expect(await verify(String(rows[0]?.['mpin_hash']), mpin)).toBe(false);
  });
});

describe('forgotten M-PIN', () => {
  test('a reset token sets a new one once, ends every other session and untrusts the other devices', async () => {
    const { user, deviceId, token } = await withMpin();
    await it.db.asOwner(`update otps set created_at = created_at - interval '1 minute' where mobile_hash = $1`, [
      mobileHash(user.mobile),
    ]);
    const fresh = newDevice();
    await it.call('forgotPassword', { body: { mobile: user.mobile, device_id: fresh } });
    const otp = await lastOtp(it.db, 20, user.mobile);
    const { data } = await it.call('verifyOtpAuth', {
      body: { mobile: user.mobile, otp, purpose: 'FORGOT_PASSWORD', device_id: fresh },
    });
    if (data.purpose !== 'FORGOT_PASSWORD') throw new Error('no reset token');
    const tooSimple = await it.call('resetPassword', {
      body: { reset_token: data.reset_token, mpin: '4444', device_id: fresh },
    });
    expect([tooSimple.status, tooSimple.code]).toEqual([400, 'MPIN_TOO_SIMPLE']);
    const reset = await it.call('resetPassword', {
      body: { reset_token: data.reset_token, mpin: '7294', device_id: fresh },
    });
    expect((await it.call('mySessions', { token })).status).toBe(511);
    expect((await it.call('mySessions', { token: reset.data.session.token })).data).toHaveLength(1);
    const again = await it.call('resetPassword', { body: { reset_token: data.reset_token, mpin: '7295' } });
    expect([again.status, again.code]).toEqual([400, 'RESET_TOKEN_INVALID']);
    expect(
      (await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin: '7294', device_id: fresh } })).data,
    ).toMatchObject({ step: 'session' });
    expect(
      (await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin: '7294', device_id: deviceId } })).data,
    ).toMatchObject({ step: 'otp' });
  });

  test('a made-up, foreign or expired token is refused alike', async () => {
    for (const reset_token of ['x', `k.${newToken()}`, `zzzzzz.${newToken()}`, `1.${newToken()}`]) {
      const { status, code } = await it.call('resetPassword', { body: { reset_token, mpin: '7294' } });
      expect([status, code]).toEqual([400, 'RESET_TOKEN_INVALID']);
    }
  });
});

/** The names of the statements that `work` sends as the application. */
async function statements<T>(work: () => Promise<T>): Promise<{ result: T; names: string[] }> {
  const names: string[] = [];
  const { db } = it.app.deps;
  const { transaction } = db;
  db.transaction = (orgId, inner) =>
    transaction(orgId, (tx) =>
      inner(
        new Proxy(tx, {
          get(target, key) {
            if (key === 'afterCommit') return target.afterCommit.bind(target);
            if (key !== 'query') return Reflect.get(target, key, target) as unknown;
            return (text: string, values?: unknown[], name?: string) => {
              names.push(name ?? text);
              return target.query(text, values, name);
            };
          },
        }),
      ),
    );
  try {
    return { result: await work(), names };
  } finally {
    db.transaction = transaction;
  }
}

test('a reset ends every other proof that waits: a second reset token, and a step-up token', async () => {
  const { user, deviceId } = await withMpin();
  const proofs: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    await it.db.asOwner(`update otps set created_at = created_at - interval '1 minute' where mobile_hash = $1`, [
      mobileHash(user.mobile),
    ]);
    await it.call('forgotPassword', { body: { mobile: user.mobile, device_id: deviceId } });
    const otp = await lastOtp(it.db, 20, user.mobile);
    const { data } = await it.call('verifyOtpAuth', {
      body: { mobile: user.mobile, otp, purpose: 'FORGOT_PASSWORD', device_id: deviceId },
    });
    if (data.purpose !== 'FORGOT_PASSWORD') throw new Error('no reset token');
    proofs.push(data.reset_token);
  }
  await sql(
    `insert into proof_tokens (org_id, token_hash, kind, user_id, created_at, expires_at) values (20, 'x', 'UNINSTALL', $1, now(), now() + interval '5 minutes')`,
    [user.userId],
  );
  const reset = (reset_token: string) => it.call('resetPassword', { body: { reset_token, mpin: '4917' } });
  expect((await reset(proofs[0]!)).status).toBe(200);
  const again = await reset(proofs[1]!);
  expect([again.status, again.code]).toEqual([400, 'RESET_TOKEN_INVALID']);
  const { rows } = await sql(
    'select kind from proof_tokens where user_id = $1 and used_at is null and expires_at > now()',
    [user.userId],
  );
  expect(rows).toEqual([]);
});
