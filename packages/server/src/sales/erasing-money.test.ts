import { describe, expect, it } from 'vitest';
import * as agreements from '#server/agreements/agreements.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { newId } from '#server/platform/ids.ts';
import { erasingActs } from '#test/erasing-acts.ts';
import { makeBuyer } from '#test/factories.ts';
import { ORG } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

/** What is owed or said to be paid, and the erasure of who owes it. */
const world = useLockWorld();
const { sell, cancel, finished, paidOff, refundsDone, preview, erase, outcome } = erasingActs(world);

describe('an erasure', () => {
  it('is refused while an agreement runs or money is owed back, with the reason, also by the database', async () => {
    const sale = await sell({ isEnrolled: false });
    const insert = () =>
      world.inOrg((tx) =>
        tx.query(
          `insert into erasures (org_id, customer_id, erased_at, asked_by, asked_as, evidence_until, books_until) values ($1, $2, now(), $3, 'shop', '2030-01-01', '2035-01-01')`,
          [ORG, sale.customerId, world.shop.userId],
        ),
      );
    expect(await preview(sale)).toMatchObject({ refused: 'AGREEMENT_RUNS', erased_at: null });
    await expect(erase(sale)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      options: { details: { refused: 'AGREEMENT_RUNS' } },
    });
    await expect(insert()).rejects.toThrow('an agreement runs');
    await cancel(sale);
    const [owed] = await world.db.asOwner<{ count: number }>(
      `select count(*)::int as count from refund_tasks where customer_id = $1 and state = 'open'`,
      [sale.customerId],
    );
    if (owed!.count > 0) {
      expect(await preview(sale)).toMatchObject({ refused: 'REFUND_OPEN' });
      await expect(insert()).rejects.toThrow('a refund is owed');
    }
    await refundsDone(sale);
    expect(await preview(sale)).toMatchObject({ refused: null });
  });

  it('is refused until the shop has answered what the customer said was paid, also by the database; of who is erased nothing is said any more', async () => {
    const sale = await finished();
    const person = await makeBuyer(world.db, world.shop, sale.customerId);
    const payment_id = newId();
    const claim = { payment_id, amount: 100_00, method: 'CASH' as const, reference: '' };
    await world.inOrg((tx) => world.payments.claim(tx, person, claim));
    expect(await preview(sale)).toMatchObject({ refused: 'CLAIM_OPEN', erased_at: null });
    await expect(erase(sale)).rejects.toMatchObject({ options: { details: { refused: 'CLAIM_OPEN' } } });
    const insert = world.inOrg((tx) =>
      tx.query(
        `insert into erasures (org_id, customer_id, erased_at, asked_by, asked_as, evidence_until, books_until) values ($1, $2, now(), $3, 'shop', '2030-01-01', '2035-01-01')`,
        [ORG, sale.customerId, world.shop.userId],
      ),
    );
    await expect(insert).rejects.toThrow('has not answered');
    await world.inOrg((tx) =>
      world.payments.answerClaim(tx, world.shop, { payment_id, is_received: false, reason: 'nothing came' }),
    );
    expect(await erase(sale)).toMatchObject({ refused: null, erased_at: expect.any(String) });
    const again = world.inOrg((tx) => world.payments.claim(tx, person, { ...claim, payment_id: newId() }));
    await expect(again).rejects.toThrow('the customer was erased');
  });

  it('makes no agreement run again: money that bounces is refused, also by the database; late money comes in, goes back and is texted to nobody', async () => {
    const sale = await paidOff();
    const { agreement_id } = sale.agreement;
    const [payment] = await world.db.asOwner<{ payment_id: string }>(
      `select payment_id from payments where agreement_id = $1 and goes_to = 'dues' limit 1`,
      [agreement_id],
    );
    const bounce = () => world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment!.payment_id, 'bounced'));
    await erase(sale);
    await expect(bounce()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const runs = `update agreements set state = 'active', completed_at = null where agreement_id = '${agreement_id}'`;
    await expect(world.inOrg((tx) => tx.query(runs))).rejects.toThrow('the customer was erased');
    const leaving = async () =>
      (await world.db.asOwner(`select from notices where agreement_id = $1`, [agreement_id])).length;
    const before = await leaving();
    const { instalmentIds } = await world.db.read(ORG, (tx) => agreements.account(tx, { agreement_id }));
    const late = await world.inOrg((tx) =>
      world.payments.record(tx, world.shop, {
        instalment_id: instalmentIds.get(1)!,
        amount: 100_00,
        method: 'CASH',
        reference: '',
        accept_overpayment: true,
      }),
    );
    expect(await leaving()).toBe(before);
    expect(late.receipt_no).toEqual(expect.any(String));
    await refundsDone(sale);
    expect((await ledger.checkWhole(world.db, ORG)).faults).toEqual([]);
    await world.db.plant(['agreements'], runs, []);
    expect((await ledger.checkWhole(world.db, ORG)).faults).toContainEqual(
      expect.stringContaining('active of a customer who was erased'),
    );
    await world.db.plant(
      ['agreements'],
      `update agreements set state = 'completed', completed_at = kist_now() where agreement_id = $1`,
      [agreement_id],
    );
  });

  it('waits for money that is taken back beside it, and is refused then', async () => {
    const sale = await paidOff();
    const [payment] = await world.db.asOwner<{ payment_id: string }>(
      `select payment_id from payments where agreement_id = $1 and goes_to = 'dues' limit 1`,
      [sale.agreement.agreement_id],
    );
    let beside: Promise<string> | undefined;
    await world.inOrg(async (tx) => {
      await world.payments.reverse(tx, world.shop, payment!.payment_id, 'bounced');
      beside = outcome(erase(sale));
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    expect(await beside).toMatch('STATE_CONFLICT');
  });
});
