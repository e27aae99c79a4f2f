import { describe, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import * as ledger from '#server/ledger/ledger.ts';
import { newId } from '#server/platform/ids.ts';
import { GUARDED } from '#test/books.ts';
import { makeSale } from '#test/factories.ts';
import { type Forged } from '#test/forged-payment.ts';
import { account } from '#server/agreements/agreements.ts';
import { useForging } from '#test/forging.ts';

/**
 * What somebody could write who has the server's own account: a payment of one paisa of the first row's principal whole, with journal, row, move and number
 * that go together, and false. Six EMIs of ₹2,674, nothing paid but ₹500 of the first.
 */
const ORG = 20;
const world = await useForging(ORG);
const { db, shop, payments, forge, statements, faults } = world;
const ofNoSeries = () => ({ receiptNo: `'${world.sale.agreement.agreement_no}/1'` });
const ofABook = () =>
  `insert into historic_agreements (org_id, row_ref, agreement_id, row_hash, imported_at)
   values (${ORG}, '${newId()}', '${world.sale.agreement.agreement_id}', decode(repeat('00', 32), 'hex'), kist_now())`;

test('the same with nothing forged stands, at once or claimed before, and nothing is found', async () => {
  await forge({});
  await forge({ isClaimed: true });
  expect(await faults()).toEqual([]);
});

test('a number of no series is refused by the database, and seen by the check of the books', async () => {
  await expect(forge(ofNoSeries())).rejects.toThrow(/of no series/);
  await expect(forge({ receiptNo: `'26-27/mine/1'` })).rejects.toThrow(/of no series/);
  await expect(forge({ receiptNo: `'mine'`, isClaimed: true })).rejects.toThrow(/of no series/);
  const before = await faults();
  await db.plant([...GUARDED, 'payment_moves'], statements(ofNoSeries()).join(';'));
  const found = (await faults()).filter((one) => !before.includes(one));
  expect(found).toEqual([expect.stringContaining('a payment outside every series')]);
});

test.each([
  ['has not given', `'26-27/01/0999'`, 'receipts of a series'],
  ['of another shop has given', `'26-27/77/0001'`, 'numbers with another shop’s part'],
])(
  'a number that a series %s is refused by the database, and seen by the check of the books',
  async (_what, receiptNo, seen) => {
    await expect(forge({ receiptNo })).rejects.toThrow('has not given');
    await expect(forge({ receiptNo, isClaimed: true })).rejects.toThrow('has not given');
    const before = await faults();
    await db.plant([...GUARDED, 'payment_moves'], statements({ receiptNo }).join(';'));
    expect((await faults()).filter((one) => !before.includes(one))).toContainEqual(expect.stringContaining(seen));
  },
);

test('an agreement of today is not of a book afterwards, and the account that serves brings none in', async () => {
  await expect(forge({}, [ofABook()])).rejects.toThrow('permission denied for table historic_agreements');
  await expect(forge({}, [ofABook()], db.operator)).rejects.toThrow(/was not opened with it/);
  await expect(forge(ofNoSeries(), [ofABook()], db.operator)).rejects.toThrow(/was not opened with it|of no series/);
});

const EARLIER = `kist_now() - interval '60 days'`;
const EARLIER_DAY = 'kist_today() - 60';
test.each<[string, Forged, RegExp]>([
  ['a journal of another moment', { postedAt: EARLIER }, /of the moment and the day/],
  ['a journal of an earlier day', { postedOn: EARLIER_DAY }, /of the moment and the day/],
  ['a journal of a day to come', { postedOn: 'kist_today() + 1' }, /of the moment and the day/],
  ['a payment recorded earlier', { recordedAt: EARLIER }, /recorded when it is written/],
  ['a move of earlier', { movedAt: EARLIER }, /told when it is made/],
])('%s is refused by the database, and seen by the check of the books', async (_what, forged, message) => {
  await expect(forge(forged)).rejects.toThrow(message);
  const before = await faults();
  await db.plant([...GUARDED, 'payment_moves'], statements(forged).join(';'));
  expect((await faults()).filter((one) => !before.includes(one))).not.toEqual([]);
});

test('a payment whose moments all agree on an earlier day is refused by the database', async () => {
  const all = { postedAt: EARLIER, postedOn: EARLIER_DAY, recordedAt: EARLIER, movedAt: EARLIER };
  await expect(forge(all)).rejects.toThrow(/of the moment and the day/);
});

test('a book brings in days of its own only with the agreement that it opens', async () => {
  const given = { ...ofNoSeries(), postedOn: EARLIER_DAY };
  await expect(forge(given, [ofABook()], db.operator)).rejects.toThrow(/of the moment and the day/);
});

/** ₹100 of the first row, which is due, become ₹100 of the last, which is not: sums, till and what the payment came to stay as they were. */
const shifted = (effectKey: string, postedAt = 'kist_now()') => {
  const { agreement_id } = world.sale.agreement;
  return [
    `with p as (select payment_id from payments where agreement_id = '${agreement_id}' and goes_to = 'dues' limit 1),
     j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       select ${ORG}, gen_random_uuid(), replace('${effectKey}', '$payment', p.payment_id::text), 'payments_shifted', 'agreement', '${agreement_id}', kist_today(), ${postedAt} from p
       returning journal_id)
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, instalment_no, bucket, payment_id)
     select ${ORG}, j.journal_id, n.no, a.account_id, 'INR', case n.no when 1 then 10000 else 0 end, case n.no when 2 then 10000 else 0 end, '${agreement_id}',
       case n.no when 1 then 1 else 6 end, 'principal', p.payment_id
     from j, p, (values (1), (2)) as n(no), (select account_id from accounts where org_id = ${ORG} and code = 'receivable_principal') a`,
    `update instalments set paid_principal_paise = paid_principal_paise + case no when 1 then -10000 else 10000 end where agreement_id = '${agreement_id}' and no in (1, 6)`,
    `update agreements set oldest_due_paise = oldest_due_paise + 10000 where agreement_id = '${agreement_id}'`,
  ];
};

test.each([
  ['under a name of one’s own', 'shift:mine:$payment'],
  ['under the name of a payment of before', 'shift:recorded:$payment'],
  ['under the name of one taken back that stands', 'shift:reversed:$payment'],
])('what is paid does not move from a row to another by itself: %s', async (_what, name) => {
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, world.sale.agreement));
  const given = { amount: 300_00, method: 'CASH', reference: '' } as const;
  await db.transaction(ORG, (tx) => payments.record(tx, shop, { ...given, instalment_id: instalmentIds.get(1)! }));
  const forging = db.transaction(ORG, async (tx) => {
    for (const sql of shifted(name)) await tx.query(sql);
  });
  await expect(forging).rejects.toThrow('no payment of its agreement was recorded or taken back with it');
});

