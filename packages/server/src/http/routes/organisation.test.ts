import { beforeAll, describe, expect, test } from 'vitest';
import { createSession, createShopApp, createUser, type TestApp } from '#test/http.ts';
import { registerOrganisationRoutes } from './organisation.ts';

let it: TestApp;
beforeAll(async () => {
  it = await createShopApp(registerOrganisationRoutes);
});

describe('configuration', () => {
  test('the organisation describes itself to anyone', async () => {
    const { data } = await it.call('getOrgAppConfig');
    expect(data).toMatchObject({
      orgId: 20,
      orgName: 'org-20',
      companyName: 'org-20 Limited',
      inactive_warning: false,
      flags: { witness_signature_layout: false, payment_gateway: false },
      mode: 'demo',
    });
    expect(data.languages).toHaveLength(10);
  });

  test('limits and tables carry the numbers of the specification', async () => {
    const { data } = await it.call('getAppConfigs');
    expect(data).toMatchObject({
      plan_types: { LINKFL: 1, ANTIHACKING_PREMIUM: 13 },
      statuses: { apple_removed: 4 },
      limits: { otpTries: 5 },
    });
  });

  test('access is what is stored for the user, at once', async () => {
    const user = await createUser(it.db, { birthOn: '1990-01-01', access: { bulk_retailer: '1' } });
    const mine = await createSession(it.db, user);
    expect((await it.call('getAccessConfig', { token: mine })).data).toEqual({
      lock: '1',
      unlock: '1',
      read: '1',
      uninstall: '1',
    });
    await it.db.transaction(20, (tx) =>
      tx.query(`update users set lock_access = lock_access || '{"lock":"0"}' where user_id = $1`, [user.userId]),
    );
    expect((await it.call('getAccessConfig', { token: mine })).data.lock).toBe('0');
    expect((await it.call('getUserAccess', { token: mine })).data).toMatchObject({
      feature_access: '1',
      unistall: '1',
      bulk_retailer: '1',
      user_id: user.userId,
      mobile: user.mobile,
      is_birthday: false,
    });
    expect((await it.call('getUserAccess', {})).status).toBe(511);
    expect((await it.call('getUserAccess', { token: mine, query: { x: '1' } as never })).errors).toEqual([
      { path: 'x', message: expect.any(String), code: 'field.unknown' },
    ]);
  });
});
