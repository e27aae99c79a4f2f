import { beforeEach, expect, test } from 'vitest';
import { addDays, isoDate, type IsoDate } from '@kist/contract/dates';
import { newId } from '#server/platform/ids.ts';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { agreedTerms } from '#test/whole-consent.ts';
import { account, checkTerms } from './agreements.ts';

/**
 * What somebody could write who has the server's own account: the next version of a schedule whole, with rows and journals that go together, and false. Six
 * EMIs of ₹2,674 from 28 February, nothing paid.
 */
const ORG = 20;
const TODAY = isoDate('2026-02-10');
const db = await createTestDatabase();
await makeOrganisation(db, ORG);
const shop = await makeRetailer(db, ORG);
let sale: Awaited<ReturnType<typeof makeSale>>;
beforeEach(async () => {
  await setClock(db, `${TODAY}T11:00:00`);
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
});

interface Forged {
  cause?: string;
  /** Interest more in the last row. */
  extra?: number;
  /** Of the new rows. */
  dueOn?: (due_on: IsoDate, index: number) => IsoDate;
  /** In the terms, past what the rows come to. */
  terms?: object;
  counted?: number;
  isAgreedTo?: boolean;
  /** When it is written. */
  on?: string;
}

/** The same rows once more as the next version, but for what is forged. */
const forge = (forged: Forged) =>
  db.transaction(ORG, async (tx) => {
    const { agreement_id } = sale.agreement;
    const { extra = 0, cause = 'edit', dueOn = (day) => day, terms = {}, counted = 0 } = forged;
    const { agreement: was, instalments } = await account(tx, { agreement_id });
    const rows = instalments.map((row, index) => ({
      no: row.no + instalments.length,
      due_on: dueOn(row.due_on, index),
      principal_paise: row.principal_paise,
      interest_paise: row.interest_paise + (index === instalments.length - 1 ? extra : 0) - (index === 0 ? counted : 0),
    }));
    const [before] = (
      await tx.query<{ t: object }>('select terms_in_force(a) as t from agreements a where agreement_id = $1', [
        agreement_id,
      ])
    ).rows;
    const interest = rows.reduce((sum, row) => sum + row.interest_paise, 0);
    const after = {
      ...before!.t,
      total_interest_paise: interest,
      total_payable_paise: was.financed_paise + interest,
      last_due_on: rows.at(-1)!.due_on,
      ...terms,
    };
    const consent = forged.isAgreedTo ? await agreedTerms(tx, db, sale.customerId) : { otp_id: null, hash: null };
    await tx.query(
      `insert into schedule_versions (org_id, agreement_id, version, effective_on, cause, reason, made_by, made_at, after, before, principal_paise, interest_paise,
         fee_paise, dropped_interest_paise, dropped_fee_paise, counted_interest_paise, consent_otp_id, consent_hash)
       values ($1, $2, 2, kist_today(), $3, 'forged', $4, kist_now(), $5, $6, $7, $8, 0, $9, 0, $10, $11, $12)`,
      [
        ORG,
        agreement_id,
        cause,
        shop.userId,
        after,
        before!.t,
        was.financed_paise,
        interest,
        was.total_interest_paise,
        counted,
        consent.otp_id,
        consent.hash,
      ],
    );
    await writeRows(tx, rows, after);
    await post(tx, ':taken_back', 'schedule_taken_back', was.total_interest_paise * -1);
    await post(tx, '', 'schedule_opened', interest);
    await tx.query(
      'update agreements set outstanding_paise = $2, oldest_due_on = $3, oldest_due_paise = $4 where agreement_id = $1',
      [
        agreement_id,
        was.financed_paise + interest,
        rows.map(({ due_on }) => due_on).toSorted()[0],
        rows[0]!.principal_paise + rows[0]!.interest_paise,
      ],
    );
  });

interface Row {
  no: number;
  due_on: IsoDate;
  principal_paise: number;
  interest_paise: number;
}

