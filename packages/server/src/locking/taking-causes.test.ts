import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SwitchCommand } from '@kist/contract/commands';
import { type LockReason, POLICY_PRESETS } from '@kist/contract/lock-policy';
import { type LockWorld, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { recordReport } from './manual.ts';

/** What is taken besides the level stands on its causes, one by one, whatever level the phone is on. */
let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(() => world.forgetDays());
afterAll(() => world.close());

const withCamera = { ...POLICY_PRESETS.dealer, cameraLockAllowed: true };
const OWNERS_WORD = { THEFT_REPORTED: 'theft', CUSTOMER_REQUEST: 'request' } as const;

/** Sold on 5 March, first due on the 10th; it is that moment now and no daily run has been, so that the phone is on no level. */
async function soldAt(ist: string, given: Parameters<LockWorld['sell']>[0] = {}): Promise<Sale> {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell(given);
  await world.at(ist);
  return sale;
}
/** As many days late, with the daily run and what it sends each day: the ladder has gone its steps. */
async function lateBy(days: number, given: Parameters<LockWorld['sell']>[0] = {}): Promise<Sale> {
  const sale = await soldAt('2026-03-06T12:00:00', given);
  for (let day = 1; day <= days; day += 1) await world.day(`2026-03-${10 + day}`);
  return sale;
}
async function take(sale: Sale, type: SwitchCommand, reason: LockReason = 'EMI_OVERDUE'): Promise<void> {
  const order = { customerId: sale.customerId, type, reason };
  const outcome = await world.inOrg((tx) => world.locking.requestSwitch(tx, world.shop, order));
  expect(outcome).toMatchObject({ state: 'QUEUED' });
}
async function takeForOwner(sale: Sale, type: SwitchCommand, reason: keyof typeof OWNERS_WORD): Promise<void> {
  const owner = customerOf(world, sale);
  await world.inOrg((tx) =>
    recordReport(tx, owner, sale.customerId, { kind: OWNERS_WORD[reason], note: 'at the station' }),
  );
  await take(sale, type, reason);
}
/** The shop lifts what was asked for; a theft's end is its owner's word. */
const unlock = (sale: Sale, reason: keyof typeof OWNERS_WORD): Promise<{ revision: number }> =>
  world.inOrg<{ revision: number }>((tx) =>
    reason === 'THEFT_REPORTED'
      ? world.locking.withdrawLost(
          tx,
          { ...world.shop, userType: 'customer', customerIds: [sale.customerId], visibleOwnerIds: [] },
          { customerId: sale.customerId, kind: 'theft' },
        )
      : world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason }),
  );
async function wanted({ deviceId }: Sale) {
  const [row] = await world.db.asOwner<{
    toggles: Record<string, boolean>;
    text: string | null;
    level: number;
    released: boolean;
  }>(
    `select document -> 'toggles' as toggles, document ->> 'wallpaper_text' as text, lock_level as level, (document -> 'released')::boolean as released
     from device_desired where device_id = $1`,
    [deviceId],
  );
  const { toggles, ...rest } = row!;
  const on = Object.keys(toggles).filter((name) => toggles[name]);
  return { ...rest, on: on.toSorted() };
}
const ordersOf = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ type: string }>(
      `select type from commands where device_id = $1 and type not in ('message', 'emi_alert', 'lock', 'unlock') order by seq`,
      [deviceId],
    )
  ).map(({ type }) => type);
/** The tests' clock goes back and forth, so each looks at its own phone. */
const nothingWrong = async ({ deviceId }: Sale) =>
  expect((await world.violations()).filter(({ id }) => id === deviceId)).toEqual([]);

describe('a phone whose owner had something taken', () => {
  it.each(['THEFT_REPORTED', 'CUSTOMER_REQUEST'] as const)(
    'for %s, and nothing else, is not let go when all is paid, but when that is lifted',
    async (reason) => {
      const sale = await soldAt('2026-03-06T12:00:00');
      await takeForOwner(sale, 'camera_lock', reason);
      for (const no of [1, 2, 3, 4, 5, 6]) await world.pay(sale, no);
      expect(await wanted(sale)).toMatchObject({ on: ['camera_lock'], level: 0, released: false });
      await unlock(sale, reason);
      expect(await wanted(sale)).toMatchObject({ on: [], level: 0, released: true });
      await nothingWrong(sale);
    },
  );

  it.each(['THEFT_REPORTED', 'CUSTOMER_REQUEST'] as const)(
    'for %s shows nobody on its wallpaper what is owed on it',
    async (reason) => {
      const sale = await soldAt('2026-03-13T08:00:00');
      await takeForOwner(sale, 'set_wallpaper', reason);
      expect(await wanted(sale)).toMatchObject({ on: ['wallpaper'], text: null });
      await world.pay(sale, 1, 1_000_00);
      expect(await wanted(sale)).toMatchObject({ on: ['wallpaper'], text: null });
    },
  );
});

