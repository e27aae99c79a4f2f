import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as agreements from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as payments from '#server/payments/payments.ts';
import { cancellingActs } from '#test/cancelling-acts.ts';
import { makeAdmin, makeCharge, makePenalRule, makeRetailer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld, customerOf } from '#test/lock-world.ts';
import { causesOf, heldByOverrideAlone } from '#test/override-alone.ts';
import * as sales from './sales.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

const { sell, cancelIn, cancel, stateOf, faults } = cancellingActs(() => world);
const preview = ({ customerId: customer_id }: Sale, by: Actor = world.shop) =>
  world.inOrg((tx) => sales.previewCancellation(tx, by, { customer_id }));
/** What an agreement has on each account, grown on its debit side. */
const onTheBooks = async ({ agreement }: Sale) =>
  Object.fromEntries(
    (
      await world.db.asOwner<{ code: string; paise: string }>(
        `select a.code, sum(l.debit - l.credit) as paise from journal_lines l join accounts a using (org_id, account_id)
         where l.agreement_id = $1 group by a.code having sum(l.debit - l.credit) <> 0`,
        [agreement.agreement_id],
      )
    ).map(({ code, paise }) => [code, Number(paise)]),
  );
const refundsOf = ({ agreement }: Sale) =>
  world.db.asOwner<{ amount: number; state: string }>(
    'select amount_paise::int as amount, state from refund_tasks where agreement_id = $1 order by amount_paise',
    [agreement.agreement_id],
  );

