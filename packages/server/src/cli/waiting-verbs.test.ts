import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Waiting } from '@kist/contract/waiting';
import type { Actor } from '#server/identity/identity.ts';
import { askLargeLock, askOverride, lateSale } from '#test/asked-of-two.ts';
import { makeAdmin, makeRetailer } from '#test/factories.ts';
import { deskOf } from '#test/kist-command.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { explain, read } from './verbs.ts';
import { batchVerbs, overrideVerbs } from './waiting-verbs.ts';

let world: LockWorld;
let admin: Actor;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  admin = await makeAdmin(world.db, ORG);
  sale = await lateSale(world);
});
afterAll(() => world.close());

async function kist(noun: 'override' | 'batch', verb: string, ...typed: string[]) {
  const asked = read(noun, noun === 'override' ? overrideVerbs : batchVerbs, [verb, String(ORG), ...typed]);
  if (typeof asked === 'string') throw new Error(asked);
  return asked.verb.run(deskOf(world.db), asked.given).catch(explain);
}
const numberOf = async ({ userId }: Actor) =>
  (await world.db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [userId]))[0]!.mobile;
const decide = async (noun: 'override' | 'batch', id: string, agree: string, by: Actor, ...more: string[]) =>
  kist(noun, 'decide', id, '--agree', agree, '--as', (await numberOf(by)).replace('+91', ''), ...more);

test('an override is listed, and locks when a person who works there agrees, never who asked', async () => {
  expect((await kist('override', 'list')).lines).toEqual(['Nothing waits for a second person.']);
  expect(await askOverride(world, sale)).toBe('OVERRIDE_NEEDS_SECOND');
  const { data, lines } = await kist('override', 'list');
  const [asked] = data as Waiting[];
  expect(asked).toMatchObject({ customer_id: null, customer_name: '', may_agree: false });
  expect(lines).toEqual([expect.stringMatching(`${asked!.id}  1 phones of Sunita Mobile  Sunita: the owner agreed`)]);
  await expect(decide('override', asked!.id, 'yes', world.shop)).rejects.toThrow('SECOND_PERSON_REQUIRED');
  const mini = await makeRetailer(world.db, ORG, world.shop);
  await expect(decide('override', asked!.id, 'yes', mini)).rejects.toThrow('NOT_FOUND');
  await expect(decide('override', asked!.id, 'perhaps', admin)).rejects.toThrow('--agree is yes or no');
  await expect(kist('override', 'decide', asked!.id, '--agree', 'yes', '--as', '9000000000')).rejects.toThrow(
    'nobody signs in with',
  );
  expect(await world.levelOf(sale)).toBe(2);
  expect((await decide('override', asked!.id, 'yes', admin)).lines).toEqual([`  agreed  ${asked!.id}`]);
  expect(await world.levelOf(sale)).toBe(3);
  const [line] = await world.db.asOwner<{ by: string }>(
    `select actor ->> 'user_id' as by from audit_lines where action = 'override_agreed'`,
  );
  expect(line).toEqual({ by: admin.userId });
});

test('a large order is listed, and refused or let go on in the same way; who was suspended says nothing', async () => {
  const id = await askLargeLock(world);
  expect((await kist('batch', 'list')).lines).toEqual([
    expect.stringMatching(`${id}  60 phones of Sunita Mobile  Sunita: EMI_OVERDUE  until `),
  ]);
  await expect(decide('batch', id, 'yes', world.shop)).rejects.toThrow('SECOND_PERSON_REQUIRED');
  for (const [agree, note, why] of [
    ['no', 'ab', '--note is 3 to 200 characters'],
    ['yes', 'too many', '--note goes with --agree no'],
  ] as const)
    await expect(decide('batch', id, agree, admin, '--note', note)).rejects.toThrow(why);
  expect((await decide('batch', id, 'no', admin, '--note', 'too many')).lines).toEqual([`  stopped  ${id}`]);
  expect(await world.db.asOwner('select refusal_note from batches where batch_id = $1', [id])).toEqual([
    { refusal_note: 'too many' },
  ]);
  const another = await askLargeLock(world);
  const gone = await makeAdmin(world.db, ORG);
  await world.db.asOwner('update users set is_active = false where user_id = $1', [gone.userId]);
  await expect(decide('batch', another, 'yes', gone)).rejects.toThrow('nobody signs in with');
  expect((await decide('batch', another, 'yes', admin)).lines).toEqual([`  asked  ${another}`]);
});
