import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { makeAdmin } from '#test/factories.ts';
import { ORG, type Sale } from '#test/lock-world.ts';
import { paidLate } from '#test/paid-late.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { cureActs } from '#test/wrong-lock.ts';
import { lockTimeline } from './lock-timeline.ts';
import { compensations, payCompensation } from './payouts.ts';
import { owedForLocks } from './wrongful.ts';

const world = useLockWorld();
let admin: Actor;
let sale: Sale;
beforeAll(async () => {
  admin = await makeAdmin(world.db, ORG);
});
beforeEach(async () => {
  sale = await paidLate(world);
});

let paidOut = 0;
const payUnder = (reference: string, amount: number, { agreement: { agreement_id } }: Sale = sale, by = admin) =>
  world.inOrg((tx) => payCompensation(tx, by, { agreement_id, amount, method: 'UPI', reference }));
const pay = (amount: number, of: Sale = sale, by = admin) => payUnder(`TRANSFER ${(paidOut += 1)}`, amount, of, by);
const listed = async () =>
  (await world.db.read(ORG, (tx) => compensations(tx, admin))).filter(
    ({ agreement_id }) => agreement_id === sale.agreement.agreement_id,
  );
const owed = async () =>
  (await world.db.read(ORG, (tx) => owedForLocks(tx, sale.agreement))).map(({ owed_paise }) => owed_paise);
/** What its customer and its shop are told. */
const told = async () => (await world.db.read(ORG, (tx) => lockTimeline(tx, sale.agreement.agreement_id)))!.owed_paise;

const insertByHand = (tx: Tx, amount: number, reference = '') =>
  tx.query(
    `insert into compensation_payouts (org_id, payout_id, agreement_id, amount_paise, method, reference, paid_by, paid_at)
     values (kist_org(), gen_random_uuid(), $1, $2, 'CASH', $4, $3, '2020-01-01')`,
    [sale.agreement.agreement_id, amount, admin.userId, reference],
  );
const forgetPayouts = () =>
  world.db.plant(['compensation_payouts'], 'delete from compensation_payouts where agreement_id = $1', [
    sale.agreement.agreement_id,
  ]);

