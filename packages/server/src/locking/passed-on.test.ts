import { type IsoDate, addDays, isoDate } from '@kist/contract/dates';
import type { LockReason } from '@kist/contract/lock-policy';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { renewLink } from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';
import { disputeActs } from '#test/dispute-acts.ts';
import { makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { duringTransfer, passOn } from '#test/passing-on.ts';
import { bellLines } from '#test/rung.ts';
import { refusePhoneClaim } from './phone-claims.ts';

let world: LockWorld;
let other: Actor;
let sale: Sale;
const DUE = isoDate('2026-03-10');
const { ownerOf, open, answer } = disputeActs(() => world);

beforeAll(async () => {
  world = await createLockWorld();
  other = await makeRetailer(world.db, ORG);
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.forgetDays();
  await world.at('2026-03-08T09:00:00');
  sale = await world.sell();
});

test('a bell tells the shop of before that something happened, and not whom of by now', async () => {
  await complaint();
  const told = async (by: Actor) => (await bellLines(world.db, by)).find(({ kind }) => kind === 'dispute_opened');
  expect(await told(world.shop)).toMatchObject({ customer_id: sale.customerId, customer_name: 'Irfan Shaikh' });
  await world.inOrg((tx) => passOn(tx, world.shop, other, sale));
  await world.db.asOwner(`update customers set last_name = 'Qureshi' where customer_id = $1`, [sale.customerId]);
  expect(await told(world.shop)).toMatchObject({ customer_id: null, customer_name: '' });
});

/** What a shop orders of a customer who passes to another shop while the order waits. */
type Act = (tx: Tx, actor: Actor) => Promise<unknown>;
const order = (reason: LockReason) => ({ reason, note: 'at the counter' });
const complaint = async () => (await open(sale)).dispute_id;
/** The days of the sale until nothing is in the way of its next level. */
async function overdue(days: number): Promise<void> {
  for (let dpd = 1; dpd <= days; dpd += 1) await world.day(addDays(DUE, dpd));
  await world.at(`${addDays(DUE, days) as IsoDate}T13:30:00`);
}
/** Each with what has to be there before. */
const ACTS: Record<string, () => Promise<Act>> = {
  'a hold': async () => (tx, actor) =>
    world.locking.hold(tx, actor, {
      customerId: sale.customerId,
      kind: 'medical',
      untilOn: addDays(DUE, 5),
      note: 'in hospital',
    }),
  'the end of a hold': async () => {
    const given = { customerId: sale.customerId, kind: 'medical', untilOn: addDays(DUE, 5), note: 'ill' } as const;
    const { hold_id: holdId } = await world.inOrg((tx) => world.locking.hold(tx, world.shop, given));
    return (tx, actor) => world.locking.liftHold(tx, actor, { holdId, note: 'well again' });
  },
  'another link to the messages': async () => (tx, actor) => renewLink(tx, actor, { customer_id: sale.customerId }),
  'a no to what was said on the phone': async () => {
    await overdue(2);
    await world.tell(sale, { kind: 'payment_claimed', at: `${addDays(DUE, 2)}T13:29:00` });
    const [claim] = await world.db.asOwner<{ claim_id: string }>(
      `select claim_id from phone_claims where customer_id = $1 and state = 'open'`,
      [sale.customerId],
    );
    return (tx, actor) => refusePhoneClaim(tx, actor, { claim_id: claim!.claim_id, reason: 'nothing came in' });
  },
  'a complaint': async () => (tx, actor) =>
    world.locking.openDispute(tx, actor, { customerId: sale.customerId, text: 'paid in cash' }),
  'an answer to a complaint': async () => {
    const disputeId = await complaint();
    return (tx, actor) => world.locking.closeDispute(tx, actor, { disputeId, outcome: 'no payment found' });
  },
  'a complaint that goes further': async () => {
    const disputeId = await complaint();
    await answer(disputeId);
    return (tx, actor) => world.locking.escalateDispute(tx, actor, { disputeId, text: 'ask my brother' });
  },
  'a reminder': async () => (tx, actor) => world.notices.sendAlert(tx, actor, sale.customerId),
  'a reminder on the phone': async () => (tx, actor) =>
    world.notices.alertOnPhone(tx, actor, { customerId: sale.customerId }, async () => {
      throw new Error('ordered');
    }),
  'a lock': async () => {
    await overdue(2);
    return (tx, actor) => world.locking.requestLock(tx, actor, sale.customerId, order('EMI_OVERDUE'));
  },
  'a lock that the gate refuses': async () => (tx, actor) =>
    world.locking.requestLock(tx, actor, sale.customerId, order('EMI_OVERDUE')),
  'an unlock': async () => {
    await overdue(2);
    return (tx, actor) => world.locking.requestUnlock(tx, actor, sale.customerId, order('EMI_OVERDUE'));
  },
  'a switch': async () => (tx, actor) =>
    world.locking.requestSwitch(tx, actor, {
      customerId: sale.customerId,
      type: 'camera_lock',
      ...order('EMI_OVERDUE'),
    }),
  'a switch given back': async () => (tx, actor) =>
    world.locking.requestSwitch(tx, actor, {
      customerId: sale.customerId,
      type: 'camera_unlock',
      ...order('EMI_OVERDUE'),
    }),
  'a theft': async () => (tx, actor) =>
    world.locking.reportTheft(tx, actor, { customerId: sale.customerId, otp: '123456', note: 'at the market' }),
  'the end of a theft': async () => {
    const given = { customerId: sale.customerId, kind: 'theft', note: '' } as const;
    await world.inOrg((tx) => world.locking.reportLost(tx, ownerOf(sale), given));
    return (tx, actor) =>
      world.locking.liftTheft(tx, actor, { customerId: sale.customerId, otp: '123456', reason: 'seen at the shop' });
  },
};
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
const written = () =>
  world.db.asOwner(
    `select (select count(*)::int from holds) as holds, (select count(*)::int from holds where lifted_at is not null) as lifted,
       (select count(*)::int from phone_claims where state = 'refused') as refused, (select count(*)::int from dispute_moves) as moves, (select count(*)::int from notices) as notices, (select count(*)::int from verdicts) as verdicts,
       (select count(*)::int from commands) as commands, (select sum(revision)::int from device_desired) as revisions`,
  );
const waiting = (act: Act) =>
  duringTransfer(world.db, { from: world.shop, to: other, of: sale, act: (tx) => act(tx, world.shop) });

describe('while a transfer holds the customer', () => {
  test.each(Object.keys(ACTS))(
    '%s of the shop of before waits, is told that it has no such customer, and nothing is written',
    async (what) => {
      const act = await ACTS[what]!();
      const before = await written();
      expect(await code(waiting(act))).toBe('NOT_FOUND');
      expect(await written()).toEqual(before);
      // As for any customer that is not its own.
      expect(await code(world.inOrg((tx) => act(tx, world.shop)))).toBe('NOT_FOUND');
      expect(await code(world.inOrg((tx) => act(tx, other)))).not.toBe('NOT_FOUND');
    },
  );

  test('what is ordered of many leaves out who passed on', async () => {
    await overdue(2);
    const stays = await world.sell();
    const ids = [sale.customerId, stays.customerId];
    const unlock = { command: 'unlock', reason: 'EMI_OVERDUE', customer_ids: ids, dry_run: false } as const;
    const done = await waiting((tx, actor) => world.locking.bulk(tx, actor, unlock));
    expect(done).toMatchObject({
      allowed: 1,
      refused: 1,
      refusals: [{ customer_id: sale.customerId, rule: 'NOT_ENROLLED' }],
    });
    await world.inOrg((tx) => passOn(tx, other, world.shop, sale));
    const told = await waiting((tx, actor) => world.notices.sendAlerts(tx, actor, ids));
    expect(told).toMatchObject({
      reminded: 1,
      refused: 1,
      refusals: [{ customer_id: sale.customerId, code: 'STATE_CONFLICT' }],
    });
    const notices = await world.db.asOwner(`select from notices where kind = 'alert' and customer_id = $1`, [
      sale.customerId,
    ]);
    expect(notices).toEqual([]);
  });
});
