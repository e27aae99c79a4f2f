import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as agreements from '#server/agreements/agreements.ts';
import { isoDate } from '@kist/contract/dates';
import { paise } from '@kist/contract/money';
import * as ledger from '#server/ledger/ledger.ts';
import * as payments from '#server/payments/payments.ts';
import type { Tx } from '#server/platform/database.ts';
import { cancellingActs } from '#test/cancelling-acts.ts';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

const { sell, cancel, stateOf, faults } = cancellingActs(() => world);

describe('the database, of a cancelled agreement,', () => {
  it('refuses a cancelled agreement without its journal', async () => {
    const { agreement } = await sell();
    await expect(
      world.db.asOwner(
        `with move as (
           insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
           values (20, $1, 2, 'active', 'cancelled', $2, kist_now(), 'by hand')
         )
         update agreements set state = 'cancelled' where agreement_id = $1`,
        [agreement.agreement_id, world.shop.userId],
      ),
    ).rejects.toThrow('is cancelled without its journal');
  });

  it('refuses one whose payments are not owed back', async () => {
    const sale = await sell();
    await world.pay(sale, 1);
    await expect(
      world.inOrg(async (tx) => {
        const opened = await agreements.accountToChange(tx, { agreement_id: sale.agreement.agreement_id });
        await agreements.cancel(tx, world.shop, opened, { reason: 'half done' });
      }),
    ).rejects.toThrow('something of it is left on the books');
    expect(await stateOf(sale)).toBe('active');
  });

  /** A journal of the books and a refund's row as somebody writes them who only wants the sums to fit. */
  const cookBooks = (
    tx: Tx,
    sale: Sale,
    given: { effectKey: string; kind: string; from: string; to: string; paymentId: string; amount: number },
  ) =>
    ledger.post(tx, {
      effectKey: given.effectKey,
      kind: given.kind as ledger.Posting['kind'],
      refKind: 'payment',
      refId: given.paymentId,
      businessOn: isoDate('2026-02-11'),
      lines: (['debit', 'credit'] as const).map((side) => {
        const code = (side === 'debit' ? given.from : given.to) as ledger.Line['code'];
        const owner = code.startsWith('clearing_') ? { ownerId: world.shop.userId } : {};
        return {
          code,
          ...owner,
          side,
          amount: paise(given.amount),
          agreement_id: sale.agreement.agreement_id,
          payment_id: given.paymentId,
        };
      }),
    });
  const oneOf = async ({ agreement }: Sale, goesTo: string) =>
    (
      await world.db.asOwner<{ id: string; amount: number }>(
        `select payment_id as id, amount_paise::int as amount from payments where agreement_id = $1 and goes_to = $2 limit 1`,
        [agreement.agreement_id, goesTo],
      )
    )[0]!;

  it('refuses one of which nothing is owed back, though its sums come to nothing', async () => {
    const sale = await sell({ isEnrolled: false });
    const { id, amount } = await oneOf(sale, 'down_payment');
    await expect(
      world.inOrg(async (tx) => {
        const opened = await agreements.accountToChange(tx, { agreement_id: sale.agreement.agreement_id });
        await agreements.cancel(tx, world.shop, opened, { reason: 'the till is emptied' });
        await cookBooks(tx, sale, {
          effectKey: `refund_paid:extra:${id}`,
          kind: 'refund_paid',
          from: 'sales',
          to: 'clearing_cash',
          paymentId: id,
          amount,
        });
      }),
    ).rejects.toThrow(/a payment of it is not owed back|no journal of the kind/);
    expect(await stateOf(sale)).toBe('active');
  });

  it('refuses a refund of a payment that goes on paying what is owed, and one that is not of its payment', async () => {
    const sale = await sell();
    await world.pay(sale, 1);
    const { id, amount } = await oneOf(sale, 'dues');
    const task = (tx: Tx, paise: number) =>
      tx.query(
        `insert into refund_tasks (org_id, payment_id, agreement_id, customer_id, amount_paise, opened_at) values (kist_org(), $1, $2, $3, $4, kist_now())`,
        [id, sale.agreement.agreement_id, sale.customerId, paise],
      );
    const owed = {
      effectKey: `refund_owed:${id}`,
      kind: 'refund_owed',
      from: 'income_fee',
      to: 'refunds_payable',
      paymentId: id,
    };
    const lie = (paise: number) =>
      world.inOrg(async (tx) => {
        await cookBooks(tx, sale, { ...owed, amount: paise });
        await task(tx, paise);
      });
    await expect(lie(amount)).rejects.toThrow('is of a payment that pays what is owed');
    await expect(lie(amount + 100)).rejects.toThrow('is not of its payment');
  });

  it('refuses money out of a till, and money owed back, that no task asks for', async () => {
    const sale = await sell();
    await world.pay(sale, 1);
    const { id, amount } = await oneOf(sale, 'dues');
    const lie = (kind: string, effectKey: string, from: string, to: string) =>
      world.inOrg((tx) => cookBooks(tx, sale, { effectKey, kind, from, to, paymentId: id, amount }));
    const refused = 'is of a refund that no task asks for';
    for (const name of [`refund_paid:${id}`, 'refund_paid:mine'])
      await expect(lie('refund_paid', name, 'refunds_payable', 'clearing_cash')).rejects.toThrow(refused);
    await expect(lie('refund_owed', `refund_owed:${id}`, 'advance', 'refunds_payable')).rejects.toThrow(refused);
    await expect(lie('refund_withdrawn', `reversal:refund_owed:${id}`, 'refunds_payable', 'suspense')).rejects.toThrow(
      'no journal of the kind',
    );
  });

  it('refuses a refund that left no till, or another person’s, and one that vanishes', async () => {
    const sale = await sell({ isEnrolled: false });
    await cancel(sale);
    const { id, amount } = await oneOf(sale, 'down_payment');
    const close = (tx: Tx, state: 'done' | 'void', method: string | null) =>
      tx.query(
        `update refund_tasks set state = $2, closed_at = kist_now(), closed_by = $3, method = $4 where payment_id = $1`,
        [id, state, world.shop.userId, method],
      );
    const paid = {
      effectKey: `refund_paid:${id}`,
      kind: 'refund_paid',
      from: 'refunds_payable',
      paymentId: id,
      amount,
    };
    for (const [to, refused] of [
      ['income_fee', 'no journal of the kind'],
      ['clearing_upi', 'is done without its journal'],
    ] as const)
      await expect(
        world.inOrg(async (tx) => {
          await cookBooks(tx, sale, { ...paid, to });
          await close(tx, 'done', 'CASH');
        }),
      ).rejects.toThrow(refused);
    await expect(
      world.inOrg(async (tx) => {
        await cookBooks(tx, sale, {
          ...paid,
          kind: 'refund_withdrawn',
          effectKey: `reversal:refund_owed:${id}`,
          to: 'income_fee',
        });
        await close(tx, 'void', null);
      }),
    ).rejects.toThrow('no journal of the kind');
    await expect(world.inOrg((tx) => close(tx, 'void', null))).rejects.toThrow('is void, its payment posted');
    await world.inOrg((tx) => payments.refundDone(tx, world.shop, { payment_id: id, method: 'CASH', reference: '' }));
    expect(await faults()).toEqual([]);
  });

  it('and where its guard was put aside the check of the books sees both', async () => {
    const sale = await sell({ isEnrolled: false });
    await world.db.plant(
      ['agreements'],
      `with move as (
         insert into agreement_moves (org_id, agreement_id, no, from_state, to_state, moved_by, moved_at, reason)
         values (20, $1, 2, 'active', 'cancelled', $2, kist_now(), 'by hand')
       )
       update agreements set state = 'cancelled' where agreement_id = $1`,
      [sale.agreement.agreement_id, world.shop.userId],
    );
    const told = (await faults()).join('\n');
    for (const fault of ['cancelled without its journal', 'receivable principal', 'of a cancelled agreement: sale'])
      expect(told).toContain(`${fault}`);
  });
});
