import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAdmin } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import type { Actor } from '#server/identity/identity.ts';
import { replayPolicy } from './past.ts';

let world: LockWorld;
let admin: Actor;
let late: Sale;
let paid: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  admin = await makeAdmin(world.db, ORG);
  await world.at('2026-03-05T12:00:00');
  [late, paid] = [await world.sell(), await world.sell()];
  for (const day of ['2026-03-07', '2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13'])
    await world.day(day);
  await world.pay(paid, 1);
  for (const day of ['2026-03-14', '2026-03-15', '2026-03-16', '2026-03-17']) await world.day(day);
  await world.at('2026-03-18T08:00:00');
});
afterAll(() => world.close());

const replayed = (wanted: Parameters<typeof replayPolicy>[2]['wanted'], by = admin) =>
  world.db.read(ORG, (tx) => replayPolicy(tx, by, { wanted, days: 14 }));
const levelsOf = ({ steps }: Awaited<ReturnType<typeof replayed>>, { agreement }: Sale) =>
  steps
    .filter(
      ({ agreement_id, kind }) => agreement_id === agreement.agreement_id && kind !== 'reminder' && kind !== 'notice',
    )
    .map(({ on, level }) => `${on} ${level}`);
/** What really happened, by the verdicts that were carried out. */
const decided = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ on: string; level: number }>(
      `select to_char(at at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as on, (data ->> 'level')::int as level from audit_lines
       where subject_id = $1 and action = 'lock_level_decided' order by seq`,
      [deviceId],
    )
  ).map(({ on, level }) => `${on} ${level}`);

it('under the policy that was signed it is what happened, day by day', async () => {
  const past = await replayed(null);
  expect(past.agreements).toBe(2);
  expect(levelsOf(past, late)).toEqual(await decided(late));
  expect(levelsOf(past, paid)).toEqual(['2026-03-11 1', '2026-03-12 2', '2026-03-13 3', '2026-03-13 0']);
  expect(levelsOf(past, paid)).toEqual(await decided(paid));
});

it('under a milder one nobody would have been held; nothing is written by asking', async () => {
  const before = await world.db.asOwner('select count(*) from verdicts');
  const past = await replayed({ preset: 'rbi-2026' });
  expect(past.steps.filter(({ kind }) => kind !== 'reminder')).toEqual([]);
  expect(past.steps.length).toBeGreaterThan(0);
  expect(await world.db.asOwner('select count(*) from verdicts')).toEqual(before);
});

it('is the organisation’s to ask, and no shop’s', async () => {
  await expect(replayed(null, world.shop)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
