import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import type { Actor } from '#server/identity/identity.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';

const NOTE = 'the owner agreed in writing';
/** Restricts from the tenth day, so that an override has something to stand in for. */
const lateSteps = {
  ...POLICY_PRESETS.dealer,
  steps: POLICY_PRESETS.dealer.steps.map((step) => (step.level < 3 ? step : { ...step, fromDpd: 10 })),
};
let world: LockWorld;
/** Ready for level 3 on the thirteenth by its policy; and by an override alone. */
let ready: Sale;
let early: Sale;
const holidays = (days: string) =>
  world.db.asOwner('update organisations set holidays = $2::date[] where org_id = $1', [ORG, days]);
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await holidays('{2026-03-13}');
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  [ready, early] = [await world.sell(), await world.sell({ policy: lateSteps })];
  for (const day of ['2026-03-11', '2026-03-12']) await world.day(day);
  await world.at('2026-03-13T12:30:00');
});

const order = (sale: Sale, reason: 'EMI_OVERDUE' | 'ORG_OVERRIDE', by: Actor = world.shop) =>
  world.inOrg(async (tx) => {
    const asked = { reason, note: NOTE };
    const { rule } = await world.locking.previewLock(tx, by, sale.customerId, asked);
    const outcome = await world.locking.requestLock(tx, by, sale.customerId, asked);
    if ('refused' in outcome) expect(outcome.refused.rule).toBe(rule);
    return 'refused' in outcome ? outcome.refused.rule : 'locked';
  });
const bulk = (dry_run: boolean) =>
  world.inOrg((tx) =>
    world.locking.bulk(tx, world.shop, {
      command: 'lock',
      reason: 'EMI_OVERDUE',
      customer_ids: [ready.customerId, early.customerId],
      dry_run,
    }),
  );

it('stops the ladder, and what a phone could do by its lease', async () => {
  await world.locking.runLadder(world.db, ORG);
  expect(await world.levelOf(ready)).toBe(2);
  const { ladder } = await world.leaseOf(ready);
  expect(
    ladder.filter(({ at }) => new Date(Date.parse(at) + 5.5 * 3600_000).toISOString().startsWith('2026-03-13')),
  ).toEqual([]);
  await world.day('2026-03-14');
  expect(await world.levelOf(ready)).toBe(3);
});

it('stops an override, of one person and of two, and keeps nothing of it for the day after', async () => {
  expect(await order(early, 'ORG_OVERRIDE')).toBe('HOLIDAY');
  expect(await order(early, 'ORG_OVERRIDE', world.second)).toBe('HOLIDAY');
  expect(await world.levelOf(early)).toBe(2);
  await world.at('2026-03-14T12:30:00');
  expect(await order(early, 'ORG_OVERRIDE')).toBe('OVERRIDE_NEEDS_SECOND');
});

it('stops no ordinary lock that a person orders: one phone', async () => {
  expect(await order(ready, 'EMI_OVERDUE')).toBe('locked');
  expect(await world.levelOf(ready)).toBe(3);
  expect(await order(early, 'EMI_OVERDUE')).toBe('BELOW_DPD');
});

it('stops no ordinary lock that a person orders: many', async () => {
  expect(await bulk(true)).toMatchObject({ allowed: 1, refused: 1, refusals: [{ rule: 'BELOW_DPD' }] });
  expect(await bulk(false)).toMatchObject({ state: 'done', allowed: 1 });
  expect(await world.levelOf(ready)).toBe(3);
});
