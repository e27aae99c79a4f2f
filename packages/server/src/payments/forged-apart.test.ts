import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { makeCharge, makeSale, setClock } from '#test/factories.ts';
import { forgedPayment } from '#test/forged-payment.ts';
import { account } from '#server/agreements/agreements.ts';
import { useForging } from '#test/forging.ts';

/** What somebody could write with the server's own account who leaves out a part of a payment, writes it at another moment, or takes a name for nothing. */
const ORG = 20;
const world = await useForging(ORG);
const { db, shop, payments, pay, faults, planted } = world;

const written = (statements: readonly string[]) =>
  db.transaction(ORG, async (tx) => {
    for (const sql of statements) await tx.query(sql);
  });
const parts = () => world.statements();

describe('guards that ask at the end of the transaction, asked early by name', () => {
  const early = `set constraints payment_is_what_its_lines_say, journal_has_its_cause, rows_are_paid_in_order, journal_is_of_its_change immediate`;

  test('a journal whose lines come later is none', async () => {
    const [counter, booked, ...rest] = parts();
    const [, journal, lines] = /^with j as \((.*) returning journal_id\)\s+(insert into journal_lines.*)$/s.exec(
      booked!,
    )!;
    const name = /'(payment:[^']+)'/.exec(journal!)![1]!;
    const apart = lines!.replace(
      'from j, (values',
      `from (select journal_id from journals where org_id = ${ORG} and effect_key = '${name}') j, (values`,
    );
    expect(apart).not.toBe(lines);
    await expect(written([counter!, journal!, apart, ...rest])).rejects.toThrow('a journal comes with its lines');
    await expect(written([early, counter!, journal!, apart, ...rest])).rejects.toThrow(
      'a journal comes with its lines',
    );
  });

  test('a payment whose rows are written after its journal is refused, and so is one whose rows are written before', async () => {
    const [counter, booked, row, agreement, payment, ...moves] = parts();
    await expect(written([early, counter!, payment!, ...moves, booked!, row!, agreement!])).rejects.toThrow(
      'moved what its rows do not say',
    );
    await expect(written([early, counter!, payment!, ...moves, row!, agreement!, booked!])).rejects.toThrow(
      'is not what the lines say',
    );
  });
});

describe('a payment that somebody never hears of', () => {
  test.each([
    ['its row and its agreement', [2, 3], 'paid principal'],
    ['its agreement', [3], 'outstanding'],
  ])('%s: is refused by the database, and seen by the check of the books', async (_what, missing, seen) => {
    const some = parts().filter((_sql, index) => !missing.includes(index));
    await expect(written(some)).rejects.toThrow('moved what its rows do not say');
    expect(await planted(some)).toContainEqual(expect.stringContaining(seen));
  });

  test('nothing left out, it stands', async () => {
    const before = await faults();
    await written(parts());
    expect(await faults()).toEqual(before);
  });
});

