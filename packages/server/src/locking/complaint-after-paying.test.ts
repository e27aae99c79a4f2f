import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLAN, PROVISIONING } from '@kist/contract/codes';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import * as agreements from '#server/agreements/agreements.ts';
import { create } from '#server/devices/devices.ts';
import { noticePage } from '#server/reports/reports.ts';
import { disputeActs } from '#test/dispute-acts.ts';
import { imei, terms } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { owedForLocks } from './wrongful.ts';

const HOUR = 250_00;
const policy = { ...POLICY_PRESETS.dealer, compensationPaisePerHour: HOUR };
let world: LockWorld;
let admin: LockWorld['shop'];
beforeAll(async () => {
  world = await createLockWorld();
  admin = { ...world.shop, userType: 'admin', visibleOwnerIds: [] };
});
afterAll(() => world.close());
beforeEach(() => world.forgetDays());

/** Due on the tenth, locked on the thirteenth at half past twelve, and paid at two. */
async function lockedAndPaid(tenure = 6): Promise<Sale> {
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell({ policy, tenure });
  for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.obey(sale);
  await world.at('2026-03-13T14:00:00');
  await world.pay(sale, 1);
  await world.obey(sale);
  return sale;
}
const { open, answer, uphold, further, ownerOf } = disputeActs(() => world);
const instalment = async ({ agreement }: Sale, no: number) =>
  (
    await world.db.asOwner<{ id: string }>(
      'select instalment_id as id from instalments where agreement_id = $1 and no = $2',
      [agreement.agreement_id, no],
    )
  )[0]!.id;
const owed = async ({ agreement: { agreement_id } }: Sale) =>
  (await world.db.read(ORG, (tx) => owedForLocks(tx, { agreement_id, policy }))).map(({ rule, owed_paise }) => [
    rule,
    owed_paise,
  ]);
const lastMessage = async ({ agreement }: Sale) =>
  (
    await world.db.asOwner<{ body: string }>(
      `select body from notices where agreement_id = $1 and kind = 'dispute' order by no desc limit 1`,
      [agreement.agreement_id],
    )
  )[0]?.body;
const byLink = ({ agreement }: Sale, instalmentNo: number) =>
  world.inOrg((tx) =>
    world.locking.openByLink(tx, { agreementId: agreement.agreement_id, instalmentNo, text: 'I had paid.' }),
  );
const onPage = async ({ agreement: { agreement_id }, customerId: customer_id, deviceId: device_id }: Sale) =>
  (await world.db.read(ORG, (tx) => noticePage(tx, { agreement_id, customer_id, device_id }))).disputable.map(
    ({ no }) => no,
  );

describe('who paid under a lock can still say that it was wrong', () => {
  it('in the app: where they were right, every hour of it is owed', async () => {
    const sale = await lockedAndPaid();
    expect(await owed(sale)).toEqual([]);
    const { dispute_id, state } = await open(sale, ownerOf(sale), await instalment(sale, 1));
    expect(state).toBe('open');
    await uphold(dispute_id);
    expect(await owed(sale)).toEqual([['wrongful', 2 * HOUR]]);
    expect(await world.violations()).toEqual([]);
  });

  it('by the link of the notices, whose page offers that EMI', async () => {
    const sale = await lockedAndPaid();
    expect(await onPage(sale)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await byLink(sale, 1)).toMatchObject({ state: 'open' });
    expect(await onPage(sale)).toEqual([2, 3, 4, 5, 6]);
  });

  it('also of the last EMI, and takes the answer further: what was held for money is not over with the agreement', async () => {
    const sale = await lockedAndPaid(1);
    expect(await onPage(sale)).toEqual([1]);
    const { dispute_id } = await open(sale, ownerOf(sale), await instalment(sale, 1));
    await answer(dispute_id);
    expect(await lastMessage(sale)).toMatch(/has ended\. .+ has a reply\. .+ take it to the company by 20-03-2026/);
    await further(dispute_id, ownerOf(sale));
    await uphold(dispute_id, admin);
    expect(await lastMessage(sale)).toMatch(/has ended\. .+ is closed with a reply/);
    expect(await owed(sale)).toEqual([['wrongful', 2 * HOUR]]);
    const bells = await world.db.asOwner<{ kind: string }>(
      `select kind from notifications where kind like 'dispute%' and customer_id = $1 order by created_at`,
      [sale.customerId],
    );
    expect(bells.map(({ kind }) => kind)).toEqual(['dispute_opened', 'dispute_escalated', 'dispute_decided']);
    expect(await world.violations()).toEqual([]);
  });
});

