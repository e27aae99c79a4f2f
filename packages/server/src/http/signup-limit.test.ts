import { expect, test } from 'vitest';
import { createOrganisation, createTestApp, newMobile } from '#test/http.ts';
import { peopleRoutes } from './routes/people.ts';

test('one network asks for five accounts in a day, whatever it says in them; what was typed wrongly counts not, and others ask on', async () => {
  const it = await createTestApp({
    limitFactor: 1,
    settings: { trustedProxies: ['127.0.0.1'] },
    register: (app) => peopleRoutes(app, { locking: { contactsChanged: async () => undefined } }),
  });
  await createOrganisation(it.db, { orgId: 20 });
  const call = (ip: string, mobile = newMobile()) =>
    it.call('signupRequest', {
      rawBody: { mobile, first_name: 'Farida', shop_name: 'New Star' },
      headers: { 'x-forwarded-for': ip },
    });
  const ask = async (ip: string, mobile?: string) => (await call(ip, mobile)).status;
  const statuses = [await ask('2001:db8::1', '12')];
  for (let at = 1; at <= 6; at++) statuses.push(await ask(`2001:db8::${at}`));
  expect(statuses).toEqual([400, 200, 200, 200, 200, 200, 429]);
  // Told to come back when the day is over that is counted, in UTC.
  const waitS = Number((await call('2001:db8::7')).headers['retry-after']);
  expect((Date.now() / 1000 + waitS) % 86_400).toBeLessThan(60);
  expect([await ask('10.0.0.1'), await ask('2001:db8:0:1::1')]).toEqual([200, 200]);
  expect(await it.db.asOwner('select 1 from signup_requests')).toHaveLength(7);
});
