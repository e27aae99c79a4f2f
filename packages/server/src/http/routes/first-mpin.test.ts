import { beforeAll, describe, expect, test } from 'vitest';
import { createShopApp, createUser, lastOtp, mobileHash, newMobile, type TestApp, type TestUser } from '#test/http.ts';
import { mpin, signInActs, wrongOtp } from '#test/sign-in-acts.ts';
import { authRoutes } from './auth.ts';
import { sessionRoutes } from './sessions.ts';

let it: TestApp;
beforeAll(async () => {
  it = await createShopApp(authRoutes, sessionRoutes);
});
const { newDevice, withMpin } = signInActs(() => it);
const sql = (text: string, values: unknown[]) => it.db.transaction(20, (tx) => tx.query(text, values));

describe('an M-PIN that comes along with the code', () => {
  /** A code for LOGIN that waits, and what presents it with an M-PIN. */
  async function coded(options: Parameters<typeof createUser>[1] = {}) {
    const user = await createUser(it.db, options);
    const deviceId = newDevice();
    await it.call('loginWithOtp', { body: { mobile: user.mobile, device_id: deviceId } });
    const otp = await lastOtp(it.db, user.orgId, user.mobile);
    const present = (chosen: string | undefined, code = otp) =>
      it.call('verifyOtpAuth', {
        rawBody: { mobile: user.mobile, otp: code, purpose: 'LOGIN', mpin: chosen, device_id: deviceId },
      });
    return { user, deviceId, otp, present };
  }
  const setsOf = async (user: TestUser) =>
    (await sql(`select action from audit_lines where subject_id = $1 and action like 'mpin%'`, [user.userId])).rows.map(
      ({ action }) => String(action),
    );

  test('is the first one from then on, and stands in the audit', async () => {
    const { user, deviceId, present } = await coded();
    expect((await present(mpin)).data).toMatchObject({ purpose: 'LOGIN', user_id: user.userId, mpin_set: true });
    const again = await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin, device_id: deviceId } });
    expect(again.data).toMatchObject({ step: 'session', session: { user_id: user.userId, mpin_set: true } });
    expect(await setsOf(user)).toEqual(['mpin_set']);
  });

  test('is named when it cannot be one, opens nothing, and leaves the code as it was', async () => {
    const { user, present } = await coded({ birthOn: '1987-06-05' });
    for (const [chosen, code] of [
      ['12', 'INVALID_INPUT'],
      ['1234', 'MPIN_TOO_SIMPLE'],
      ['1987', 'MPIN_TOO_SIMPLE'],
    ] as const) {
      const refused = await present(chosen);
      expect([refused.status, refused.code, refused.errors?.map(({ path }) => path)]).toEqual([400, code, ['mpin']]);
    }
    const { rows } = await sql('select count(*)::int as n from sessions where user_id = $1', [user.userId]);
    expect([rows[0]?.['n'], await setsOf(user)]).toEqual([0, []]);
    expect((await present(undefined)).data).toMatchObject({ purpose: 'LOGIN', mpin_set: false });
  });

  test('is no birthday of the customers whom it opens; of another person with that number it tells nothing', async () => {
    const mobile = newMobile();
    const shop = await createUser(it.db);
    const sold = async (birth_on: string | null, to: string) => {
      const [row] = await it.db.asOwner<{ customer_id: string }>(
        `insert into customers (org_id, customer_id, owner_user_id, plan_type, mobile, birth_on, created_at, updated_at)
         values (20, gen_random_uuid(), $1, 0, $2, $3, now(), now()) returning customer_id`,
        [shop.userId, to, birth_on],
      );
      return row!.customer_id;
    };
    const own = [await sold('1991-03-08', mobile), await sold('1964-10-27', mobile), await sold(null, mobile)];
    await sold('1972-05-16', mobile);
    const { user, deviceId, present } = await coded({ userType: 'customer', mobile });
    await it.db.asOwner(
      `insert into customer_logins (org_id, customer_id, user_id, since) select 20, c, $1, now() from unnest($2::uuid[]) c`,
      [user.userId, own],
    );
    for (const simple of ['1991', '0803', '0308', '1964', '2710', '1027'])
      expect([simple, (await present(simple)).code]).toEqual([simple, 'MPIN_TOO_SIMPLE']);
    const { data } = await present('1605');
    if (data.purpose !== 'LOGIN') throw new Error('no session');
    const change = (chosen: string) =>
      it.call('setMpin', {
        token: data.token,
        body: { mpin: chosen, current_mpin: '1605', device_id: deviceId },
      });
    expect((await change('0803')).code).toBe('MPIN_TOO_SIMPLE');
    expect((await change('7294')).status).toBe(200);
    // A shop that wrote its own number down for a customer chooses by its own birthday.
    const shopMobile = newMobile();
    await sold('1991-03-08', shopMobile);
    expect((await (await coded({ mobile: shopMobile })).present('0803')).status).toBe(200);
  });

  test('is not looked at before the code is right', async () => {
    const { otp, present } = await coded();
    expect((await present('1234', wrongOtp(otp))).code).toBe('OTP_INVALID');
    expect((await present(mpin)).status).toBe(200);
  });

  test('changes none that is there', async () => {
    const { user, deviceId } = await withMpin();
    await it.db.asOwner(`update otps set created_at = created_at - interval '1 minute' where mobile_hash = $1`, [
      mobileHash(user.mobile),
    ]);
    await it.call('loginWithOtp', { body: { mobile: user.mobile, device_id: deviceId } });
    const otp = await lastOtp(it.db, user.orgId, user.mobile);
    const body = { mobile: user.mobile, otp, purpose: 'LOGIN', device_id: deviceId } as const;
    const refused = await it.call('verifyOtpAuth', { body: { ...body, mpin: '7294' } });
    expect([refused.status, refused.code, refused.errors?.[0]?.path]).toEqual([400, 'INVALID_INPUT', 'mpin']);
    expect((await it.call('verifyOtpAuth', { body })).status).toBe(200);
    const old = await it.call('loginWithOtp', { body: { mobile: user.mobile, mpin, device_id: deviceId } });
    expect(old.data).toMatchObject({ step: 'session' });
  });

  test('says nothing with a code for something else', async () => {
    const user = await createUser(it.db);
    await it.call('forgotPassword', { body: { mobile: user.mobile } });
    const otp = await lastOtp(it.db, user.orgId, user.mobile);
    const body = { mobile: user.mobile, otp, purpose: 'FORGOT_PASSWORD', mpin: '1234' } as const;
    expect((await it.call('verifyOtpAuth', { body })).data).toMatchObject({ purpose: 'FORGOT_PASSWORD' });
    expect(await setsOf(user)).toEqual([]);
  });
});