describe('after an exchange of the phone, which makes no row', () => {
  const ofLast = (statements: readonly string[]) =>
    statements.map((one) =>
      one
        .replace(`'receivable_principal', 1, 'principal'`, `'receivable_principal', 6, 'principal'`)
        .replace(/and no = 1$/, 'and no = 6')
        .replace(', oldest_due_paise = oldest_due_paise - 1', ''),
    );
  /** ₹1 of a payment of before, from the first row to the last, in the name of a payment of now. */
  const ofShift = (payment_id: string) => {
    const { agreement_id } = world.sale.agreement;
    return [
      `with p as (select payment_id from payments where agreement_id = '${agreement_id}' and goes_to = 'dues' and schedule_version = 1 limit 1),
         j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
           values (${ORG}, gen_random_uuid(), 'shift:recorded:${payment_id}', 'payments_shifted', 'agreement', '${agreement_id}', kist_today(), kist_now()) returning journal_id)
         insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, bucket, payment_id)
         select ${ORG}, j.journal_id, n.no, a.account_id, 'INR', (n.no = 1)::int * 100, (n.no = 2)::int * 100, '${agreement_id}', case n.no when 1 then 1 else 6 end, 'principal', p.payment_id
         from j, p, (values (1), (2)) as n(no), (select account_id from accounts where org_id = ${ORG} and code = 'receivable_principal') a`,
      `update instalments set paid_principal_paise = paid_principal_paise + case no when 1 then -100 else 100 end where agreement_id = '${agreement_id}' and no in (1, 6)`,
      `update agreements set oldest_due_paise = oldest_due_paise + 100 where agreement_id = '${agreement_id}'`,
    ];
  };
  const exchange = () =>
    db.plant(
      ['schedule_versions', 'agreements'],
      `insert into schedule_versions (org_id, agreement_id, version, effective_on, cause, reason, made_by, made_at, after, before, principal_paise, interest_paise, fee_paise,
         dropped_interest_paise, dropped_fee_paise)
       select org_id, agreement_id, 2, kist_today(), 'imei_swap', 'x', owner_user_id, kist_now(), terms_in_force(a), terms_in_force(a), 0, 0, 0, 0, 0
       from agreements a where agreement_id = '${world.sale.agreement.agreement_id}';
       update agreements set schedule_version = 2, schedule_from = kist_today() where agreement_id = '${world.sale.agreement.agreement_id}'`,
    );

  test('money still goes to the oldest row that is owed', async () => {
    await exchange();
    const lie = ofLast(forgedPayment(ORG, world.sale.agreement, shop.userId, { version: 2 }));
    await expect(written(lie)).rejects.toThrow('out of its order');
    expect(await planted(lie)).toContainEqual(expect.stringContaining('paid ahead of what is due before'));
  });

  test('what was paid before stays where it went', async () => {
    await exchange();
    const lie = db.transaction(ORG, async (tx) => {
      const { instalmentIds } = await account(tx, world.sale.agreement);
      const given = { instalment_id: instalmentIds.get(1)!, amount: 1, method: 'CASH', reference: '' } as const;
      const { payment_id } = await payments.record(tx, shop, given);
      for (const sql of ofShift(payment_id)) await tx.query(sql);
    });
    await expect(lie).rejects.toThrow('moves money of a version of');
    const { payment_id } = await pay(1, 1);
    await setClock(db, '2026-05-10T13:00:00');
    expect(await planted(ofShift(payment_id))).toContainEqual(expect.stringContaining('moved of a version before'));
  });

  test('a payment that moved to an earlier row can be taken back, and nothing of it lies anywhere then', async () => {
    world.sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
    const [first, second, third] = [await pay(1, 3000_00), await pay(2, 1000_00), await pay(2, 1200_00)];
    const takeBack = ({ payment_id }: { payment_id: string }) =>
      db.transaction(ORG, (tx) => payments.reverse(tx, shop, payment_id, 'bounced'));
    await takeBack(first);
    await exchange();
    const before = await faults();
    await takeBack(second);
    expect(await faults()).toEqual(before);
    await takeBack(third);
    expect(await faults()).toEqual(before);
  });

  test('honest money is taken, of the version before and of now, and taken back', async () => {
    const takeBack = ({ payment_id }: { payment_id: string }) =>
      db.transaction(ORG, (tx) => payments.reverse(tx, shop, payment_id, 'typed wrong'));
    const [rest] = [await pay(1, 2174_00), await pay(2, 300_00)];
    await exchange();
    const before = await faults();
    const [first] = [await pay(2, 3000_00), await pay(3, 100_00)];
    await takeBack(first!);
    await takeBack(rest!);
    await pay(1, 50_00);
    expect(await faults()).toEqual(before);
  });
});