test('money goes to the oldest row that is owed, whoever writes it', async () => {
  const sql = statements({}).map((one) =>
    one
      .replace(`'receivable_principal', 1, 'principal'`, `'receivable_principal', 6, 'principal'`)
      .replace(/and no = 1$/, 'and no = 6')
      .replace(', oldest_due_paise = oldest_due_paise - 1', ''),
  );
  const lie = db.transaction(ORG, async (tx) => {
    for (const one of sql) await tx.query(one);
  });
  await expect(lie).rejects.toThrow('out of its order');
  const before = await faults();
  await db.plant([...GUARDED, 'payment_moves'], sql.join(';'));
  const found = (await faults()).filter((one) => !before.includes(one));
  expect(found).toContainEqual(expect.stringContaining('paid ahead of what is due before'));
});

test('money goes to the interest of a row before its principal, whoever writes it', async () => {
  // Of this one nothing is paid yet: the same payment as ever goes to a principal whose interest is owed.
  world.sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  await expect(forge({})).rejects.toThrow('out of its order');
  const before = await faults();
  await db.plant([...GUARDED, 'payment_moves'], statements({}).join(';'));
  const found = (await faults()).filter((one) => !before.includes(one));
  expect(found).toContainEqual(expect.stringContaining('paid before the interest or principal of its instalment'));
});

test('a payment of one paisa brings no shift about but its own', async () => {
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, world.sale.agreement));
  const lie = db.transaction(ORG, async (tx) => {
    const given = { instalment_id: instalmentIds.get(1)!, amount: 1, method: 'CASH', reference: '' } as const;
    const { payment_id } = await payments.record(tx, shop, given);
    for (const sql of shifted(`shift:recorded:${payment_id}`)) await tx.query(sql);
  });
  await expect(lie).rejects.toThrow('out of its order');
});

