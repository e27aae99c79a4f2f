import { beforeAll, expect, test } from 'vitest';
import { newToken } from '#server/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { createOrganisation, createSession, createUser, testPepper } from '#test/http.ts';
import { testSealer } from '#test/sealer.ts';
import { sessionProcess } from '#test/sessions.ts';
import * as identity from './identity.ts';

const failures: string[] = [];
let db: TestDatabase;
beforeAll(async () => {
  const bare = await createTestDatabase();
  await createOrganisation(bare, { orgId: 20 });
  db = bare.with({
    ...bare.ports,
    identity: {
      pepper: testPepper,
      sealer: testSealer,
      canSendCodes: () => true,
      stepUpDoors: [],
      watch: { failed: (kind) => failures.push(kind) },
      sessions: identity.rememberSessions(bare.devicePool, 0),
      oidc: identity.createOidcClient(),
    },
  });
});

test('a wrong M-PIN is counted for the alarm; a database that is away is none', async () => {
  const user = await createUser(db);
  const actor = await sessionProcess(db, 0).authenticate(await createSession(db, user), '127.0.0.1', true);
  const device_id = newToken();
  await identity.setMpin(db, actor!, { mpin: '8305', device_id });
  const visitor = { orgId: 20, ip: '127.0.0.1', client: { browser: '', platform: '', device: '' } };
  const enter = (given: TestDatabase, mpin: string) =>
    identity.login(given, visitor, { mobile: user.mobile, mpin, device_id });
  await expect(enter({ ...db, transaction: () => Promise.reject(new Error('away')) }, '8305')).rejects.toThrow('away');
  expect(failures).toEqual([]);
  await expect(enter(db, '7294')).rejects.toMatchObject({ code: 'MPIN_INVALID' });
  expect(failures).toEqual(['mpin']);
  expect(await enter(db, '8305')).toMatchObject({ step: 'session', session: { user_id: user.userId } });
  expect(failures).toEqual(['mpin']);
});

test('a device that is logged out from elsewhere while its M-PIN is looked at does not come in', async () => {
  const user = await createUser(db);
  const actor = await sessionProcess(db, 0).authenticate(await createSession(db, user), '127.0.0.1', true);
  const device_id = newToken();
  await identity.setMpin(db, actor!, { mpin: '8305', device_id });
  const elsewhere = await sessionProcess(db, 0).authenticate(await createSession(db, user), '127.0.0.1', true);
  const visitor = { orgId: 20, ip: '127.0.0.1', client: { browser: '', platform: '', device: '' } };
  let transactions = 0;
  const meanwhile: TestDatabase = {
    ...db,
    transaction: async (orgId, work) => {
      transactions += 1;
      // The first counts the try; the hash is right, and before the second opens the session all others are logged out.
      if (transactions === 2) await db.transaction(20, (tx) => identity.endSessions(tx, elsewhere!, 'others'));
      return db.transaction(orgId, work);
    },
  };
  expect(await identity.login(meanwhile, visitor, { mobile: user.mobile, mpin: '8305', device_id })).toMatchObject({
    step: 'otp',
  });
  expect(transactions).toBeGreaterThan(2);
});