describe('two causes of one switch', () => {
  it('each stands by itself: the debt’s words stay when it is taken for theft too, and when that is lifted', async () => {
    const sale = await soldAt('2026-03-11T08:00:00');
    await take(sale, 'set_wallpaper');
    const { text } = await wanted(sale);
    expect(text).toContain('2,674');
    await takeForOwner(sale, 'set_wallpaper', 'THEFT_REPORTED');
    expect(await wanted(sale)).toMatchObject({ on: ['wallpaper'], text });
    await unlock(sale, 'THEFT_REPORTED');
    expect(await wanted(sale)).toMatchObject({ on: ['wallpaper'], text });
    await world.pay(sale, 1);
    expect(await wanted(sale)).toMatchObject({ on: [], text: null });
    await nothingWrong(sale);
  });
});

describe('what was taken', () => {
  it('and given back may be taken again: it stands like the first time, and goes with its cause', async () => {
    const sale = await lateBy(3);
    for (const type of ['app_lock', 'app_unlock', 'app_lock'] as const) await take(sale, type);
    expect((await wanted(sale)).on).toEqual(['app_lock']);
    await nothingWrong(sale);
    // A decision about something else composes the switches anew, of what is taken.
    await take(sale, 'set_wallpaper');
    expect((await wanted(sale)).on).toEqual(['app_lock', 'wallpaper']);
    await nothingWrong(sale);
    await world.pay(sale, 1);
    expect((await wanted(sale)).on).toEqual([]);
    await nothingWrong(sale);
  });

  it('is given back by the order of that very switch, each by its own', async () => {
    const sale = await lateBy(7, { policy: withCamera });
    const pairs = [
      ['set_wallpaper', 'remove_wallpaper'],
      ['app_lock', 'app_unlock'],
      ['camera_lock', 'camera_unlock'],
    ] as const;
    for (const [taking] of pairs) await take(sale, taking);
    await world.pay(sale, 1);
    expect((await wanted(sale)).on).toEqual([]);
    const orders = await ordersOf(sale);
    expect(orders.slice(0, 3)).toEqual(pairs.map(([taking]) => taking));
    expect(orders.slice(3).toSorted()).toEqual(pairs.map(([, giving]) => giving).toSorted());
  });

  it('goes back when a payment leaves a debt that carries the level but not what was taken beside it', async () => {
    const sale = await lateBy(2);
    await world.at('2026-04-12T08:00:00');
    await take(sale, 'app_lock');
    expect(await wanted(sale)).toMatchObject({ on: ['app_lock'], level: 2 });
    // The next EMI is two days late: enough for the level, a day too few for the apps.
    await world.pay(sale, 1);
    expect(await wanted(sale)).toMatchObject({ on: [], level: 2 });
    expect(await ordersOf(sale)).toEqual(['app_lock', 'app_unlock']);
    await nothingWrong(sale);
  });

  it('for a debt on no level yet goes back when its customer’s request is what frees the phone', async () => {
    const sale = await soldAt('2026-03-11T08:00:00');
    await take(sale, 'set_wallpaper');
    expect(await wanted(sale)).toMatchObject({ on: ['wallpaper'], level: 0 });
    await unlock(sale, 'CUSTOMER_REQUEST');
    expect(await wanted(sale)).toMatchObject({ on: [], text: null, level: 0 });
    await nothingWrong(sale);
  });
});

describe('the wallpaper’s words', () => {
  it('name the sum and the date of now after a payment that changes no level', async () => {
    const sale = await soldAt('2026-04-20T08:00:00');
    await take(sale, 'set_wallpaper');
    const told = async () => {
      const { level, text } = await wanted(sale);
      return [level, text?.match(/\d,\d{3}/)?.[0], text?.match(/\d{2}-\d{2}-\d{4}/)?.[0]];
    };
    expect(await told()).toEqual([0, '5,348', '10-03-2026']);
    await world.pay(sale, 1, 1_000_00);
    expect(await told()).toEqual([0, '4,348', '10-03-2026']);
    await world.pay(sale, 1);
    expect(await told()).toEqual([0, '2,674', '10-04-2026']);
    await nothingWrong(sale);
  });
});
