import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type IsoDate, addDays, isoDate } from '@kist/contract/dates';
import { POLICY_PRESETS, lockPolicySchema } from '@kist/contract/lock-policy';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { agreementsToTell } from './notice-run-store.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
beforeEach(() => world.at('2026-02-01T12:00:00'));
afterAll(() => world.close());

const reminding = (offsetDays: number) => ({ ...POLICY_PRESETS.dealer, reminderOffsetDays: [offsetDays] });
const remindersOf = async ({ agreement: { agreement_id } }: Sale) =>
  (
    await world.db.asOwner<{ due_on: string }>(
      `select due_on::text from notices where agreement_id = $1 and kind = 'reminder' and channel = 'sms'`,
      [agreement_id],
    )
  ).map(({ due_on }) => due_on);
/** What a run at this moment reminds of. */
async function remindedAt(ist: string, sale: Sale) {
  await world.at(ist);
  await world.locking.sendDueNotices(world.db, ORG);
  return remindersOf(sale);
}

it('a policy may remind thirty days ahead and no more, and then the run looks as far', async () => {
  const asked = [-30, -31].map((days) => lockPolicySchema.safeParse(reminding(days)).success);
  expect(asked).toEqual([true, false]);
  const sale = await world.sell({ policy: reminding(-30), deliveredOn: '2026-02-01' });
  const [first] = await world.db.asOwner<{ due_on: string; early: string; ahead: string }>(
    `select due_on::text, (due_on - 31)::text as early, (due_on - 30)::text as ahead from instalments where agreement_id = $1 and no = 2`,
    [sale.agreement.agreement_id],
  );
  await world.pay(sale, 1);
  expect(await remindedAt(`${first!.early}T12:00:00`, sale)).toEqual([]);
  expect(await remindedAt(`${first!.ahead}T12:00:00`, sale)).toEqual([first!.due_on]);
});

it('whom the policy has no word for yet is not looked at, unless another policy is tried that reminds earlier', async () => {
  const sale = await world.sell({ policy: reminding(-3), deliveredOn: '2026-02-01' });
  const { agreement_id } = sale.agreement;
  const [first] = await world.db.asOwner<{ due_on: string }>(
    `select due_on::text from instalments where agreement_id = $1 and no = 1`,
    [agreement_id],
  );
  const found = (daysBefore: number, ahead: number | null) =>
    world.db.read(ORG, async (tx) => {
      const on = addDays(isoDate(first!.due_on), -daysBefore);
      const rows = await agreementsToTell.all(tx, { on, ahead, after: null, limit: 1000 });
      return rows.some((row) => row.agreement_id === agreement_id);
    });
  expect([await found(4, null), await found(3, null), await found(0, null), await found(-40, null)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect([await found(8, 7), await found(7, 7)]).toEqual([false, true]);
});

it('whoever wants no reminder at all is looked at when something is late', async () => {
  const sale = await world.sell({
    policy: { ...POLICY_PRESETS.dealer, reminderOffsetDays: [] },
    deliveredOn: '2026-02-01',
  });
  const of = async (on: IsoDate) =>
    (await world.db.read(ORG, (tx) => agreementsToTell.all(tx, { on, ahead: null, after: null, limit: 1000 }))).some(
      (row) => row.agreement_id === sale.agreement.agreement_id,
    );
  const [first] = await world.db.asOwner<{ due_on: string }>(
    `select due_on::text from instalments where agreement_id = $1 and no = 1`,
    [sale.agreement.agreement_id],
  );
  expect([await of(addDays(isoDate(first!.due_on), -1)), await of(addDays(isoDate(first!.due_on), 1))]).toEqual([
    false,
    true,
  ]);
});
