import { beforeEach, expect, it } from 'vitest';
import { ORG } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

const world = useLockWorld();
beforeEach(() => world.forgetDays());

const climb = () => world.locking.runLadder(world.db, ORG);

it('looks at night only at what it could let go: of those that owe, who is held', async () => {
  await world.at('2026-03-05T12:00:00');
  const [held, late] = [await world.sell(), await world.sell()];
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await world.levelOf(held)).toBe(3);
  // Past every door: the other owes as much, and nothing holds it.
  await world.db.plant(['locks'], 'delete from locks where device_id = $1', [late.deviceId]);

  await world.at('2026-03-14T02:00:00');
  expect(await climb()).toMatchObject({ looked: 1, raised: 0 });
  await world.at('2026-03-14T13:00:00');
  expect(await climb()).toMatchObject({ looked: 2 });
});

it('lets go at night what no longer stands', async () => {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell();
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await world.levelOf(sale)).toBe(3);
  // Past every door: a consent that is gone tells nobody.
  await world.db.plant(['consents'], 'delete from consents where agreement_id = $1', [sale.agreement.agreement_id]);
  await world.at('2026-03-14T02:00:00');
  await climb();
  expect(await world.levelOf(sale)).toBeLessThan(3);
});
