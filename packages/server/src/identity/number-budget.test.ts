import { beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ENDPOINTS } from '@kist/contract/endpoints';
import { LIMITS } from '@kist/contract/limits';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { createUser, newMobile } from '#test/http.ts';
import type { Actor } from './actor.ts';
import * as identity from './identity.ts';

const db = await createTestDatabase();
const ORG = 20;
await makeOrganisation(db, ORG);
let shop: Actor;
let mini: Actor;
/** Of another shop's customer. */
let taken: string;
beforeEach(async () => {
  shop = await makeRetailer(db, ORG);
  mini = await makeRetailer(db, ORG, shop);
  taken = (await createUser(db, { userType: 'customer' })).mobile;
});

type New = z.input<typeof ENDPOINTS.addUser.body>;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
const add = (mobile: string, actor = shop) => {
  const body = ENDPOINTS.addUser.body.parse({ mobile, first_name: 'Vikas', shop_name: 'Vikas' } satisfies New);
  return code(db.transaction(ORG, (tx) => identity.addPersonInBudget(db, tx, actor, body)));
};
const change = (body: object, actor = shop) => {
  const parsed = ENDPOINTS.updateUser.body.parse({ user_id: mini.userId, ...body });
  return code(
    db.transaction(ORG, async (tx) => {
      await identity.countNumber(db, tx, actor, parsed);
      return identity.updatePerson(tx, actor, parsed);
    }),
  );
};
const times = async (count: number, ask: (at: number) => Promise<unknown>) => {
  const said: unknown[] = [];
  for (let at = 0; at < count; at++) said.push(await ask(at));
  return said;
};
const MOST = LIMITS.numbersTriedPerDay;

describe('a shop that tries numbers', () => {
  test('by changing one row finds ten in a day, taken or not, and then none, neither by adding', async () => {
    await times(MOST - 1, () => change({ mobile: newMobile() }));
    expect(await change({ mobile: taken })).toBe('MOBILE_TAKEN');
    expect(await change({ mobile: taken })).toBe('RATE_LIMITED');
    expect(await change({ mobile: newMobile() })).toBe('RATE_LIMITED');
    expect([await add(taken), await add(newMobile())]).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
    // Whatever else is said of somebody goes on, with the number that stands there.
    const [{ mobile }] = (await db.asOwner('select mobile from users where user_id = $1', [mini.userId])) as [New];
    expect(await change({ mobile, shop_name: 'Corner' })).toBe('accepted');
  });

  test('by adding learns of ten that are taken and of none beyond, many at once neither; those that are free count not', async () => {
    await times(MOST + 2, () => add(newMobile()));
    const said = await Promise.all(Array.from({ length: MOST + 5 }, () => add(taken)));
    expect(said.filter((one) => one === 'MOBILE_TAKEN')).toHaveLength(MOST);
    expect(said.filter((one) => one === 'RATE_LIMITED')).toHaveLength(5);
    expect(await add(newMobile())).toBe('RATE_LIMITED');
    expect(await change({ mobile: newMobile() })).toBe('RATE_LIMITED');
  });

  test('costs no other shop anything; an admin, who sees every customer, has no such budget', async () => {
    await times(MOST + 1, () => add(taken));
    const sibling = await makeRetailer(db, ORG);
    expect(await add(taken, sibling)).toBe('MOBILE_TAKEN');
    const { userId } = await createUser(db, { userType: 'admin' });
    const admin: Actor = { ...shop, userType: 'admin', userId, visibleOwnerIds: [] };
    expect(new Set(await times(MOST + 1, () => change({ mobile: taken }, admin)))).toEqual(new Set(['MOBILE_TAKEN']));
  });
});
