import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LockCause } from '@kist/contract/agent';
import { isoDate } from '@kist/contract/dates';
import { LOCK_REASONS, POLICY_PRESETS, type LockReason } from '@kist/contract/lock-policy';
import { moveAgreement } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { unlockFleet } from './fleet.ts';
import { recordReport } from './manual.ts';

/**
 * Every cause of a restriction × everything that happens to a sale: what is held afterwards. A cause ends with what made it and with what the law lets
 * lift it, in the same transaction, and nothing in the phone's document is left of it.
 */
const REASONS = Object.keys(LOCK_REASONS) as LockReason[];
const ownerOf = (sale: Sale) => customerOf(world, sale);
const ordering = (sale: Sale, reason: LockReason) => ({ customerId: sale.customerId, reason });
const shopUnlocks = (reason: LockReason) => (sale: Sale) =>
  world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason }));
const shopUnlocksAll = (reason: LockReason) => (sale: Sale) =>
  world.inOrg((tx) =>
    world.locking.bulk(tx, world.shop, {
      command: 'unlock',
      reason,
      customer_ids: [sale.customerId],
      dry_run: false,
    }),
  );
const locks = (reason: LockReason, by: (sale: Sale) => typeof world.shop) => (sale: Sale) =>
  world.inOrg((tx) =>
    world.locking.requestLock(tx, by(sale), sale.customerId, { reason, note: 'the owner agreed in writing' }),
  );
const takes =
  (type: 'camera_lock' | 'set_wallpaper' | 'app_lock', reason: LockReason) =>
  async (sale: Sale): Promise<unknown> => {
    const kind = reason === 'THEFT_REPORTED' ? 'theft' : 'request';
    if (LOCK_REASONS[reason].basis === 'protection')
      await world.inOrg((tx) => recordReport(tx, ownerOf(sale), sale.customerId, { kind, note: '' }));
    return world.inOrg((tx) => world.locking.requestSwitch(tx, world.shop, { ...ordering(sale, reason), type }));
  };
const found = (sale: Sale) =>
  world.inOrg((tx) => world.locking.withdrawLost(tx, ownerOf(sale), { customerId: sale.customerId, kind: 'theft' }));
/** Of a phone that nobody said was stolen there is nothing to take back. */
const notStolen = (error: { code?: string }) => {
  if (error.code !== 'STATE_CONFLICT') throw error;
};
const byShop = () => world.shop;
/** The first asks in vain, which is on record; the second's word makes it the shop's. */
const byTwo = async (sale: Sale): Promise<void> => {
  await locks('ORG_OVERRIDE', byShop)(sale);
  await locks('ORG_OVERRIDE', () => world.second)(sale);
};

/** What is taken, how, and whether it is on a phone that is three days late. */
const HELD: Record<string, { cause: LockCause; isLate: boolean; take: (sale: Sale) => Promise<unknown> }> = {
  'a test': { cause: 'enrolment_test', isLate: false, take: locks('ENROLMENT_TEST', byShop) },
  'a theft lock': { cause: 'theft', isLate: false, take: locks('THEFT_REPORTED', ownerOf) },
  'a stolen phone’s camera': { cause: 'theft', isLate: false, take: takes('camera_lock', 'THEFT_REPORTED') },
  'a lock on request': { cause: 'customer_request', isLate: false, take: locks('CUSTOMER_REQUEST', ownerOf) },
  'a camera on request': { cause: 'customer_request', isLate: false, take: takes('camera_lock', 'CUSTOMER_REQUEST') },
  'a late phone’s theft lock': { cause: 'theft', isLate: true, take: locks('THEFT_REPORTED', ownerOf) },
  // Level 3 is the ladder's own.
  'a level for money': { cause: 'debt', isLate: true, take: () => Promise.resolve() },
  'apps paused for money': { cause: 'debt', isLate: true, take: takes('app_lock', 'EMI_OVERDUE') },
  'a wallpaper for money': { cause: 'debt', isLate: true, take: takes('set_wallpaper', 'EMI_OVERDUE') },
  'a level by override': { cause: 'override', isLate: true, take: byTwo },
};

