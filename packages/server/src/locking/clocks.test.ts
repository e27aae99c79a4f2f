import { afterAll, beforeAll, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { published, reckonClocks } from './clocks.ts';
import { publicClocks } from './locking.ts';

let world: LockWorld;
let sale: Sale;
const clocks = () => world.db.read(ORG, reckonClocks);
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
});
afterAll(() => world.close());

it('stand at nothing where nothing was locked', async () => {
  expect(await clocks()).toEqual({
    days: 90,
    notice_to_level: { locks: 0, early: 0, p50_s: null, least_s: null },
    cure_to_unlock: {
      cures: 0,
      unconfirmed: 0,
      late: 0,
      wrongful: 0,
      p50_s: null,
      p95_s: null,
      worst_s: null,
      owed_paise: 0,
    },
  });
});

it('count from the notice to the lock, and a lock that came before its notice’s days were over is seen', async () => {
  for (const day of ['2026-03-10', '2026-03-11', '2026-03-14', '2026-03-18']) await world.day(day);
  expect(await world.levelOf(sale)).toBeGreaterThanOrEqual(3);
  const { notice_to_level: seen } = await clocks();
  expect(seen).toMatchObject({ locks: 1, early: 0 });
  const least = Math.max(...POLICY_PRESETS.dealer.notices.map(({ minDaysToPay }) => minDaysToPay));
  // Whole days of the calendar: the hours of the last one may be missing.
  expect(seen.least_s).toBeGreaterThan(least * 86_400);
  const moved = `update verdicts set facts = jsonb_set(facts::jsonb, '{notices,0,deliveredAtMs}', to_jsonb(extract(epoch from decided_at) * 1000 - 60000))::json
    where allowed and facts -> 'request' ->> 'reason' = 'EMI_OVERDUE' and (verdict ->> 'requested_level')::int = 3`;
  await world.db.plant(['verdicts'], moved);
  expect((await clocks()).notice_to_level).toMatchObject({ locks: 1, early: 1, least_s: 60 });
  // By override it is a lock for money all the same; of a theft it is none.
  const reason = (is: string) =>
    world.db.plant(
      ['verdicts'],
      `update verdicts set facts = jsonb_set(facts::jsonb, '{request,reason}', to_jsonb($1::text))::json
       where allowed and (verdict ->> 'requested_level')::int = 3`,
      [is],
    );
  for (const [is, locks] of [
    ['ORG_OVERRIDE', 1],
    ['THEFT_REPORTED', 0],
    ['EMI_OVERDUE', 1],
  ] as const) {
    await reason(is);
    expect((await clocks()).notice_to_level).toMatchObject({ locks });
  }
});

it('count from the money to the phone’s own word, what is not free yet until now, with what is owed for it', async () => {
  await world.obey(sale);
  await world.at('2026-03-18T12:00:00');
  await world.pay(sale, 1);
  await world.at('2026-03-18T14:30:00');
  // An hour is free; of the next one and a half every hour that began counts.
  const hour = POLICY_PRESETS.dealer.compensationPaisePerHour;
  const free = POLICY_PRESETS.dealer.cureWithinMinutes;
  const owed_paise = Math.ceil((150 - free) / 60) * hour;
  const late = { cures: 1, late: 1, wrongful: 0, p50_s: 9000, p95_s: 9000, worst_s: 9000, owed_paise };
  expect((await clocks()).cure_to_unlock).toMatchObject({ ...late, unconfirmed: 1 });
  await world.obey(sale);
  await world.at('2026-03-18T18:00:00');
  expect((await clocks()).cure_to_unlock).toMatchObject({ ...late, unconfirmed: 0 });
});

it('publish nothing of one case, nor of four, but that they were too few, and a lock that came early all the same', async () => {
  expect(await world.db.read(ORG, publicClocks)).toEqual({
    days: 90,
    notice_to_level: { locks: null, early: 1, p50_s: null, least_s: null, is_too_few: true },
    cure_to_unlock: {
      cures: null,
      unconfirmed: null,
      late: null,
      wrongful: null,
      p50_s: null,
      p95_s: null,
      worst_s: null,
      owed_paise: null,
      is_too_few: true,
    },
  });
  const of = (cases: number) => {
    const unlock = {
      cures: cases,
      unconfirmed: 0,
      late: 1,
      wrongful: 0,
      p50_s: 60,
      p95_s: 61,
      worst_s: 62,
      owed_paise: 5000,
    };
    const all = { days: 90, notice_to_level: { locks: cases, early: 0, p50_s: 1, least_s: 1 }, cure_to_unlock: unlock };
    const { notice_to_level: lock, cure_to_unlock: cure } = published(all);
    return [lock.is_too_few, lock.p50_s, cure.is_too_few, cure.owed_paise];
  };
  expect([0, 1, 4, 5].map(of)).toEqual([
    [false, 1, false, 5000],
    [true, null, true, null],
    [true, null, true, null],
    [false, 1, false, 5000],
  ]);
});