/** All of it put aside as if the agreement were over, with a task to give it back. */
const putAside = (): string[] => {
  const { agreement_id, customer_id } = world.sale.agreement;
  const [counter, paid, , , row, ...moves] = statements({});
  const id = /'payment:([^']+)'/.exec(paid!)![1]!;
  return [
    counter!,
    `insert into accounts (org_id, account_id, owner_kind, owner_id, code, unit, normal_side)
     select ${ORG}, gen_random_uuid(), 'organisation', 'organisation', code, 'INR', 'credit' from (values ('suspense'), ('refunds_payable')) as c(code) on conflict do nothing`,
    paid!.replace(`(2, 'receivable_principal', 1, 'principal')`, `(2, 'suspense', null, null)`),
    row!
      .replace('schedule_version, state)', 'schedule_version, state, goes_to)')
      .replace(`'posted')`, `'posted', 'suspense')`),
    ...moves,
    `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       values (${ORG}, gen_random_uuid(), 'refund_owed:${id}', 'refund_owed', 'payment', '${id}', kist_today(), kist_now()) returning journal_id)
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, payment_id)
     select ${ORG}, j.journal_id, n.no, a.account_id, 'INR', (n.no = 1)::int, (n.no = 2)::int, '${agreement_id}', '${id}'
     from j, (values (1, 'suspense'), (2, 'refunds_payable')) as n(no, code) join accounts a on a.org_id = ${ORG} and a.code = n.code`,
    `insert into refund_tasks (org_id, payment_id, agreement_id, customer_id, amount_paise, opened_at)
     values (${ORG}, '${id}', '${agreement_id}', '${customer_id}', 1, kist_now())`,
  ];
};

test('money of an agreement that owes something is not put aside', async () => {
  const lie = db.transaction(ORG, async (tx) => {
    for (const one of putAside()) await tx.query(one);
  });
  await expect(lie).rejects.toThrow('is put aside, and its agreement owes something');
});

describe('a payment that is taken back', () => {
  const byHand = (sql: string) =>
    db.transaction(ORG, async (tx) => {
      const { agreement_id } = world.sale.agreement;
      const [{ payment_id }] = (
        await tx.query<{ payment_id: string }>(
          `select payment_id from payments where agreement_id = $1 and goes_to = 'dues'`,
          [agreement_id],
        )
      ).rows as [{ payment_id: string }];
      await payments.reverse(tx, shop, payment_id, 'typed wrong');
      await tx.query(sql, [agreement_id]);
    });
  test.each([
    [
      'its moment',
      `update payments set reversed_at = kist_now() - interval '9 days' where agreement_id = $1 and state = 'reversed'`,
    ],
    [
      'who did it',
      `update payments set reversed_by = gen_random_uuid() where agreement_id = $1 and state = 'reversed'`,
    ],
    ['why', `update payments set reverse_reason = 'x' where agreement_id = $1 and state = 'reversed'`],
  ])('keeps %s', async (_what, sql) => {
    await expect(byHand(sql)).rejects.toThrow('facts stay as they were written');
  });
  test('has a note', async () => {
    const { agreement_id } = world.sale.agreement;
    const [{ payment_id }] = (await db.asOwner<{ payment_id: string }>(
      `select payment_id from payments where agreement_id = $1 and goes_to = 'dues'`,
      [agreement_id],
    )) as [{ payment_id: string }];
    const lie = db.transaction(ORG, async (tx) => {
      await ledger.reverse(
        tx,
        { refKind: 'payment', refId: payment_id, kind: 'payment' },
        { kind: 'payment_reversed', businessOn: isoDate('2026-05-10') },
      );
      for (const sql of [
        `insert into payment_moves (org_id, payment_id, no, from_state, to_state, moved_by, moved_at, reason)
         values (${ORG}, '${payment_id}', 2, 'posted', 'reversed', '${shop.userId}', kist_now(), 'x')`,
        `update instalments set paid_principal_paise = 0, paid_interest_paise = 0 where agreement_id = '${agreement_id}' and no = 1`,
        `update agreements set outstanding_paise = outstanding_paise + 50000, oldest_due_paise = oldest_due_paise + 50000 where agreement_id = '${agreement_id}'`,
        `update payments set state = 'reversed', reversed_at = kist_now(), reversed_by = '${shop.userId}', held_reference = null where payment_id = '${payment_id}'`,
      ])
        await tx.query(sql);
    });
    await expect(lie).rejects.toThrow('is taken back without its note');
  });
});

test('a reference is held as long as its payment stands', async () => {
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, world.sale.agreement));
  const given = {
    instalment_id: instalmentIds.get(1)!,
    amount: 100_00,
    method: 'UPI',
    reference: '412345678901',
  } as const;
  await db.transaction(ORG, (tx) => payments.record(tx, shop, given));
  const lie = db.transaction(ORG, (tx) =>
    tx.query(`update payments set held_reference = null where held_reference = '412345678901'`),
  );
  await expect(lie).rejects.toThrow('facts stay as they were written');
});