const payAll = async (sale: Sale) => {
  for (const no of [1, 2]) await world.pay(sale, no);
};
/** What happens, and which causes are still there afterwards; every other is gone. */
const HAPPENS: Record<string, { does: (sale: Sale) => Promise<unknown>; leaves: readonly LockCause[] }> = {
  'part of an instalment is paid': {
    does: (sale) => world.pay(sale, 1, 100_00),
    leaves: ['debt', 'override', 'theft', 'customer_request'],
  },
  'the instalment is paid': { does: (sale) => world.pay(sale, 1), leaves: ['theft', 'customer_request'] },
  'the instalment is paid, and the payment reversed': {
    does: async (sale) => {
      const { payment_id: id } = await world.pay(sale, 1);
      await world.inOrg((tx) => world.payments.reverse(tx, world.shop, id, 'bounced'));
    },
    leaves: ['theft', 'customer_request'],
  },
  'everything is paid': { does: payAll, leaves: ['theft', 'customer_request'] },
  'a dispute is opened': {
    does: (sale) =>
      world.inOrg((tx) => world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'No.' })),
    leaves: ['debt', 'override', 'theft', 'customer_request'],
  },
  'a hold is recorded': {
    does: (sale) =>
      world.inOrg((tx) =>
        world.locking.hold(tx, world.shop, {
          customerId: sale.customerId,
          kind: 'medical',
          untilOn: isoDate('2026-03-20'),
          note: '',
        }),
      ),
    leaves: ['debt', 'override', 'theft', 'customer_request', 'enrolment_test'],
  },
  'the phone enrols again': {
    does: (sale) => world.enrol(sale),
    leaves: ['debt', 'override', 'theft', 'customer_request', 'enrolment_test'],
  },
  'the agreement is cancelled': {
    does: async ({ agreement }) => {
      await moveAgreement(world.db, agreement.agreement_id, 'cancelled');
      await world.locking.runLadder(world.db, ORG);
    },
    leaves: ['theft', 'customer_request'],
  },
  'the shop unlocks for money': { does: shopUnlocks('EMI_OVERDUE'), leaves: ['theft', 'customer_request'] },
  'the shop unlocks its override': { does: shopUnlocks('ORG_OVERRIDE'), leaves: ['theft', 'customer_request'] },
  'the shop unlocks on request': { does: shopUnlocks('CUSTOMER_REQUEST'), leaves: ['theft'] },
  'the shop would unlock a stolen phone': {
    does: async (sale) => {
      for (const unlocks of [shopUnlocks, shopUnlocksAll])
        await expect(unlocks('THEFT_REPORTED')(sale)).rejects.toThrow('FEATURE_NOT_ALLOWED');
    },
    leaves: ['debt', 'override', 'theft', 'customer_request', 'enrolment_test'],
  },
  'its owner has a stolen phone back': {
    does: async (sale) => {
      await found(sale).catch(notStolen);
    },
    leaves: ['debt', 'override', 'customer_request', 'enrolment_test'],
  },
  'the shop ends the test': {
    does: shopUnlocks('ENROLMENT_TEST'),
    leaves: ['debt', 'override', 'theft', 'customer_request'],
  },
  'many are unlocked for money': { does: shopUnlocksAll('EMI_OVERDUE'), leaves: ['theft', 'customer_request'] },
};

let world: LockWorld;
const sales = new Map<string, Sale>();
const of = (held: string, happens: string): Sale => sales.get(`${held} / ${happens}`)!;
const EVENTS = [...Object.keys(HAPPENS), 'the fleet is freed'];
/** Restricts from the tenth day, so that an override has something to stand in for. */
const late = {
  ...POLICY_PRESETS.dealer,
  steps: POLICY_PRESETS.dealer.steps.map((step) => (step.level < 3 ? step : { ...step, fromDpd: 10 })),
};

beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  for (const [held, { cause, isLate }] of Object.entries(HELD))
    for (const happens of EVENTS) {
      const policy = cause === 'override' ? { policy: late } : {};
      if (isLate) sales.set(`${held} / ${happens}`, await world.sell({ tenure: 2, ...policy }));
    }
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.at('2026-03-13T14:00:00');
  // The others are sold on this day and owe nothing yet.
  for (const [held, { isLate }] of Object.entries(HELD))
    for (const happens of EVENTS)
      if (!isLate) sales.set(`${held} / ${happens}`, await world.sell({ tenure: 2, deliveredOn: '2026-03-13' }));
}, 120_000);
afterAll(() => world.close());