/** Those that stood put aside, the new ones, and the terms in force. */
async function writeRows(tx: Tx, rows: readonly Row[], after: object): Promise<void> {
  const { agreement_id } = sale.agreement;
  await tx.query(
    `update instalments set superseded_by = 2, paid_on = kist_today(), dropped_principal_paise = principal_paise, dropped_interest_paise = interest_paise
     where agreement_id = $1`,
    [agreement_id],
  );
  await tx.query(
    `insert into instalments (org_id, agreement_id, no, instalment_id, due_on, principal_paise, interest_paise, balance_paise, version)
     select $1, $2, no, gen_random_uuid(), due_on, principal_paise, interest_paise, 0, 2
     from jsonb_to_recordset($3) as r(no int, due_on date, principal_paise bigint, interest_paise bigint)`,
    [ORG, agreement_id, JSON.stringify(rows)],
  );
  await tx.query(
    `update agreements a set schedule_version = 2, schedule_from = kist_today(), rate_bps = t.rate_bps, tenure = t.tenure, emi_paise = t.emi_paise,
       total_interest_paise = t.total_interest_paise, total_payable_paise = t.total_payable_paise, apr_bps = t.apr_bps, last_due_on = t.last_due_on
     from jsonb_to_record($2) as t(rate_bps int, tenure int, emi_paise bigint, total_interest_paise bigint, total_payable_paise bigint, apr_bps int, last_due_on date)
     where a.agreement_id = $1`,
    [agreement_id, after],
  );
}

const post = (tx: Tx, name: string, kind: string, interest: number) =>
  tx.query(
    `with j as (insert into journals (org_id, journal_id, effect_key, kind, ref_kind, ref_id, business_on, posted_at)
       values ($1, $2, $3, $4, 'agreement', $5, kist_today(), kist_now()) returning journal_id)
     insert into journal_lines (org_id, journal_id, line_no, account_id, unit, debit, credit, agreement_id, bucket)
     select $1, j.journal_id, n.no, a.account_id, 'INR', greatest(n.side * $6::bigint, 0), greatest(-n.side * $6::bigint, 0), $5, n.bucket
     from j, (values (1, 1, 'receivable_interest', 'interest'), (2, -1, 'unearned_interest', null)) as n(no, side, code, bucket)
     join accounts a on a.org_id = $1 and a.code = n.code`,
    [ORG, newId(), `version:${sale.agreement.agreement_id}:2${name}`, kind, sale.agreement.agreement_id, interest],
  );

test('the same once more is no forgery: it stands, and nothing is found', async () => {
  await forge({});
  expect(await checkTerms(db, ORG, null)).toEqual([]);
});

const MORE = 5_000_00;
test.each<[string, Forged, RegExp]>([
  ['a first row that was due', { dueOn: (day, index) => (index === 0 ? addDays(TODAY, -2) : day) }, /due already/],
  ['a first row of the day itself', { dueOn: (day, index) => (index === 0 ? TODAY : day) }, /due already/],
  ['everything from tomorrow on', { dueOn: (_day, index) => addDays(TODAY, 1 + index) }, /no code of the customer/],
  ...['edit', 'reschedule', 'prepayment', 'pause', 'foreclosure'].map((cause): [string, Forged, RegExp] => [
    `${cause} for ₹5,000 more`,
    { cause, extra: MORE },
    /no code of this customer/,
  ]),
  [
    'more, and the total as it was',
    { extra: MORE, terms: { total_payable_paise: 16_044_04 } },
    /another total than its sums/,
  ],
  ['another number of rows', { terms: { tenure: 99 } }, /another time than its rows/],
  ['another last day', { terms: { last_due_on: '2026-12-31' } }, /another time than its rows/],
  ['interest that counts and was not paid', { counted: 1_00 }, /more than was paid/],
  ['what falls due first a month later', { dueOn: (day) => addDays(day, 28) }, /puts off what falls due on 2026-02-28/],
  ['what is due a month later', { on: '2026-02-28', dueOn: (day) => addDays(day, 28) }, /what is due is not put off/],
  ['what is overdue in 2098', { on: '2026-03-05', dueOn: (day) => addDays(day, 26_000) }, /what is due is not put off/],
])('%s is refused by the database', async (_what, forged, message) => {
  if (forged.on) await setClock(db, `${forged.on}T11:00:00`);
  await expect(forge(forged)).rejects.toThrow(message);
});

test.each<[string, Forged]>([
  ['rows that no terms make', { dueOn: (_day, index) => addDays(TODAY, 1 + index), isAgreedTo: true }],
  ['another rate than that of the rows', { terms: { rate_bps: 100, apr_bps: 100 } }],
  ['another EMI than that of the rows', { terms: { emi_paise: 1_00 } }],
  ['interest that no terms make', { extra: MORE, isAgreedTo: true }],
])('%s are seen by the check of the terms', async (_what, forged) => {
  await forge(forged);
  expect(await checkTerms(db, ORG, null)).toEqual(
    expect.arrayContaining([expect.stringContaining(`(${sale.agreement.agreement_no} version 2)`)]),
  );
});
