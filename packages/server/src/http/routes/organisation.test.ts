import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isOlderThan } from '@kist/contract/app-version';
import { beforeAll, describe, expect, test } from 'vitest';
import { createOrganisation, createSession, createShopApp, createUser, type TestApp } from '#test/http.ts';
import { organisationRoutes } from './organisation.ts';

let it: TestApp;
beforeAll(async () => {
  it = await createShopApp(organisationRoutes);
  await createOrganisation(it.db, { orgId: 36 });
  await it.db.asOwner('update org_directory set is_special = true where org_id = 36');
});

describe('configuration', () => {
  test('the organisation describes itself to anyone', async () => {
    const { data } = await it.call('getOrgAppConfig');
    expect(data).toMatchObject({
      orgId: 20,
      orgName: 'org-20',
      companyName: 'org-20 Limited',
      inactive_warning: false,
      inactive_warning_organisations: [35, 36, 46],
      is_special: false,
      special_organisations: [36],
      organisations: { 'org-20': 20, 'org-36': 36 },
      flags: { witness_signature_layout: false, payment_gateway: false },
      mode: 'demo',
    });
    expect(data.languages).toHaveLength(10);
    const special = (await it.call('getOrgAppConfig', { headers: { 'x-org': 'org-36' } })).data;
    expect(special).toMatchObject({ orgId: 36, inactive_warning: true, is_special: true, special_organisations: [36] });
  });

  test('limits and tables carry the numbers of the specification', async () => {
    const { data } = await it.call('getAppConfigs');
    expect(data).toMatchObject({
      plan_types: { LINKFL: 1, ANTIHACKING_PREMIUM: 13 },
      statuses: { apple_removed: 4 },
      limits: { otpTries: 5, cacheS: 300, antihackingCacheS: 5, unusedDataS: 60 },
    });
  });

  test('the app of this very build is never too old for its server', async () => {
    const { data } = await it.call('getAppConfigs');
    const file = path.join(import.meta.dirname, '../../../../web/package.json');
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    expect(data.min_app_version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(isOlderThan(version, data.min_app_version)).toBe(false);
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
