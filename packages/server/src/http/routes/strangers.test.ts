import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { CODES_A_DAY } from '#server/identity/askers.ts';
import { DECOY_TOPIC } from '#server/identity/identity.ts';
import { createSmsSender } from '#server/notices/sender.ts';
import { newToken } from '#server/platform/ids.ts';
import { createLog } from '#server/platform/log.ts';
import { startOutbox } from '#server/platform/outbox.ts';
import {
  createOrganisation,
  createTestApp,
  createUser,
  lastOtp,
  mobileHash,
  newMobile,
  type TestApp,
  type TestUser,
} from '#test/http.ts';
import { testSealer } from '#test/sealer.ts';
import { authRoutes } from './auth.ts';
import { sessionRoutes } from './sessions.ts';

/** Two processes on one database. */
let it: TestApp;
let other: TestApp;
beforeAll(async () => {
  const options = {
    settings: { trustedProxies: ['127.0.0.1'] },
    register: (app: TestApp['app']) => [authRoutes, sessionRoutes].forEach((register) => register(app)),
  };
  it = await createTestApp(options);
  await createOrganisation(it.db, { orgId: 20 });
  other = await createTestApp({ ...options, database: it.db });
});

const mpin = '8305';
const at = (ip: string) => ({ 'x-forwarded-for': ip });
const SHOP = '10.20.0.1';
const sql = (text: string, values: unknown[]) => it.db.transaction(20, (tx) => tx.query(text, values));
const later = (mobile: string) =>
  it.db.asOwner(`update otps set created_at = created_at - interval '31 seconds' where mobile_hash = $1`, [
    mobileHash(mobile),
  ]);
const wrongOtp = (otp: string) => (otp === '000000' ? '000001' : '000000');

async function signIn(user: TestUser, deviceId: string, ip = SHOP): Promise<string> {
  const headers = at(ip);
  await it.call('loginWithOtp', { body: { mobile: user.mobile, device_id: deviceId }, headers });
  const otp = await lastOtp(it.db, 20, user.mobile);
  const body = { mobile: user.mobile, otp, purpose: 'LOGIN', device_id: deviceId } as const;
  const { data } = await it.call('verifyOtpAuth', { body, headers });
  if (data.purpose !== 'LOGIN') throw new Error('no session');
  return data.token;
}
/** A shop that signed in at `SHOP` and set its M-PIN there. */
async function shop(): Promise<{ user: TestUser; deviceId: string }> {
  const user = await createUser(it.db);
  const deviceId = newToken();
  const token = await signIn(user, deviceId);
  expect((await it.call('setMpin', { token, body: { mpin, device_id: deviceId } })).status).toBe(200);
  return { user, deviceId };
}
/** Asks from each address until refused, in both processes; a stranger names a new device each time, or none. */
async function flood(mobile: string, addresses: readonly string[]): Promise<number> {
  let sent = 0;
  for (const [n, ip] of addresses.entries())
    for (let asked = 0; asked <= LIMITS.otpPerDay; asked++) {
      const app = (n + asked) % 2 === 0 ? it : other;
      const body = { mobile, purpose: 'LOGIN', ...(asked % 2 === 0 && { device_id: newToken() }) } as const;
      if ((await app.call('resendOtp', { body, headers: at(ip) })).status === 200) sent += 1;
      await later(mobile);
    }
  return sent;
}
const addresses = (count: number) => Array.from({ length: count }, (_, n) => `10.66.${n}.1`);

