import { expect, test } from 'vitest';
import { bps } from '@kist/contract/money';
import type { Actor } from '#server/identity/identity.ts';
import { GUARDED } from '#test/books.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import { agreedTerms } from '#test/whole-consent.ts';
import { checkTerms, revise } from './agreements.ts';

const ORG = 20;
const db = await createTestDatabase();
await makeOrganisation(db, ORG);
await setClock(db, '2026-04-10T11:00:00');
const shop: Actor = await makeRetailer(db, ORG);
for (const given of [
  {},
  { method: 'FLAT', tenure: 3, fee: 199_99 },
  { method: 'ZERO', rate_bps: 0, frequency: 'WEEKLY' },
  { anchor_day: 31, down_payment: 2_000_00, cash_price: 20_000_00, rounding: 'PAISE' },
] as const)
  await db.transaction(ORG, (tx) => makeSale(tx, shop, { terms: terms(given) }));

test('schedules that were signed are what their terms make, all at once and in sevenths', async () => {
  expect(await checkTerms(db, ORG, null)).toEqual([]);
  for (const part of [0, 1, 2, 3, 4, 5, 6]) expect(await checkTerms(db, ORG, part)).toEqual([]);
});

test.each([
  ['the rate', 'update agreements set rate_bps = rate_bps + 100 where anchor_day = 31'],
  ['the day of the month', 'update agreements set anchor_day = 5 where anchor_day = 31'],
  ['the APR', 'update agreements set apr_bps = apr_bps + 1 where anchor_day = 31'],
  ['the day of delivery', 'update agreements set delivered_on = delivered_on - 5 where anchor_day = 31'],
  [
    'a due day',
    'update instalments set due_on = due_on + 3 where no = 2 and agreement_id = (select agreement_id from agreements where anchor_day = 31)',
  ],
  [
    'principal and interest of a row',
    'update instalments set principal_paise = principal_paise + 1, interest_paise = interest_paise - 1 where no = 2 and agreement_id = (select agreement_id from agreements where anchor_day = 31)',
  ],
])('%s that changed past the guards is seen', async (_what, sql) => {
  const seven = async () => {
    const found = await Promise.all([0, 1, 2, 3, 4, 5, 6].map((part) => checkTerms(db, ORG, part)));
    return found.flat();
  };
  const kept = await db.asOwner('select * from agreements where anchor_day = 31');
  expect(kept).toHaveLength(1);
  const copy = ['agreements', 'instalments'].map(
    (table) => `create table kept_${table} as select * from ${table} where org_id = ${ORG}`,
  );
  for (const text of copy) await db.asOwner(text);
  await db.plant(GUARDED, sql);
  expect(await checkTerms(db, ORG, null)).toHaveLength(1);
  expect(await seven()).toHaveLength(1);
  await db.plant(
    GUARDED,
    `update agreements a set rate_bps = k.rate_bps, anchor_day = k.anchor_day, apr_bps = k.apr_bps, delivered_on = k.delivered_on from kept_agreements k where k.agreement_id = a.agreement_id`,
  );
  await db.plant(
    GUARDED,
    `update instalments i set due_on = k.due_on, principal_paise = k.principal_paise, interest_paise = k.interest_paise from kept_instalments k where k.instalment_id = i.instalment_id`,
  );
  await db.asOwner('drop table kept_agreements; drop table kept_instalments');
  expect(await checkTerms(db, ORG, null)).toEqual([]);
});

test('of a schedule that was revised what was signed is still what its terms make, and what its version says of them is looked at', async () => {
  const { agreement, customerId } = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  const { agreement_id } = agreement;
  const changed = { method: 'REDUCING', rate_bps: bps(600), tenure: 9, rounding: 'RUPEE' } as const;
  await db.transaction(ORG, async (tx) => {
    const consent = await agreedTerms(tx, db, customerId);
    return revise(tx, shop, { agreement_id, cause: 'reschedule', reason: 'lost his job', terms: changed, consent });
  });
  expect(await checkTerms(db, ORG, null)).toEqual([]);
  const lies = [
    ['rate_bps', '1300'],
    ['tenure', '5'],
    ['emi_paise', '267500'],
    ['total_interest_paise', '1'],
    ['last_due_on', '"2027-01-01"'],
  ];
  for (const [name, value] of lies) {
    const [{ before } = {}] = await db.asOwner<{ before: object }>(
      'select before from schedule_versions where agreement_id = $1',
      [agreement_id],
    );
    await db.plant(
      ['schedule_versions'],
      'update schedule_versions set before = jsonb_set(before, array[$2::text], $3::jsonb) where agreement_id = $1',
      [agreement_id, name, value],
    );
    expect(await checkTerms(db, ORG, null)).toHaveLength(1);
    await db.plant(['schedule_versions'], 'update schedule_versions set before = $2 where agreement_id = $1', [
      agreement_id,
      before,
    ]);
  }
  // And the rows of the version, what it says they came by, and what it says was paid ahead.
  const ofVersion: [string, string][] = [
    ['schedule_versions', `set after = jsonb_set(after, '{rate_bps}', '100')`],
    ['schedule_versions', `set after = jsonb_set(after, '{apr_bps}', '100')`],
    ['schedule_versions', `set after = jsonb_set(after, '{emi_paise}', '100')`],
    ['schedule_versions', `set after = jsonb_set(after, '{method}', '"FLAT"')`],
    ['schedule_versions', 'set counted_interest_paise = 1'],
    ['instalments', `set due_on = due_on + 1 where version = 2 and no = 7 and`],
    ['instalments', `set due_on = '2026-04-10'::date + no where version = 2 and`],
    ['instalments', `set due_on = '9999-01-01'::date - no where version = 2 and`],
    [
      'instalments',
      'set principal_paise = principal_paise + 1, interest_paise = interest_paise - 1 where version = 2 and no = 8 and',
    ],
  ];
  for (const [table, set] of ofVersion) {
    await db.asOwner(`create table kept as select * from ${table} where agreement_id = '${agreement_id}'`);
    const where = set.endsWith(' and') ? '' : ' where';
    await db.plant([table], `update ${table} ${set}${where} agreement_id = $1`, [agreement_id]);
    expect([set, (await checkTerms(db, ORG, null)).length]).toEqual([set, 1]);
    const columns =
      table === 'instalments' ? ['due_on', 'principal_paise', 'interest_paise'] : ['after', 'counted_interest_paise'];
    const back = columns.map((name) => `${name} = k.${name}`).join(', ');
    const key = table === 'instalments' ? 'k.instalment_id = t.instalment_id' : 'k.agreement_id = t.agreement_id';
    await db.plant([table], `update ${table} t set ${back} from kept k where ${key}`);
    await db.asOwner('drop table kept');
  }
  expect(await checkTerms(db, ORG, null)).toEqual([]);
  await db.plant(['instalments'], 'update instalments set due_on = due_on + 1 where agreement_id = $1 and no = 6', [
    agreement_id,
  ]);
  expect(await checkTerms(db, ORG, null)).toHaveLength(1);
});