async function heldOf({ deviceId }: Sale): Promise<Set<LockCause>> {
  const rows = await world.db.asOwner<{ cause: LockCause }>(
    `select cause from locks where device_id = $1 and level > 0 union
     select cause from restrictions where device_id = $1 and given_back_at is null`,
    [deviceId],
  );
  return new Set(rows.map(({ cause }) => cause));
}
/** The document holds what the causes do, no more and no less. */
async function expectFits({ deviceId }: Sale): Promise<void> {
  const [row] = await world.db.asOwner(
    `select w.lock_level as level, (select coalesce(max(level), 0) from locks where device_id = $1) as "ofCauses",
       array(select k from jsonb_each(w.document -> 'toggles') t(k, v) where v = 'true' order by k) as on,
       array(select distinct taken from restrictions where device_id = $1 and given_back_at is null order by taken) as taken
     from device_desired w where w.device_id = $1`,
    [deviceId],
  );
  const { level, ofCauses, on, taken } = row as Record<string, unknown>;
  expect({ level, on }).toEqual({ level: ofCauses, on: taken });
}
async function takeIt(held: string, sale: Sale): Promise<void> {
  const { cause, take } = HELD[held]!;
  await take(sale);
  expect(await heldOf(sale)).toContain(cause);
  await expectFits(sale);
}
const expected = (before: Set<LockCause>, leaves: readonly LockCause[]) =>
  new Set([...before].filter((cause) => leaves.includes(cause)));

describe.each(Object.keys(HELD))('%s', (held) => {
  it.each(Object.keys(HAPPENS))('when %s', async (happens) => {
    const sale = of(held, happens);
    await takeIt(held, sale);
    const before = await heldOf(sale);
    const { does, leaves } = HAPPENS[happens]!;
    await does(sale);
    expect(await heldOf(sale)).toEqual(expected(before, leaves));
    await expectFits(sale);
  });
});

describe('all of them together', () => {
  it('the nightly check finds nothing wrong with any of it', async () => {
    expect(await world.violations()).toEqual([]);
  });

  it('when the fleet is freed: all but theft', async () => {
    for (const held of Object.keys(HELD)) await takeIt(held, of(held, 'the fleet is freed'));
    await world.inOrg((tx) => unlockFleet(tx, world));
    for (const held of Object.keys(HELD)) {
      const sale = of(held, 'the fleet is freed');
      expect(await heldOf(sale)).toEqual(new Set(HELD[held]!.cause === 'theft' ? ['theft'] : []));
      await expectFits(sale);
    }
  });

  it('of a paid-off phone: the last thing to be lifted lets it go, whoever lifts it and however', async () => {
    const gone = async ({ deviceId }: Sale) =>
      (
        await world.db.asOwner<{ gone: boolean }>(
          'select released_at is not null as gone from devices where device_id = $1',
          [deviceId],
        )
      )[0]!.gone;
    const camera = (sale: Sale) =>
      world.inOrg((tx) =>
        world.locking.requestSwitch(tx, world.shop, { ...ordering(sale, 'CUSTOMER_REQUEST'), type: 'camera_unlock' }),
      );
    for (const [held, lifts] of [
      ['a theft lock', found],
      ['a stolen phone’s camera', found],
      ['a camera on request', camera],
    ] as const) {
      const sale = await world.sell({ tenure: 2, deliveredOn: '2026-03-13' });
      await takeIt(held, sale);
      await payAll(sale);
      expect(await gone(sale)).toBe(false);
      await lifts(sale);
      expect([await gone(sale), await heldOf(sale)]).toEqual([true, new Set()]);
    }
  });

  it('a test is over by itself within its 15 minutes, and a day later nothing is held that has no cause', async () => {
    const [again, held] = [of('a test', 'the phone enrols again'), of('a test', 'a hold is recorded')];
    await world.at('2026-03-13T14:15:00');
    await world.locking.runLadder(world.db, ORG);
    for (const sale of [again, held]) expect(await heldOf(sale)).toEqual(new Set());
    await world.day('2026-03-14');
    expect((await world.violations()).map(({ invariant }) => invariant)).toEqual([]);
  });

  it('names every cause there is', () => {
    expect(new Set(Object.values(HELD).map(({ cause }) => cause))).toEqual(
      new Set(REASONS.map((reason) => LOCK_REASONS[reason].cause)),
    );
  });
});
