import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { makeAdmin } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { paidLate } from '#test/paid-late.ts';
import { lockTimeline } from './lock-timeline.ts';
import { compensations, payCompensation } from './payouts.ts';
import { owedForLocks } from './wrongful.ts';

let world: LockWorld;
let admin: Actor;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  admin = await makeAdmin(world.db, ORG);
});
afterAll(() => world.close());
beforeEach(async () => {
  sale = await paidLate(world);
});

const pay = (amount: number, { agreement: { agreement_id } }: Sale = sale, by = admin) =>
  world.inOrg((tx) => payCompensation(tx, by, { agreement_id, amount, method: 'UPI', reference: '412345678901' }));
const listed = async () =>
  (await world.db.read(ORG, (tx) => compensations(tx, admin))).filter(
    ({ agreement_id }) => agreement_id === sale.agreement.agreement_id,
  );
const owed = async () =>
  (await world.db.read(ORG, (tx) => owedForLocks(tx, sale.agreement))).map(({ owed_paise }) => owed_paise);

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
    const told = await world.db.read(ORG, (tx) => lockTimeline(tx, sale.agreement.agreement_id));
    expect(told!.owed_paise).toBe(300_00);
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
    expect(await owed()).toEqual([]);
  });

  it('is the organisation’s to pay out, and no shop’s; of an agreement that is not there nothing is', async () => {
    await expect(pay(1, sale, world.shop)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(world.db.read(ORG, (tx) => compensations(tx, world.shop))).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const agreement = { ...sale.agreement, agreement_id: sale.customerId };
    await expect(pay(1, { ...sale, agreement })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is never paid out beyond by hand, and what was written stays', async () => {
    const { agreement_id } = sale.agreement;
    const insert = (amount: number) =>
      world.inOrg((tx) =>
        tx.query(
          `insert into compensation_payouts (org_id, payout_id, agreement_id, amount_paise, method, reference, paid_by, paid_at)
           values (kist_org(), gen_random_uuid(), $1, $2, 'CASH', '', $3, '2020-01-01')`,
          [agreement_id, amount, admin.userId],
        ),
      );
    await expect(insert(500_01)).rejects.toThrow('are owed');
    await insert(100_00);
    // It has no line: that is seen.
    expect(await world.violations()).toMatchObject([{ invariant: 'I8', detail: 'compensation without a line' }]);
    for (const text of ['update compensation_payouts set amount_paise = 1', 'delete from compensation_payouts'])
      await expect(world.db.asOwner(text)).rejects.toThrow('what was written stays');
    await world.db.plant(['compensation_payouts'], 'delete from compensation_payouts where agreement_id = $1', [
      agreement_id,
    ]);
  });
});