it('of an EMI that is paid and that nothing was locked for there is nothing to complain of', async () => {
  const sale = await lockedAndPaid();
  await world.pay(sale, 2);
  await expect(open(sale, ownerOf(sale), await instalment(sale, 2))).rejects.toThrow('STATE_CONFLICT');
  await expect(byLink(sale, 2)).rejects.toThrow('STATE_CONFLICT');
  expect(await onPage(sale)).toEqual([1, 3, 4, 5, 6]);
  await world.at('2026-03-05T12:00:00');
  const paidUp = await world.sell({ policy, tenure: 1 });
  await world.pay(paidUp, 1);
  await expect(open(paidUp, ownerOf(paidUp), await instalment(paidUp, 1))).rejects.toThrow('STATE_CONFLICT');
});

/** The same customer buys the next phone. */
const sellNext = ({ customerId }: Sale, tac = 888_001) =>
  world.inOrg(async (tx) => {
    const phone = { provisioningType: PROVISIONING.DPC, imei1: imei(tac), brand: 'Redmi', model: '13C' };
    const device_id = await create(tx, world.shop, { ...phone, customerId });
    const of = { customer_id: customerId, device_id, owner_user_id: world.shop.userId, plan_type: PLAN.DPC };
    const deal = terms({ delivered_on: '2026-03-12', down_payment: 0 });
    return agreements.open(tx, world.shop, { ...of, terms: deal, policy });
  });

it('nothing is said any more of an agreement that another of the same customer followed, by link or app', async () => {
  const sale = await lockedAndPaid(1);
  const first = await instalment(sale, 1);
  const { dispute_id } = await open(sale, ownerOf(sale), first);
  await answer(dispute_id);
  await sellNext(sale);
  await expect(byLink(sale, 1)).rejects.toThrow('STATE_CONFLICT');
  await expect(open(sale, ownerOf(sale), first)).rejects.toThrow('NOT_FOUND');
  await expect(further(dispute_id, ownerOf(sale))).rejects.toThrow('STATE_CONFLICT');
});

it('what waits for an answer when another agreement follows is answered as the last word: customer and shop hear of it', async () => {
  const bellsOf = async ({ customerId }: Sale) =>
    (
      await world.db.asOwner<{ kind: string }>(
        `select kind from notifications where kind like 'dispute%' and customer_id = $1 order by created_at`,
        [customerId],
      )
    ).map(({ kind }) => kind);
  const asked = await lockedAndPaid(1);
  const { dispute_id: waits } = await open(asked, ownerOf(asked), await instalment(asked, 1));
  await sellNext(asked, 888_002);
  await answer(waits);
  expect(await lastMessage(asked)).toMatch(/has ended\. .+ is closed with a reply/);
  await world.forgetDays();
  const taken = await lockedAndPaid(1);
  const { dispute_id: goesOn } = await open(taken, ownerOf(taken), await instalment(taken, 1));
  await answer(goesOn);
  await further(goesOn, ownerOf(taken));
  await sellNext(taken, 888_003);
  await uphold(goesOn, admin);
  expect(await lastMessage(taken)).toMatch(/has ended\. .+ is closed with a reply/);
  expect(await bellsOf(taken)).toEqual(['dispute_opened', 'dispute_escalated', 'dispute_decided']);
});
