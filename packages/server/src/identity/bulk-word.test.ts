import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import * as audit from '#server/audit/audit.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { migrationsDirectory } from '#test/template.ts';
import { type Actor, SYSTEM } from './actor.ts';

const db = await createTestDatabase();
const [ORG, OTHER] = [20, 21];
let shops: Record<'approved' | 'given' | 'onward' | 'circle' | 'bare' | 'ofOld' | 'approvedLater' | 'mini', Actor>;
let stranger: Actor;

/** As a program wrote it that refused no word. */
async function give(by: Actor, to: Actor): Promise<void> {
  await db.asOwner(`update users set user_access = user_access || '{"bulk_retailer": "1"}' where user_id = $1`, [
    to.userId,
  ]);
  const data = { fields: ['user_access'], access: { bulk_retailer: '1' } };
  await db.transaction(to.orgId, (tx) =>
    audit.append(tx, { kind: 'user', id: to.userId, actor: by, action: 'user_changed', data }),
  );
}
const wordOf = async ({ userId }: Actor) =>
  (
    await db.asOwner<{ word: string }>(`select user_access ->> 'bulk_retailer' as word from users where user_id = $1`, [
      userId,
    ])
  )[0]?.word;
const migrate = () =>
  db.asOwner(readFileSync(path.join(migrationsDirectory, '0498_bulk_orders_are_approved.sql'), 'utf8'));
const lastLine = async ({ userId }: Actor) =>
  (
    await db.asOwner<{ action: string; by: string; data: object }>(
      `select action, actor ->> 'user_type' as by, data from audit_lines where subject_kind = 'user' and subject_id = $1 order by seq desc limit 1`,
      [userId],
    )
  )[0];

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  await makeOrganisation(db, OTHER);
  const make = () => makeRetailer(db, ORG);
  const approved = await make();
  shops = {
    approved,
    given: await make(),
    onward: await make(),
    circle: await make(),
    bare: await make(),
    ofOld: await make(),
    approvedLater: await make(),
    mini: await makeRetailer(db, ORG, approved),
  };
  stranger = await makeRetailer(db, OTHER);
  await give(SYSTEM(ORG), shops.approved);
  await give(shops.approved, shops.onward);
  await give(shops.bare, shops.given);
  await give(shops.given, shops.circle);
  await give(shops.bare, shops.approvedLater);
  await give(SYSTEM(ORG), shops.approvedLater);
  await give(shops.approved, shops.mini);
  await give(stranger, stranger);
  await db.asOwner(`update users set user_access = user_access || '{"bulk_retailer": "1"}' where user_id = $1`, [
    shops.ofOld.userId,
  ]);
});

test('a retailer keeps the word for bulk orders that comes from the organisation, and none that a shop gave on its own', async () => {
  await migrate();
  const words = Object.fromEntries(
    await Promise.all(Object.entries(shops).map(async ([name, shop]) => [name, await wordOf(shop)])),
  ) as Record<string, string>;
  expect(words).toEqual({
    approved: '1',
    onward: '1',
    approvedLater: '1',
    // Nobody gave it: it was there from the beginning.
    ofOld: '1',
    // Its own word, which its retailer gives without having it.
    mini: '1',
    given: '0',
    circle: '0',
    bare: '0',
  });
  expect(await wordOf(stranger)).toBe('0');
});

test('it is in the audit, whose chain is whole, and a second time nothing is taken', async () => {
  for (const shop of [shops.given, shops.circle, stranger]) {
    expect(await lastLine(shop)).toMatchObject({
      action: 'user_changed',
      by: 'system',
      data: { access: { bulk_retailer: '0' } },
    });
    expect(await db.read(shop.orgId, (tx) => audit.verify(tx, 'user', shop.userId))).toEqual({ ok: true });
  }
  const lines = () => db.asOwner('select count(*) as lines from audit_lines');
  const before = await lines();
  await migrate();
  expect(await lines()).toEqual(before);
});
