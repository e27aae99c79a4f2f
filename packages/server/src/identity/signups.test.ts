import { expect, test } from 'vitest';
import { ENDPOINTS } from '@kist/contract/endpoints';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation } from '#test/factories.ts';
import { newMobile } from '#test/http.ts';
import { SYSTEM } from './actor.ts';
import { approveSignup, refuseSignup, requestSignup, signups } from './signups.ts';

const ORG = 20;
const db = await createTestDatabase();
await makeOrganisation(db, ORG);

test('what became of a request stands in the organisation’s history: which one, and whom an approval made', async () => {
  const body = () =>
    ENDPOINTS.signupRequest.body.parse({ mobile: newMobile(), first_name: 'Farida', shop_name: 'Star' });
  for (let time = 0; time < 2; time += 1)
    await db.transaction(ORG, (tx) => requestSignup(tx, { ...body(), language: 'en' }));
  const [first, second] = await db.read(ORG, (tx) => signups(tx, { state: 'open' }));
  const user_id = await db.transaction(ORG, (tx) => approveSignup(tx, SYSTEM(ORG), first!));
  await db.transaction(ORG, (tx) => refuseSignup(tx, SYSTEM(ORG), { ...second!, reason: 'not a shop' }));
  expect(await db.asOwner(`select action, data from audit_lines where action like 'signup%' order by seq`)).toEqual([
    { action: 'signup_approved', data: { request_id: first!.request_id, user_id } },
    { action: 'signup_refused', data: { request_id: second!.request_id, user_id: null } },
  ]);
});