describe('a name that an honest journal will need is not taken by one of nothing, of other accounts, or of no change', () => {
  const of = (kind: string, name: string, [debit, credit]: [string, string], reverses = 'null') =>
    `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at, reverses_journal_id)
       values (${ORG}, gen_random_uuid(), '${name}', '${kind}', 'agreement', '${world.sale.agreement.agreement_id}', kist_today(), kist_now(), ${reverses}) returning journal_id)
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, bucket)
     select ${ORG}, j.journal_id, n.no, a.account_id, 'INR', (n.no = 1)::int, (n.no = 2)::int, '${world.sale.agreement.agreement_id}',
       case a.code when 'receivable_interest' then 'interest' when 'receivable_principal' then 'principal' when 'receivable_penal' then 'penal' end
     from j, (values (1, '${debit}'), (2, '${credit}')) as n(no, code) join accounts a on a.org_id = ${ORG} and a.code = n.code`;
  beforeEach(() =>
    db.plant(
      ['accounts'],
      `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
       select ${ORG}, gen_random_uuid(), 'organisation', 'organisation', code, 'INR', side
       from (values ('waivers', 'debit'), ('receivable_penal', 'debit'), ('income_penal', 'credit')) as c(code, side) on conflict do nothing`,
    ),
  );

  const agreement = () => world.sale.agreement.agreement_id;
  test.each<[string, () => string, RegExp, string | null]>([
    [
      'a cancel',
      () => of('agreement_cancelled', `cancelled:${agreement()}`, ['sales', 'sales']),
      /no journal of the kind/,
      'a journal of nothing',
    ],
    [
      'a cancel that was not',
      () => of('agreement_cancelled', `cancelled:${agreement()}`, ['sales', 'receivable_principal']),
      /a change that was not made/,
      'receivable principal',
    ],
    [
      'a version',
      () => of('schedule_opened', `version:${agreement()}:2`, ['sales', 'sales']),
      /no journal of the kind/,
      'a journal that moves what its kind does not',
    ],
    [
      'a version that was not',
      () => of('schedule_opened', `version:${agreement()}:2`, ['receivable_interest', 'unearned_interest']),
      /a change that was not made/,
      'receivable interest',
    ],
    [
      'a reversal',
      () => of('payment_reversed', `reversal:payment:${newId()}`, ['sales', 'receivable_principal']),
      /no journal of the kind/,
      'a reversal of nothing',
    ],
    [
      'a key spent by rupees',
      () => of('key_spent', `key:spend:${newId()}:1`, ['sales', 'income_interest']),
      /no journal of the kind/,
      'a journal that moves what its kind does not',
    ],
    [
      'a waiver',
      () => of('penal_waived', `waiver:${newId()}`, ['waivers', 'receivable_penal']),
      /a change that was not made/,
      'penal',
    ],
    [
      'a late fee of nobody',
      () => of('penal_charged', `penal:${agreement()}:2:2026-07-01`, ['receivable_penal', 'income_penal']),
      /late fee is owed by who was late|a change that was not made/,
      'penal',
    ],
  ])('%s', async (_what, sql, message, seen) => {
    await expect(written([sql()])).rejects.toThrow(message);
    if (seen) expect(await planted([sql()])).toContainEqual(expect.stringContaining(seen));
  });
});

test('a late fee is booked once, and a shop keeps its number', async () => {
  const charge_id = await makeCharge(db, ORG, { customer_id: world.sale.agreement.customer_id, amount: 100_00 });
  const again = db.transaction(ORG, (tx) =>
    tx.query(
      `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
         select ${ORG}, gen_random_uuid(), 'penal:hand:' || gen_random_uuid(), 'penal_charged', 'agreement', ref_id, kist_today(), kist_now() from journals
         where org_id = ${ORG} and journal_id in (select journal_id from journal_lines where charge_id = $1) returning journal_id)
       insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, charge_id, bucket)
       select ${ORG}, j.journal_id, l.line_no, l.account_id, l.unit, l.debit, l.credit, l.agreement_id, l.instalment_no, l.charge_id, l.bucket
       from j, journal_lines l where l.org_id = ${ORG} and l.journal_id = (select o.journal_id from journal_lines o where o.charge_id = $1)`,
      [charge_id],
    ),
  );
  await expect(again).rejects.toThrow('a change that was not made');
  const moved = db.transaction(ORG, (tx) => tx.query(`update counters set last = last + 1 where name like 'shop:%'`));
  await expect(moved).rejects.toThrow('facts stay as they were written');
});

describe('money is paid between the delivery and now', () => {
  test.each([
    ['a day of another century', `'1900-01-01T06:00:00Z'`, `'1900-01-01'::date`],
    ['a day to come', `'9999-01-01T06:00:00Z'`, `'9999-01-01'::date`],
    ['tomorrow', `kist_now() + interval '1 day'`, `kist_today() + 1`],
  ])('%s is refused by the database, and seen by the check of the books', async (_what, paidAt, paidOn) => {
    const lie = forgedPayment(ORG, world.sale.agreement, shop.userId, { paidAt, paidOn });
    await expect(written(lie)).rejects.toThrow('money is paid between the delivery and now');
    expect(await planted(lie)).toContainEqual(
      expect.stringContaining('paid before the delivery, or after it was recorded'),
    );
  });

  test('another day than its moment’s is refused', async () => {
    const lie = forgedPayment(ORG, world.sale.agreement, shop.userId, { paidOn: 'kist_today() - 3' });
    await expect(written(lie)).rejects.toThrow('money is paid between the delivery and now');
    expect(await planted(lie)).toContainEqual(expect.stringContaining('day of a payment'));
  });
});