describe('a stranger who knows a shop’s mobile', () => {
  test('uses up half of what strangers have from one site, however many addresses it has there; somebody elsewhere is served', async () => {
    for (const [mine, elsewhere] of [
      [(n: number) => `2001:db8:70:${n}::1`, '2001:db8:71::1'],
      [(n: number) => `10.70.1.${n + 1}`, '10.70.2.1'],
    ] as const) {
      const user = await createUser(it.db);
      expect(
        await flood(
          user.mobile,
          Array.from({ length: 6 }, (_, n) => mine(n)),
        ),
      ).toBe(CODES_A_DAY.stranger.site);
      expect(await flood(user.mobile, [elsewhere])).toBe(LIMITS.otpPerDay);
    }
  });

  test('uses up what strangers have of codes, and no more than that is sent', async () => {
    const { user } = await shop();
    expect(await flood(user.mobile, addresses(7))).toBe(CODES_A_DAY.stranger.together);
    const refused = await it.call('loginWithOtp', { body: { mobile: user.mobile }, headers: at('10.66.99.1') });
    expect([refused.status, refused.code]).toEqual([429, 'OTP_DAILY_LIMIT']);
  });

  test('does not keep it out on its own phone: codes, M-PIN and a forgotten M-PIN go on', async () => {
    const { user, deviceId } = await shop();
    await flood(user.mobile, addresses(7));
    const anywhere = at('10.99.0.1');
    const byMpin = await it.call('loginWithOtp', {
      body: { mobile: user.mobile, mpin, device_id: deviceId },
      headers: anywhere,
    });
    expect(byMpin.data).toMatchObject({ step: 'session' });
    for (let n = 0; n < LIMITS.otpPerDay; n++) {
      const body = { mobile: user.mobile, device_id: deviceId };
      expect((await other.call('forgotPassword', { body, headers: anywhere })).status).toBe(200);
      await later(user.mobile);
    }
    const sixth = await other.call('loginWithOtp', {
      body: { mobile: user.mobile, device_id: deviceId },
      headers: anywhere,
    });
    expect(sixth.code).toBe('OTP_DAILY_LIMIT');
  });

  test('does not keep it out on a new phone: from one or two addresses nowhere, from many not where it has signed in before', async () => {
    const { user } = await shop();
    await flood(user.mobile, addresses(2));
    expect(await signIn(user, newToken(), '10.99.0.2')).toBeTruthy();
    const again = await shop();
    await flood(again.user.mobile, addresses(7));
    expect(await signIn(again.user, newToken())).toBeTruthy();
  });

  test('does not keep it waiting between two codes', async () => {
    const { user } = await shop();
    const body = { mobile: user.mobile, device_id: newToken() };
    expect((await it.call('loginWithOtp', { body, headers: at('10.66.0.1') })).status).toBe(200);
    expect((await it.call('loginWithOtp', { body, headers: at('10.66.0.1') })).code).toBe('OTP_TOO_SOON');
    expect(await signIn(user, newToken())).toBeTruthy();
  });

  test('uses up no tries of its codes, with wrong ones from any address and of any device', async () => {
    const { user, deviceId } = await shop();
    const body = { mobile: user.mobile, device_id: deviceId };
    await it.call('loginWithOtp', { body });
    const otp = await lastOtp(it.db, 20, user.mobile);
    const codes = new Set<string | undefined>();
    for (const ip of addresses(4))
      for (let n = 0; n < 12; n++) {
        const guess = {
          mobile: user.mobile,
          otp: wrongOtp(otp),
          purpose: 'LOGIN',
          ...(n % 2 && { device_id: newToken() }),
        };
        codes.add((await it.call('verifyOtpAuth', { rawBody: guess, headers: at(ip) })).code);
      }
    expect(codes).toEqual(new Set(['OTP_INVALID', 'OTP_LOCKED']));
    const right = await other.call('verifyOtpAuth', { body: { ...body, otp, purpose: 'LOGIN' } });
    expect(right.status).toBe(200);
  });

  test('neither replaces nor uses up the code of a client that names no device', async () => {
    const user = await createUser(it.db);
    const body = { mobile: user.mobile };
    await it.call('loginWithOtp', { body, headers: at('2001:db8:5:1::7') });
    const otp = await lastOtp(it.db, 20, user.mobile);
    const stranger = at('2001:db8:5:2::7');
    expect((await it.call('loginWithOtp', { body, headers: stranger })).status).toBe(200);
    for (let n = 0; n < 6; n++)
      await it.call('verifyOtpAuth', { body: { ...body, otp: wrongOtp(otp), purpose: 'LOGIN' }, headers: stranger });
    expect(
      (await it.call('verifyOtpAuth', { body: { ...body, otp, purpose: 'LOGIN' }, headers: stranger })).status,
    ).not.toBe(200);
    // Another address of the same network: a phone changes it by itself.
    const mine = at('2001:db8:5:1::8');
    expect((await it.call('verifyOtpAuth', { body: { ...body, otp, purpose: 'LOGIN' }, headers: mine })).status).toBe(
      200,
    );
  });

  test('has one budget of codes in one network, whichever of its addresses it asks from', async () => {
    const mobile = newMobile();
    expect(await flood(mobile, ['2001:db8:80:1::1'])).toBe(LIMITS.otpPerDay);
    expect(await flood(mobile, ['2001:db8:80:1:ffff::2'])).toBe(0);
    expect(await flood(mobile, ['2001:db8:80:2::1'])).toBe(LIMITS.otpPerDay);
  });

  test('makes nothing of an invented device: strangers of one address share one budget', async () => {
    const mobile = newMobile();
    expect(await flood(mobile, ['10.66.0.9'])).toBe(LIMITS.otpPerDay);
    expect(await flood(mobile, ['10.66.0.9'])).toBe(0);
  });
});

