import { beforeAll, describe, expect, test } from 'vitest';
import { maskMobile } from '@kist/contract/masked';
import * as identity from '#server/identity/identity.ts';
import { consumeStepUp } from '#server/identity/step-up.ts';
import { newId } from '#server/platform/ids.ts';
import {
  createSession,
  createShopApp,
  createUser,
  lastOtp,
  newMobile,
  type TestApp,
  type TestUser,
} from '#test/http.ts';
import { createServices } from '#test/services.ts';
import { authRoutes } from './auth.ts';
import { sessionRoutes } from './sessions.ts';

let it: TestApp;
beforeAll(async () => {
  it = await createShopApp(authRoutes, sessionRoutes);
});

const sql = (text: string, values: unknown[]) => it.db.transaction(20, (tx) => tx.query(text, values));

describe('step-up', () => {
  async function customerOf(user: TestUser): Promise<string> {
    const customerId = newId();
    await sql(
      `insert into customers (org_id, customer_id, owner_user_id, plan_type, created_at, updated_at) values (20, $1, $2, 0, now(), now())`,
      [customerId, user.userId],
    );
    return customerId;
  }
  async function stepUp(
    user: TestUser,
    token: string,
    customerId: string,
    purpose: 'UNINSTALL' | 'BYPASS_CODE' = 'UNINSTALL',
  ) {
    const sent = await it.call('sendOtpToUser', { token, body: { purpose, customer_id: customerId } });
    expect(sent.data).toEqual({
      resend_after_s: 30,
      expires_in_s: 300,
      masked_mobile: maskMobile(user.mobile),
    });
    const otp = await lastOtp(it.db, 20, user.mobile);
    const { data } = await it.call('verifyOtpAuth', {
      body: { mobile: user.mobile, otp, purpose, customer_id: customerId },
    });
    if (data.purpose !== purpose || !('step_up_token' in data)) throw new Error('no step-up token');
    return data.step_up_token;
  }
  const consume = (
    token: string,
    proof: string | undefined,
    purpose: 'UNINSTALL' | 'BYPASS_CODE',
    customerId: string,
  ) =>
    it.db.transaction(20, async (tx) => {
      const actor = await identity.authenticate(it.db, { token, ip: '', isChanging: true });
      if (!actor) throw new Error('no session');
      await consumeStepUp(tx, actor, { token: proof, purpose, customer_id: customerId });
    });

  test('a token permits one act on one customer, once, to who ordered it', async () => {
    const user = await createUser(it.db);
    const token = await createSession(it.db, user);
    const other = await createSession(it.db, await createUser(it.db));
    const customerId = await customerOf(user);
    const proof = await stepUp(user, token, customerId);
    await expect(consume(token, undefined, 'UNINSTALL', customerId)).rejects.toMatchObject({
      code: 'STEP_UP_REQUIRED',
    });
    await expect(consume(token, proof, 'BYPASS_CODE', customerId)).rejects.toMatchObject({ code: 'STEP_UP_INVALID' });
    await expect(consume(token, proof, 'UNINSTALL', newId())).rejects.toMatchObject({ code: 'STEP_UP_INVALID' });
    await expect(consume(other, proof, 'UNINSTALL', customerId)).rejects.toMatchObject({ code: 'STEP_UP_INVALID' });
    await consume(token, proof, 'UNINSTALL', customerId);
    await expect(consume(token, proof, 'UNINSTALL', customerId)).rejects.toMatchObject({ code: 'STEP_UP_INVALID' });
  });

  test('no code goes out for what nothing here asks one for, as the product is composed', async () => {
    const user = await createUser(it.db);
    const actor = await identity.authenticate(it.db, {
      token: await createSession(it.db, user),
      ip: '',
      isChanging: true,
    });
    const { stepUpDoors } = createServices(it.db).db.ports.identity;
    const db = it.db.with({ ...it.db.ports, identity: { ...it.db.ports.identity, stepUpDoors } });
    for (const purpose of ['UNINSTALL', 'BYPASS_CODE'] as const)
      await expect(
        db.transaction(20, (tx) => identity.sendStepUp(tx, actor!, { purpose, customer_id: newId() })),
      ).rejects.toMatchObject({ code: 'FEATURE_NOT_OFFERED' });
    await expect(lastOtp(it.db, 20, user.mobile)).rejects.toThrow('no code was sent');
  });

  test('a code opens nothing for who has the number by now and did not order it', async () => {
    const [orderer, heir] = [await createUser(it.db), await createUser(it.db)];
    const customer_id = await customerOf(orderer);
    const token = await createSession(it.db, orderer);
    await it.call('sendOtpToUser', { token, body: { purpose: 'UNINSTALL', customer_id } });
    const otp = await lastOtp(it.db, 20, orderer.mobile);
    await sql('update users set mobile = $2 where user_id = $1', [orderer.userId, newMobile()]);
    await sql('update users set mobile = $2 where user_id = $1', [heir.userId, orderer.mobile]);
    const body = { mobile: orderer.mobile, otp, purpose: 'UNINSTALL' as const, customer_id };
    const reply = await it.call('verifyOtpAuth', { body });
    expect([reply.status, reply.code]).toEqual([400, 'OTP_INVALID']);
  });

  test('a stranger who only knows the mobile gets no step-up message sent', async () => {
    const user = await createUser(it.db);
    const customerId = await customerOf(user);
    const reply = await it.call('resendOtp', {
      body: { mobile: user.mobile, purpose: 'UNINSTALL', customer_id: customerId },
    });
    expect(reply.data).toEqual({ resend_after_s: 30, expires_in_s: 300 });
    await expect(lastOtp(it.db, 20, user.mobile)).rejects.toThrow('no code was sent');
  });

  test("another shop's customer is as unknown as one that does not exist", async () => {
    const user = await createUser(it.db);
    const token = await createSession(it.db, user);
    const foreign = await customerOf(await createUser(it.db));
    const [theirs, nobodys] = [
      await it.call('sendOtpToUser', { token, body: { purpose: 'UNINSTALL', customer_id: foreign } }),
      await it.call('sendOtpToUser', { token, body: { purpose: 'UNINSTALL', customer_id: newId() } }),
    ];
    expect(theirs.status).toBe(404);
    expect(theirs.text).toBe(nobodys.text);
  });

  test('access decides: without uninstall no code, and customers never', async () => {
    const barred = await createUser(it.db, { lockAccess: { uninstall: '0' } });
    const barredToken = await createSession(it.db, barred);
    const reply = await it.call('sendOtpToUser', {
      token: barredToken,
      body: { purpose: 'UNINSTALL', customer_id: await customerOf(barred) },
    });
    expect([reply.status, reply.code]).toEqual([403, 'FEATURE_NOT_ALLOWED']);
    const customer = await createUser(it.db, { userType: 'customer', customerId: newId() });
    const asCustomer = await it.call('sendOtpToUser', {
      token: await createSession(it.db, customer),
      body: { purpose: 'UNINSTALL', customer_id: newId() },
    });
    expect([asCustomer.status, asCustomer.code]).toEqual([403, 'FORBIDDEN']);
    expect((await it.call('sendOtpToUser', { body: { purpose: 'UNINSTALL', customer_id: newId() } })).status).toBe(511);
  });
});
