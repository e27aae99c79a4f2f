import { beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { disputeActs } from '#test/dispute-acts.ts';
import { makeAdmin } from '#test/factories.ts';
import { ORG, type Sale } from '#test/lock-world.ts';
import { paidLate } from '#test/paid-late.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { HOUR, cureActs } from '#test/wrong-lock.ts';
import { lockTimeline } from './lock-timeline.ts';
import { compensations, payCompensation } from './payouts.ts';
import { owedForLocks } from './wrongful.ts';

/** What is owed for several locks of a phone, for a lock that was right after all, and to several customers. */
const world = useLockWorld();
let admin: Actor;
beforeAll(async () => {
  admin = await makeAdmin(world.db, ORG);
});
const { locked, payFor } = cureActs(world);
const { open, uphold } = disputeActs(() => world);

const pay = ({ agreement: { agreement_id } }: Sale, amount: number) =>
  world.inOrg((tx) => payCompensation(tx, admin, { agreement_id, amount, method: 'UPI', reference: '' }));
const owed = async ({ agreement }: Sale) =>
  (await world.db.read(ORG, (tx) => owedForLocks(tx, agreement))).map(({ owed_paise }) => owed_paise);
const told = async ({ agreement }: Sale) =>
  (await world.db.read(ORG, (tx) => lockTimeline(tx, agreement.agreement_id)))!.owed_paise;
const listed = async (...sales: Sale[]) =>
  (await world.db.read(ORG, (tx) => compensations(tx, admin))).filter(({ agreement_id }) =>
    sales.some(({ agreement }) => agreement.agreement_id === agreement_id),
  );
/** A person takes the lock off; the phone says so at once, or some days later. */
async function unlocked(sale: Sale, says = '0 days') {
  await world.inOrg((tx) => world.locking.requestUnlock(tx, world.shop, sale.customerId, { reason: 'EMI_OVERDUE' }));
  await world.db.asOwner(
    `update commands set applied_at = created_at + $2::interval where device_id = $1 and type = 'unlock'`,
    [sale.deviceId, says],
  );
}

it('of several locks a payout is for the oldest first, and counts once: the rest is owed for the later one', async () => {
  const sale = await locked();
  await world.at('2026-03-13T18:00:00');
  await unlocked(sale);
  await world.obey(sale);
  for (const day of ['2026-03-21', '2026-03-22', '2026-03-23', '2026-03-24', '2026-03-25']) await world.day(day);
  await world.obey(sale);
  await world.at('2026-03-25T14:00:00');
  await uphold((await open(sale)).dispute_id);
  await world.at('2026-03-25T15:00:00');
  await world.obey(sale);
  // Half past twelve to six; and two days and two and a half hours.
  expect(await owed(sale)).toEqual([6 * HOUR, 51 * HOUR]);
  expect(await pay(sale, 7 * HOUR)).toMatchObject({ owed_paise: 57 * HOUR, left_paise: 50 * HOUR });
  expect([await owed(sale), await told(sale)]).toEqual([[50 * HOUR], 50 * HOUR]);
  expect(await listed(sale)).toMatchObject([{ owed_paise: 57 * HOUR, paid_paise: 7 * HOUR, left_paise: 50 * HOUR }]);
  await pay(sale, 50 * HOUR);
  expect([await owed(sale), await told(sale)]).toEqual([[], 0]);
  expect(await world.violations()).toEqual([]);
});

it('for a lock that was right after all nothing is owed, nor paid out by hand, however late the phone was free of it; what fell stays listed', async () => {
  const sale = await locked();
  await world.at('2026-03-13T14:00:00');
  await unlocked(sale, '3 days');
  await world.at('2026-03-16T14:30:00');
  await world.obey(sale);
  const { payment_id } = await payFor(sale, '2026-03-12T19:00:00');
  expect(await listed(sale)).toHaveLength(1);
  await world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'the cheque bounced'));
  expect(await owed(sale)).toEqual([]);
  expect(await listed(sale)).toMatchObject([{ owed_paise: 0, left_paise: 0, withdrawn_paise: 74 * HOUR }]);
  const byHand = world.inOrg((tx) =>
    tx.query(
      `insert into compensation_payouts (org_id, payout_id, agreement_id, amount_paise, method, reference, paid_by, paid_at)
       values (kist_org(), gen_random_uuid(), $1, 1, 'CASH', '', $2, kist_now())`,
      [sale.agreement.agreement_id, admin.userId],
    ),
  );
  await expect(byHand).rejects.toThrow('0 paise are owed');
});

it('to whom the most is left to pay out stands first', async () => {
  const [less, more] = [await paidLate(world), await paidLate(world, { isFree: false })];
  await world.at('2026-03-13T18:30:00');
  const inOrder = async () =>
    (await listed(less, more)).map(({ agreement_no, left_paise }) => [agreement_no, left_paise]);
  const [first, second] = [less.agreement.agreement_no, more.agreement.agreement_no];
  expect(await inOrder()).toEqual([
    [second, 1_000_00],
    [first, 500_00],
  ]);
  await pay(more, 800_00);
  expect(await inOrder()).toEqual([
    [first, 500_00],
    [second, 200_00],
  ]);
});