describe('at rest', () => {
  const dump = async () => {
    const tables = await it.db.asOwner<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'users'`,
    );
    const texts = await Promise.all(
      tables.map(({ name }) =>
        it.db.asOwner<{ text: string }>(`select coalesce(string_agg(t::text, E'\\n'), '') as text from ${name} t`),
      ),
    );
    return texts.map(([row]) => row!.text).join('\n');
  };

  test('no table but that of users holds a mobile, no table a code, and a decoy looks like a message', async () => {
    const user = await createUser(it.db);
    const stranger = newMobile();
    for (const mobile of [user.mobile, stranger])
      expect((await it.call('loginWithOtp', { body: { mobile, device_id: newToken() } })).status).toBe(200);
    const otp = await lastOtp(it.db, 20, user.mobile);
    const text = await dump();
    expect(text).toContain(DECOY_TOPIC);
    for (const secret of [user.mobile, stranger]) expect(text).not.toContain(secret.slice(3));
    for (const bytes of [otp, user.mobile, stranger])
      for (const form of [Buffer.from(bytes).toString('hex'), Buffer.from(bytes).toString('base64').replace(/=+$/, '')])
        expect(text).not.toContain(form);
    // Bounded, or the digits of an id would be taken for a code.
    expect(text).not.toMatch(new RegExp(`(?<![0-9a-f])${otp}(?![0-9a-f])`));
  });

  test('a code that was sent, one that ended unsent and a decoy leave no row', async () => {
    await sql('delete from outbox', []);
    const sent: string[] = [];
    const [user, late] = [await createUser(it.db), await createUser(it.db)];
    for (const mobile of [late.mobile, user.mobile, newMobile()])
      await it.call('loginWithOtp', { body: { mobile, device_id: newToken() } });
    await sql(`update outbox set expires_at = now() where id = (select min(id::text)::uuid from outbox)`, []);
    const sms = createSmsSender(it.db, {
      send: async ({ to, body }) => {
        sent.push(`${to} ${body}`);
        return { id: 'x' };
      },
    });
    const outbox = startOutbox(it.db, testSealer, { sms, [DECOY_TOPIC]: async () => undefined }, createLog('silent'));
    await outbox.drain();
    await outbox.stop();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(new RegExp(`^\\${user.mobile} .*\\b\\d{6}\\b`));
    expect((await sql('select id from outbox', [])).rows).toEqual([]);
  });
});

describe('without a way out for text messages', () => {
  test('asking for a code is an error that says so, the same for a mobile that is nobody’s, and leaves nothing', async () => {
    let canSend = false;
    const mute = await createTestApp({
      database: it.db,
      canSendCodes: () => canSend,
      register: (app) => authRoutes(app),
    });
    const { user, deviceId } = await shop();
    await sql('delete from outbox', []);
    const before = (await sql('select count(*)::int as n from otps', [])).rows;
    for (const name of ['loginWithOtp', 'forgotPassword'] as const) {
      const [known, unknown] = [
        await mute.call(name, { body: { mobile: user.mobile } }),
        await mute.call(name, { body: { mobile: newMobile() } }),
      ];
      expect([known.status, known.code, known.headers['retry-after']]).toEqual([503, 'SMS_UNAVAILABLE', '60']);
      expect(known.text).toBe(unknown.text);
    }
    const again = await mute.call('resendOtp', {
      body: { mobile: user.mobile, purpose: 'LOGIN', device_id: deviceId },
    });
    expect(again.code).toBe('SMS_UNAVAILABLE');
    expect((await sql('select id from outbox', [])).rows).toEqual([]);
    expect((await sql('select count(*)::int as n from otps', [])).rows).toEqual(before);
    const byMpin = await mute.call('loginWithOtp', { body: { mobile: user.mobile, mpin, device_id: deviceId } });
    expect(byMpin.data).toMatchObject({ step: 'session' });
    canSend = true;
    expect((await mute.call('forgotPassword', { body: { mobile: user.mobile } })).status).toBe(200);
  });
});