describe('a cancelled agreement', () => {
  it('of a phone that was never set up: nothing is owed, what was paid goes back, the key returns, the set-up code is dead', async () => {
    const sale = await sell({ isEnrolled: false });
    const { agreement_id, down_payment_paise, total_payable_paise } = sale.agreement;
    const { refused, ...said } = await preview(sale);
    expect(refused).toBeNull();
    expect(said).toMatchObject({ given_up_paise: total_payable_paise, refund_paise: down_payment_paise, key: 'NONE' });
    expect(await cancel(sale)).toEqual({
      ...said,
      channel: 'NEVER_OPENED',
      lock: 'NONE',
      disputes_answered: 0,
      holds_lifted: 0,
    });
    expect(await stateOf(sale)).toBe('cancelled');
    expect(await onTheBooks(sale)).toEqual(
      down_payment_paise === 0 ? {} : { clearing_cash: down_payment_paise, refunds_payable: 0 - down_payment_paise },
    );
    expect(await faults()).toEqual([]);
    const refunds = (
      await world.db.asOwner<{ id: string }>('select payment_id as id from refund_tasks where agreement_id = $1', [
        agreement_id,
      ])
    ).map(({ id }) => id);
    const [line] = await world.db.asOwner(
      `select data from audit_lines where subject_id = $1 and action = 'agreement_cancelled'`,
      [agreement_id],
    );
    expect(line).toMatchObject({ data: { refund_paise: down_payment_paise, refunds } });
    const [move] = await world.db.asOwner(
      'select from_state, to_state, moved_by, reason from agreement_moves where agreement_id = $1 order by no desc limit 1',
      [agreement_id],
    );
    expect(move).toEqual({
      from_state: 'active',
      to_state: 'cancelled',
      moved_by: world.shop.userId,
      reason: 'given back',
    });
  });

  it('of a locked phone that is given back: everything comes off first, then it is let go; complaint and hold end', async () => {
    const sale = await sell();
    for (const day of ['2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(3);
    await world.inOrg((tx) =>
      world.locking.openDispute(tx, world.shop, { customerId: sale.customerId, text: 'I gave it back' }),
    );
    await world.inOrg((tx) =>
      world.locking.hold(tx, world.second, {
        customerId: sale.customerId,
        kind: 'hardship',
        untilOn: '2026-03-20' as never,
        note: 'ill',
      }),
    );
    expect(await cancel(sale)).toMatchObject({
      channel: 'ENDS_WHEN_FREE',
      lock: 'LIFTED',
      key: 'SPENT',
      disputes_answered: 1,
      holds_lifted: 1,
    });
    expect(await world.levelOf(sale)).toBe(0);
    await world.obey(sale);
    for (const day of ['2026-03-20', '2026-04-15']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(0);
    expect(await world.violations()).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  it('of a phone that an override alone holds lets it go as well', async () => {
    const sale = await heldByOverrideAlone(world);
    expect(await causesOf(world, sale)).toEqual(['override']);
    expect(await cancel(sale)).toMatchObject({ channel: 'ENDS_WHEN_FREE', lock: 'LIFTED' });
    expect([await causesOf(world, sale), await world.levelOf(sale)]).toEqual([[], 0]);
  });

  it('stays cancelled, whatever comes: money for it goes back, its payments are not taken back, nobody cancels it twice', async () => {
    const sale = await sell();
    const { payment_id } = await world.pay(sale, 1);
    await cancel(sale);
    await expect(cancel(sale)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(preview(sale)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(
      world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'bounced')),
    ).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const late = await world.pay(sale, 2, 100_00);
    expect(late.agreement_state).toBe('cancelled');
    // Nobody is told a debt that is none, by the receipt or by the message that goes with it.
    expect([late.outstanding_paise, late.overdue_paise]).toEqual([0, 0]);
    expect(late.share_text).toMatch(/more than was owed.*The shop will pay it back/);
    for (const { amount } of await refundsOf(sale)) expect(amount).toBeGreaterThan(0);
    await world.inOrg((tx) => payments.refundDone(tx, world.shop, { payment_id, method: 'CASH', reference: '' }));
    expect(await faults()).toEqual([]);
    await expect(
      world.db.asOwner(`update agreements set state = 'active' where agreement_id = $1`, [sale.agreement.agreement_id]),
    ).rejects.toThrow('active does not follow cancelled');
  });

  it('opens the refunds of however many payments in one statement', async () => {
    const sale = await sell();
    for (const no of [1, 2, 3]) await world.pay(sale, no);
    const sent: string[] = [];
    await world.inOrg((tx) =>
      cancelIn(
        {
          ...tx,
          orgId: tx.orgId,
          ports: tx.ports,
          afterCommit: (hint) => tx.afterCommit(hint),
          query: (text, values, name) => {
            sent.push(text);
            return tx.query(text, values, name);
          },
        },
        sale,
      ),
    );
    expect((await refundsOf(sale)).length).toBeGreaterThanOrEqual(3);
    expect(sent.filter((text) => text.includes('insert into refund_tasks'))).toHaveLength(1);
  });

  it('takes its late fees along: those that stand, those that were paid, those that were waived', async () => {
    await makePenalRule(world.db, ORG, { waiver_limit_paise: 500_00 });
    const sale = await sell();
    const charges: string[] = [];
    for (const [day, amount] of [
      ['18', 50_00],
      ['19', 30_00],
      ['20', 20_00],
    ] as const) {
      await world.at(`2026-03-${day}T12:00:00`);
      charges.push(await makeCharge(world.db, ORG, { customer_id: sale.customerId, amount }));
    }
    await world.inOrg((tx) =>
      payments.waivePenalty(tx, world.notices, world.shop, { charge_id: charges[0]!, amount: 30_00, reason: 'new' }),
    );
    const opened = await world.db.read(ORG, (tx) =>
      agreements.account(tx, { agreement_id: sale.agreement.agreement_id }),
    );
    await world.inOrg((tx) =>
      world.payments.record(tx, world.shop, {
        instalment_id: opened.instalmentIds.get(1)!,
        amount: 25_00,
        method: 'CASH',
        reference: '',
        charge_id: charges[1]!,
      }),
    );
    await cancel(sale);
    const left = await onTheBooks(sale);
    expect(Object.keys(left).sort()).toEqual(['clearing_cash', 'income_penal', 'refunds_payable', 'waivers']);
    expect([left['income_penal'], left['waivers']]).toEqual([-30_00, 30_00]);
    expect(await faults()).toEqual([]);
    await expect(
      world.inOrg((tx) =>
        payments.waivePenalty(tx, world.notices, world.shop, { charge_id: charges[2]!, reason: 'too late' }),
      ),
    ).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it(
    'leaves nothing on the books but tills and what is owed back, however it was paid',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ no: fc.integer({ min: 1, max: 6 }), paise: fc.integer({ min: 1, max: 9_000_00 }) }), {
            maxLength: 5,
          }),
          async (paid) => {
            const sale = await sell();
            for (const { no, paise } of paid) await world.pay(sale, no, paise).catch(() => undefined);
            if ((await stateOf(sale)) !== 'active') return;
            const { refused, ...said } = await preview(sale);
            expect(refused).toBeNull();
            expect(await cancel(sale)).toMatchObject(said);
            expect((await refundsOf(sale)).reduce((sum, { amount }) => sum + amount, 0)).toBe(said.refund_paise);
            const left = await onTheBooks(sale);
            expect(left).toEqual(
              said.refund_paise === 0 ? {} : { clearing_cash: said.refund_paise, refunds_payable: -said.refund_paise },
            );
            expect(await faults()).toEqual([]);
          },
        ),
        { numRuns: 12 },
      );
    },
  );
});

describe('who cancels', () => {
  it('is the shop whose customer it is and that activates phones: no other shop, not the customer', async () => {
    const sale = await sell();
    const stranger = await makeRetailer(world.db, ORG);
    const barred = { ...world.shop, access: { ...world.shop.access, active_deactive: '0' as const } };
    const owner = customerOf(world, sale);
    for (const ask of [preview, cancel] as const) {
      await expect(ask(sale, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(ask(sale, barred)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
      await expect(ask(sale, owner)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
    }
    expect(await stateOf(sale)).toBe('active');
  });

  it('sees what money goes back only with the word that lets one see money', async () => {
    const sale = await sell();
    const blind = { ...world.shop, lockAccess: { ...world.shop.lockAccess, read: '0' as const } };
    await expect(preview(sale, blind)).rejects.toMatchObject({ code: 'FEATURE_NOT_ALLOWED' });
    await expect(preview(sale)).resolves.toMatchObject({ key: 'SPENT' });
  });

  it('waits while the phone is held for its owner: nothing of it is done until the owner takes that word back', async () => {
    const sale = await sell();
    const owner = customerOf(world, sale);
    await world.inOrg((tx) =>
      world.locking.reportLost(tx, owner, { customerId: sale.customerId, kind: 'theft', note: '' }),
    );
    expect(await preview(sale)).toMatchObject({ refused: 'HELD_FOR_OWNER' });
    await expect(cancel(sale)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect([await stateOf(sale), await refundsOf(sale)]).toEqual(['active', []]);
    await world.inOrg((tx) => world.locking.withdrawLost(tx, owner, { customerId: sale.customerId, kind: 'theft' }));
    expect(await preview(sale)).toMatchObject({ refused: null });
    await cancel(sale);
    expect(await stateOf(sale)).toBe('cancelled');
  });
});

it('a waiver that waited for its second person is not granted any more; it can still be refused', async () => {
  await makePenalRule(world.db, ORG, { waiver_limit_paise: 10_00 });
  const sale = await sell();
  await world.at('2026-03-18T12:00:00');
  const charge_id = await makeCharge(world.db, ORG, { customer_id: sale.customerId, amount: 100_00 });
  const { waiver_id } = await world.inOrg((tx) =>
    payments.waivePenalty(tx, world.notices, world.shop, { charge_id, amount: 50_00, reason: 'was ill' }),
  );
  await cancel(sale);
  const admin = await makeAdmin(world.db, ORG);
  const decide = (is_granted: boolean) =>
    world.inOrg((tx) => payments.decideWaiver(tx, world.notices, admin, { waiver_id, is_granted }));
  await expect(decide(true)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await decide(false)).toMatchObject({ state: 'refused' });
  expect(await faults()).toEqual([]);
});
