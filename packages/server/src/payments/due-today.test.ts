import { afterAll, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { makePenalRule } from '#test/factories.ts';
import { ORG, createLockWorld } from '#test/lock-world.ts';
import * as store from './penal-store.ts';

const world = await createLockWorld();
afterAll(() => world.close());

test('an instalment that falls due today is none that a penal charge is looked for; the next day it is', async () => {
  await world.at('2026-03-01T12:00:00');
  await makePenalRule(world.db, ORG);
  const { agreement } = await world.sell();
  const agreement_ids = [agreement.agreement_id];
  const found = (on: string) =>
    world.db.transaction(ORG, async (tx) => {
      const day = { on: isoDate(on) };
      const chargeable = await store.chargeable.all(tx, { ...day, after: null, limit: 9 });
      const taken = await store.takeChargeable.all(tx, { ...day, agreement_ids });
      const instalments = await store.overdueInstalments.all(tx, { ...day, agreement_ids });
      return [chargeable.length, taken.length, instalments.map(({ no }) => no)];
    });
  expect(await found('2026-03-10')).toEqual([0, 0, []]);
  expect(await found('2026-03-11')).toEqual([1, 1, [1]]);
});
