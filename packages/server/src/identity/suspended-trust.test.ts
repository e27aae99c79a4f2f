import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { makeAdmin, makeOrganisation, makeRetailer } from '#test/factories.ts';
import type { Actor } from './actor.ts';
import * as identity from './identity.ts';

const ORG = 20;
const db = await createTestDatabase();
let admin: Actor;
let sibling: Actor;
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  admin = await makeAdmin(db, ORG);
  sibling = await makeRetailer(db, ORG);
});

test('a suspended shop and those below it have no trusted device any more, and their M-PIN still', async () => {
  const above = await makeRetailer(db, ORG);
  const below = await makeRetailer(db, ORG, above);
  const both = [above.userId, below.userId];
  await db.asOwner(`update users set mpin_hash = 'x' where user_id = any($1)`, [both]);
  for (const userId of [...both, sibling.userId])
    await db.asOwner(`insert into trusted_devices (org_id, user_id, device_hash) values ($1, $2, 'y')`, [ORG, userId]);
  const trusted = async () =>
    (
      await db.asOwner<{ user_id: string }>('select user_id from trusted_devices where user_id = any($1)', [
        [...both, sibling.userId],
      ])
    ).map(({ user_id }) => user_id);
  await db.transaction(ORG, (tx) => identity.suspendPerson(tx, admin, { user_id: above.userId, reason: 'closed' }));
  expect(await trusted()).toEqual([sibling.userId]);
  await db.transaction(ORG, (tx) => identity.activatePerson(tx, admin, { user_id: above.userId }));
  expect(await trusted()).toEqual([sibling.userId]);
  const kept = await db.asOwner('select from users where user_id = any($1) and mpin_hash is not null', [both]);
  expect(kept).toHaveLength(2);
});
