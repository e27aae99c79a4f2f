import { businessDate } from '@kist/contract/dates';
import { beforeEach, expect, it } from 'vitest';
import { ORG } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { lockTimeline } from './locking.ts';

const world = useLockWorld();
beforeEach(() => world.forgetDays());

/** The app reads the gate's own reckoning, the phone its signed lease: a customer who is told two dates believes neither. */
it('app and phone name the same day for the next step, on every day from the first late one to the last step', async () => {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell();
  const compared: number[] = [];
  for (const day of [
    '2026-03-11',
    '2026-03-12',
    '2026-03-13',
    '2026-03-14',
    '2026-03-15',
    '2026-03-16',
    '2026-03-17',
  ]) {
    await world.day(day);
    await world.obey(sale);
    const timeline = await world.db.read(ORG, (tx) => lockTimeline(tx, sale.agreement.agreement_id));
    const { ladder } = await world.leaseOf(sale);
    const step = ladder.find(({ level }) => level > timeline!.level);
    if (!timeline!.next?.at && !step) continue;
    expect([day, step && businessDate(Date.parse(step.at)), step?.level]).toEqual([
      day,
      businessDate(Date.parse(timeline!.next!.at!)),
      timeline!.next!.level,
    ]);
    compared.push(step!.level);
  }
  expect(new Set(compared)).toEqual(new Set([2, 3, 4]));
});