describe('what is owed for a lock', () => {
  it('is on the administrator’s list until it is paid out, in parts or whole, and never beyond', async () => {
    expect(await listed()).toMatchObject([
      { shop: 'Sunita Mobile', owed_paise: 500_00, paid_paise: 0, left_paise: 500_00, is_running: false },
    ]);
    await expect(pay(500_01)).rejects.toMatchObject({
      code: 'AMOUNT_TOO_LARGE',
      options: { params: { max_paise: 500_00 } },
    });
    expect(await pay(200_00)).toMatchObject({ owed_paise: 500_00, paid_paise: 200_00, left_paise: 300_00 });
    expect(await owed()).toEqual([300_00]);
    expect(await told()).toBe(300_00);
    await pay(300_00);
    expect([await owed(), await listed()]).toMatchObject([[], [{ paid_paise: 500_00, left_paise: 0 }]]);
    await expect(pay(1)).rejects.toMatchObject({ code: 'ALREADY_PAID' });
    const lines = await world.db.asOwner(
      `select data ->> 'amount_paise' as paise from audit_lines where subject_id = $1 and action = 'compensation_paid' order by seq`,
      [sale.agreement.agreement_id],
    );
    expect(lines).toEqual([{ paise: '20000' }, { paise: '30000' }]);
    expect(await world.violations()).toEqual([]);
  });

  it('grows while the phone has not said that it is free, and what has come since can be paid out too', async () => {
    sale = await paidLate(world, { isFree: false });
    await pay(500_00);
    await world.at('2026-03-13T17:30:00');
    expect(await listed()).toMatchObject([{ left_paise: 250_00, is_running: true }]);
    expect(await pay(250_00)).toMatchObject({ owed_paise: 750_00, left_paise: 0 });
  });

  it('is paid out once where two do so at the same moment', async () => {
    const done = await Promise.allSettled([pay(500_00), pay(500_00), pay(500_00)]);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = done.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
    expect(refused, 'who comes second is told why').toEqual(['ALREADY_PAID', 'ALREADY_PAID']);
    expect(await owed()).toEqual([]);
  });

  it('is written down once for a reference, however often and however it is typed, also the whole of it', async () => {
    const first = await payUnder('4123 4567 8901', 200_00);
    expect(first.is_new).toBe(true);
    expect(await payUnder('412345678901', 200_00)).toEqual({ ...first, is_new: false });
    const all = await Promise.all([1, 2, 3].map(() => payUnder('utr-77', 300_00)));
    expect(new Set(all.map(({ payout_id }) => payout_id)).size).toBe(1);
    expect(all.filter(({ is_new }) => is_new)).toHaveLength(1);
    expect(await payUnder('UTR-77', 300_00)).toMatchObject({ is_new: false, paid_paise: 500_00, left_paise: 0 });
    expect(await listed()).toMatchObject([{ paid_paise: 500_00, left_paise: 0 }]);
    const lines = await world.db.asOwner(
      `select data from audit_lines where subject_id = $1 and action = 'compensation_paid'`,
      [sale.agreement.agreement_id],
    );
    expect(lines).toHaveLength(2);
  });

  it('is another payout under another sum, which the reference of a first is not for; another agreement has its own', async () => {
    await payUnder('412345678901', 200_00);
    await expect(payUnder('412345678901', 300_00)).rejects.toMatchObject({
      code: 'REFERENCE_USED',
      options: { fields: [{ path: 'reference' }] },
    });
    const other = await paidLate(world);
    expect(await payUnder('412345678901', 200_00, other)).toMatchObject({ is_new: true });
  });

  it('is written twice without a reference, as nothing says that it is the same', async () => {
    const parts = [await payUnder('', 100_00), await payUnder('  ', 100_00)];
    expect(parts).toMatchObject([{ is_new: true }, { is_new: true, left_paise: 300_00 }]);
  });

  it('is paid out after the last payment too', async () => {
    sale = await paidLate(world, { tenure: 1 });
    expect(await pay(500_00)).toMatchObject({ owed_paise: 500_00, left_paise: 0 });
  });

  it('is not paid out again where a lock that was wrong turned out right, and wrong once more', async () => {
    const { locked, payFor } = cureActs(world);
    sale = await locked();
    await world.at('2026-03-13T14:00:00');
    const { payment_id } = await payFor(sale, '2026-03-12T19:00:00', { which: 2 });
    await world.at('2026-03-13T14:30:00');
    await world.obey(sale);
    await expect(world.inOrg((tx) => insertByHand(tx, 500_01))).rejects.toThrow('50000 paise are owed');
    await pay(500_00);
    await world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'the cheque bounced'));
    expect([await owed(), await listed()]).toMatchObject([[], [{ owed_paise: 0, paid_paise: 500_00, left_paise: 0 }]]);
    expect(await told(), 'nobody owes it back').toBe(0);
    await expect(pay(1)).rejects.toMatchObject({ code: 'ALREADY_PAID' });
    await payFor(sale, '2026-03-12T19:00:00');
    expect(await owed()).toEqual([]);
    await expect(pay(1)).rejects.toMatchObject({ code: 'ALREADY_PAID' });
    expect(await world.violations()).toEqual([]);
  });

  it('stays on the list where it is not owed any more, since the payment was taken back and written down with a later hour', async () => {
    const { locked, payFor } = cureActs(world);
    sale = await locked();
    await world.at('2026-03-13T14:00:00');
    const takeBack = ({ payment_id }: { payment_id: string }) =>
      world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'a wrong hour'));
    const first = await payFor(sale, '2026-03-12T19:00:00');
    await world.at('2026-03-13T14:30:00');
    await world.obey(sale);
    expect(await listed()).toMatchObject([{ owed_paise: 500_00, withdrawn_paise: 0 }]);
    await takeBack(first);
    // After the lock, which was right then.
    const later = await payFor(sale, '2026-03-13T13:30:00');
    expect(await listed()).toMatchObject([{ owed_paise: 0, left_paise: 0, withdrawn_paise: 500_00 }]);
    await takeBack(later);
    const again = await payFor(sale, '2026-03-12T19:00:00');
    expect(await listed()).toMatchObject([{ owed_paise: 500_00, left_paise: 500_00, withdrawn_paise: 0 }]);
    await payUnder('R1', 500_00);
    await takeBack(again);
    // Said once more it is the same payout, of what is not owed any more.
    expect(await payUnder('R1', 500_00)).toMatchObject({ is_new: false, owed_paise: 0, paid_paise: 500_00 });
  });

  it('of a lock that was wrong and came off late only what fell is on it as owed no longer: the late hours still are', async () => {
    const { payFor } = cureActs(world);
    expect(await listed()).toMatchObject([{ owed_paise: 500_00, withdrawn_paise: 0 }]);
    const { payment_id } = await payFor(sale, '2026-03-12T19:00:00', { which: 2 });
    const [wrong] = await listed();
    expect(wrong!.owed_paise).toBeGreaterThan(500_00);
    await world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'the cheque bounced'));
    expect(await listed()).toMatchObject([{ owed_paise: 500_00, withdrawn_paise: wrong!.owed_paise - 500_00 }]);
  });

  it('is the organisation’s to pay out, and no shop’s; of an agreement that is not there nothing is', async () => {
    await expect(pay(1, sale, world.shop)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(world.db.read(ORG, (tx) => compensations(tx, world.shop))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const agreement = { ...sale.agreement, agreement_id: sale.customerId };
    await expect(pay(1, { ...sale, agreement })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is not paid out twice by hand either, at the same moment', async () => {
    let second: Promise<unknown> = Promise.resolve();
    await world.inOrg(async (tx) => {
      await insertByHand(tx, 500_00);
      second = world.inOrg((other) => insertByHand(other, 1)).catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    expect(String(await second)).toContain('50000 paise are owed, 50000 were paid out');
    await forgetPayouts();
  });

  it('is not paid out twice under one reference by hand, at the same moment either', async () => {
    let second: Promise<unknown> = Promise.resolve();
    await world.inOrg(async (tx) => {
      await insertByHand(tx, 100_00, '4123 45');
      second = world.inOrg((other) => insertByHand(other, 100_00, '412345')).catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    expect(String(await second)).toContain('412345 was written down before');
    await forgetPayouts();
  });

  it('is never paid out beyond by hand, and what was written stays', async () => {
    const insert = (amount: number) => world.inOrg((tx) => insertByHand(tx, amount));
    await expect(insert(500_01)).rejects.toThrow('are owed');
    await insert(100_00);
    // It has no line: that is seen.
    expect(await world.violations()).toMatchObject([{ invariant: 'I8', detail: 'compensation without a line' }]);
    for (const text of ['update compensation_payouts set amount_paise = 1', 'delete from compensation_payouts'])
      await expect(world.db.asOwner(text)).rejects.toThrow('what was written stays');
    await forgetPayouts();
  });
});
