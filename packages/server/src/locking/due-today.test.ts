import { afterAll, beforeAll, expect, it } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { readFacts } from './facts-store.ts';
import { ladderCandidates, leasesToRenew } from './ladder-store.ts';
import { noticesDue } from './rules/notices.ts';
import { restLadders } from './hold-store.ts';

let world: LockWorld;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-01T12:00:00');
  sale = await world.sell();
});
afterAll(() => world.close());

/** What the ladder, the facts of the gate, the leases and a person's rest see of a phone's dues; the rest is taken back. */
const seen = () =>
  world.inOrg(async (tx) => {
    const { deviceId } = sale;
    const [row] = await readFacts(tx, [deviceId]);
    await tx.query('savepoint before');
    await restLadders.run(tx, { device_ids: [deviceId], created_by: world.shop.userId, note: '' });
    const rests = await tx.query('select from holds');
    await tx.query('rollback to savepoint before');
    return {
      climbs: (await ladderCandidates(tx, '', 9)).length,
      owed: [row!.overdueCount, row!.overduePaise],
      leases: (await leasesToRenew(tx, '', 9)).length,
      rests: rests.rowCount,
    };
  });

it('an instalment that falls due today is overdue for no ladder, no fact, no lease and no rest; the next day it is', async () => {
  const { emi_paise: emi } = sale.agreement;
  for (const time of ['12:00:00', '23:59:00']) {
    await world.at(`2026-03-10T${time}`);
    expect(await seen()).toEqual({ climbs: 0, owed: [0, 0], leases: 0, rests: 0 });
  }
  await world.at('2026-03-11T00:01:00');
  // The ladder comes in the morning: nothing rises at night.
  expect(await seen()).toEqual({ climbs: 0, owed: [1, emi], leases: 0, rests: 1 });
  await world.at('2026-03-11T12:00:00');
  expect(await seen()).toMatchObject({ climbs: 1 });
});

it('nor is it beside an older one: the lease that names the older alone stands until the day after', async () => {
  const { emi_paise: emi } = sale.agreement;
  await world.at('2026-04-10T12:00:00');
  await world.locking.runLadder(world.db, ORG);
  expect(await seen()).toEqual({ climbs: 1, owed: [1, emi], leases: 0, rests: 1 });
  await world.at('2026-04-11T00:01:00');
  expect(await seen()).toEqual({ climbs: 1, owed: [2, 2 * emi], leases: 1, rests: 1 });
});

it('a notice speaks of the older one alone', () => {
  const unpaid = ['2026-03-10', '2026-04-10'].map((dueOn) => ({ dueOn: isoDate(dueOn), unpaidPaise: 2_674_00 }));
  const told = (on: string) =>
    noticesDue(
      { state: 'active', unpaid, delivered: [], consentMs: null, noticesFromMs: null },
      POLICY_PRESETS.dealer,
      isoDate(on),
      [],
    ).flatMap((due) => (due.kind === 'notice' ? due.overduePaise : []));
  expect(['2026-03-10', '2026-03-11', '2026-04-10', '2026-04-11'].map(told)).toEqual([
    [],
    [2_674_00],
    [2_674_00],
    [2 * 2_674_00],
  ]);
});
