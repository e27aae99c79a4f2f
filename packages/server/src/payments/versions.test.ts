import { beforeEach, describe, expect, test } from 'vitest';
import { instalmentLeft, instalmentTotal } from '#server/agreements/agreements.ts';
import { setClock } from '#test/factories.ts';
import { saleWorld } from '#test/sale-world.ts';

const world = await saleWorld(20);
const { db, shop, payments, inOrg, opened, pay, claim, takeBack, change, faults, journals } = world;

/** ₹15,500 at 12 % over six months from the end of January: ₹2,674 on 28 February, then on the last day of each month. */
beforeEach(async () => {
  await setClock(db, '2026-04-10T11:00:00');
  world.sale = await world.sold();
});

const rowsNow = async () =>
  (await opened()).instalments.map((row) => [
    row.no,
    row.due_on,
    instalmentTotal(row),
    row.paid_principal_paise + row.paid_interest_paise,
  ]);

describe('a new version of a schedule', () => {
  test('keeps what is due and paid, and lays out the principal of the rest anew on the days that follow', async () => {
    await pay(2_674_00, '2026-02-28');
    const before = await opened();
    const left = before.instalments.slice(2).reduce((sum, row) => sum + row.principal_paise, 0);
    const { instalments, agreement } = await change();
    expect(instalments.map(({ no }) => no)).toEqual([1, 2, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(instalments.slice(0, 2)).toEqual(before.instalments.slice(0, 2));
    expect(instalments.slice(2).map(({ due_on }) => due_on)).toEqual([
      '2026-04-30',
      '2026-05-31',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
      '2026-11-30',
    ]);
    expect(instalments.slice(2).reduce((sum, row) => sum + row.principal_paise, 0)).toBe(left);
    expect(agreement).toMatchObject({
      schedule_version: 2,
      schedule_from: '2026-04-10',
      tenure: 10,
      paid_count: 1,
      last_due_on: '2026-11-30',
      oldest_due_on: '2026-03-31',
      state: 'active',
      financed_paise: 15_500_00,
      emi_paise: instalmentTotal(instalments[2]!),
    });
    expect(await journals()).toMatchObject({ schedule_taken_back: 1, schedule_opened: 1 });
    expect(await faults()).toEqual([]);
    const [kept] = await db.asOwner(
      `select version, cause, reason, made_by, effective_on::text as on, before ->> 'tenure' as before, after ->> 'tenure' as after
       from schedule_versions where agreement_id = $1`,
      [world.sale.agreement.agreement_id],
    );
    expect(kept).toEqual({
      version: 2,
      cause: 'reschedule',
      reason: 'lost his job',
      made_by: shop.userId,
      on: '2026-04-10',
      before: '6',
      after: '10',
    });
  });

  test('with the terms that there were before anything is due is the schedule that there was', async () => {
    await setClock(db, '2026-02-10T11:00:00');
    const before = await opened();
    const { instalments, agreement } = await change({ tenure: 6 });
    const plain = (rows: typeof instalments) => rows.map(({ no: _no, ...row }) => row);
    const ids = { instalment_id: expect.any(String) };
    expect(plain(instalments)).toMatchObject(plain(before.instalments).map((row) => ({ ...row, ...ids })));
    expect(agreement.total_payable_paise).toBe(before.agreement.total_payable_paise);
    expect(await faults()).toEqual([]);
  });

  test('with the terms that there were asks the interest that was paid ahead no second time, however often', async () => {
    await setClock(db, '2026-02-10T11:00:00');
    const before = await opened();
    const left = (rows: typeof before.instalments) => rows.map(instalmentLeft).filter((paise) => paise > 0);
    for (const amount of [400_00, 300_00, 1_200_00]) {
      await pay(amount);
      await change({ tenure: 6 });
      expect(await faults()).toEqual([]);
    }
    const { agreement, instalments } = await opened();
    expect(agreement.total_payable_paise).toBe(before.agreement.total_payable_paise);
    const [first, ...others] = left(before.instalments);
    expect(left(instalments)).toEqual([first! - 1_900_00, ...others]);
    const [counted] = await db.asOwner<{ n: number }>(
      `select count(*)::int as n from schedule_versions where agreement_id = $1 and counted_interest_paise + counted_principal_paise > 0`,
      [agreement.agreement_id],
    );
    expect(counted!.n).toBe(3);
  });

  test('is a barrier: what was paid before stays, money of an earlier day goes to the version in force', async () => {
    const first = await pay(3_000_00, '2026-03-20');
    const second = await pay(2_674_00 * 2 - 3_000_00 + 500_00, '2026-04-05');
    await change({ tenure: 4 });
    expect((await rowsNow()).slice(0, 4)).toEqual([
      [1, '2026-02-28', 2_674_00, 2_674_00],
      [2, '2026-03-31', 2_674_00, 2_674_00],
      [3, '2026-04-30', 500_00, 500_00],
      [7, '2026-04-30', expect.any(Number), 0],
    ]);
    // Valued before both: it does not move them, and is not due money of March either.
    await pay(100_00, '2026-03-01');
    expect((await rowsNow()).slice(0, 4).map(([, , , paid]) => paid)).toEqual([2_674_00, 2_674_00, 500_00, 100_00]);
    await takeBack(first.payment_id);
    // What it had paid is owed again, where it was; the later one of the version before has not moved, that of the version in force has.
    expect((await rowsNow()).slice(0, 4).map(([, , , paid]) => paid)).toEqual([100_00, 2_348_00, 500_00, 0]);
    expect(await faults()).toEqual([]);
    await takeBack(second.payment_id);
    expect((await rowsNow()).map(([, , , paid]) => paid)).toEqual([100_00, 0, 0, 0, 0, 0, 0]);
    expect(await faults()).toEqual([]);
  });

  test('keeps an instalment that was paid where an earlier one is open again', async () => {
    await setClock(db, '2026-02-10T11:00:00');
    await pay(2_674_00);
    const second = await pay(2_674_00);
    await pay(2_674_00);
    await change({ tenure: 3 });
    await takeBack(second.payment_id);
    expect(await faults()).toEqual([]);
    const { instalments } = await change({ tenure: 2 });
    expect(instalments.map(({ no, due_on }) => [no, due_on])).toEqual([
      [1, '2026-02-28'],
      [3, '2026-04-30'],
      [10, '2026-03-31'],
      [11, '2026-04-30'],
    ]);
    expect(await faults()).toEqual([]);
    // Its payment may still be taken back: then it is open, and the next version lays it out with the rest.
    const { agreement } = await opened();
    const [third] = await db.asOwner<{ payment_id: string }>(
      `select payment_id from payments where agreement_id = $1 and state = 'posted' order by payment_id desc limit 1`,
      [agreement.agreement_id],
    );
    await takeBack(third!.payment_id);
    expect(await faults()).toEqual([]);
    await change({ tenure: 4 });
    expect(await faults()).toEqual([]);
  });

  test('leaves a row of which an earlier one gave up the rest with that one', async () => {
    await pay(2_674_00 * 2 + 500_00);
    await change({ tenure: 4 });
    await setClock(db, '2026-04-20T11:00:00');
    await change({ tenure: 6 });
    expect(await faults()).toEqual([]);
    const kept = await db.asOwner(
      `select no, superseded_by, paid_on::text from instalments where agreement_id = $1 and no = 3`,
      [world.sale.agreement.agreement_id],
    );
    expect(kept).toEqual([{ no: 3, superseded_by: 2, paid_on: '2026-04-10' }]);
  });

  test('takes what was claimed before it and proved after it, and no other way', async () => {
    const { payment_id } = await claim(2_674_00, { reference: '4123 4567 8901' });
    await change();
    for (const tried of ['schedule_version = 2', `schedule_version = 2, state = 'refused'`]) {
      const sql = `update payments set ${tried} where payment_id = '${payment_id}'`;
      for (const ask of [() => db.asOwner(sql), () => inOrg((tx) => tx.query(sql))])
        await expect(ask()).rejects.toMatchObject({ code: '23001', message: expect.stringContaining('facts stay') });
    }
    await inOrg((tx) => payments.answerClaim(tx, shop, { payment_id, is_received: true, reason: '' }));
    const stored = await db.asOwner('select state, schedule_version from payments where payment_id = $1', [payment_id]);
    expect(stored).toEqual([{ state: 'posted', schedule_version: 2 }]);
    await pay(100_00, '2026-03-01');
    expect(await faults()).toEqual([]);
    await takeBack(payment_id);
    expect(await faults()).toEqual([]);
  });

  test('is refused where nothing is left that is not due, and for an agreement that is over', async () => {
    await setClock(db, '2026-08-20T11:00:00');
    await expect(change()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const { agreement } = await opened();
    await pay(agreement.outstanding_paise);
    await expect(change()).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  test.each([
    ['a row of the version in force', 'update instalments set principal_paise = principal_paise + 1'],
    [
      'a row put aside without a version',
      'update instalments set superseded_by = 2, dropped_principal_paise = principal_paise',
    ],
    ['a row that is put aside twice', 'update instalments set superseded_by = 3 where superseded_by = 2'],
    [
      'a row of a version that is made already',
      `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, balance_paise, version)
       select org_id, agreement_id, 99, gen_random_uuid(), '2027-01-01', 1, 0, 0, 2 from agreements where schedule_version = 2`,
    ],
    ['other terms', 'update agreements set emi_paise = emi_paise - 1'],
    ['another version of the terms', 'update agreements set schedule_version = schedule_version + 1'],
    ['another version of a payment', 'update payments set schedule_version = schedule_version + 1'],
    ['another history', `update schedule_versions set reason = 'x'`],
    ['no history', 'delete from schedule_versions'],
  ])('cannot be had in the database by %s', async (_what, sql) => {
    await pay(1_00);
    await change();
    for (const tried of [() => db.asOwner(sql), () => inOrg((tx) => tx.query(sql))])
      await expect(tried()).rejects.toMatchObject({ code: expect.stringMatching(/^(23001|23514|42501)$/) });
  });
});
