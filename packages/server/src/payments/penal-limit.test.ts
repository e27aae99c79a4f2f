import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { addDays, isoDate } from '@kist/contract/dates';
import { bps, paise } from '@kist/contract/money';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { post } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { unpaidRow } from '#test/unpaid-row.ts';
import { penalCharge } from './rules/penal.ts';

const ORG = 20;
const db = await createTestDatabase();
let shop: Actor;
beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  await setClock(db, `${TODAY}T11:00:00`);
});
const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);

const TODAY = '2026-04-10';

/** A charge with its journal, as the account that serves can write it: by hand; of another day the daily run's, as only that has days of its own. */
const charge = (agreement_id: string, amount: number, charged_on = TODAY) =>
  inOrg(async (tx) => {
    const charge_id = newId();
    const made_by = charged_on === TODAY ? 'hand' : 'rule';
    const of = { agreement_id, instalment_no: 1, amount: paise(amount) };
    await post(tx, {
      effectKey: made_by === 'hand' ? `penal:hand:${charge_id}` : `penal:${agreement_id}:1:${charged_on}`,
      kind: 'penal_charged',
      refKind: 'agreement',
      refId: agreement_id,
      businessOn: isoDate(charged_on),
      lines: [
        { ...of, code: 'receivable_penal', charge_id, side: 'debit' },
        { ...of, code: 'income_penal', side: 'credit' },
      ],
    });
    await tx.query(
      `insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, charged_on, made_by, charged_by) values (kist_org(), $1, $2, 1, $3, $4, $5, $6)`,
      [charge_id, agreement_id, amount, charged_on, made_by, made_by === 'hand' ? shop.userId : null],
    );
  });
const REFUSED = 'a charge keeps to its rule';

test('a charge goes to its cap and not a paisa beyond, whoever writes it', async () => {
  // ₹2,674 since 28 February: two hundreds have come up by 10 April, and the cap is 5 %, ₹133.70.
  await makePenalRule(db, ORG, { cap_bps: 500 });
  const { agreement } = await inOrg((tx) => makeSale(tx, shop));
  const { agreement_id } = agreement;
  await expect(charge(agreement_id, 133_71)).rejects.toThrow(REFUSED);
  // On 4 March one hundred had come up; on the third day of grace nothing; and tomorrow is not here.
  await expect(charge(agreement_id, 100_01, '2026-03-04')).rejects.toThrow(REFUSED);
  await expect(charge(agreement_id, 1, '2026-03-03')).rejects.toThrow(REFUSED);
  await expect(charge(agreement_id, 1, '2026-04-11')).rejects.toThrow(REFUSED);
  await charge(agreement_id, 100_00, '2026-03-04');
  await expect(charge(agreement_id, 33_71)).rejects.toThrow(REFUSED);
  await charge(agreement_id, 33_70);
  await expect(charge(agreement_id, 1)).rejects.toThrow(REFUSED);
  expect((await db.read(ORG, (tx) => account(tx, agreement))).charges).toHaveLength(2);
});

test('by hand none is made of another day', async () => {
  await makePenalRule(db, ORG);
  const { agreement } = await inOrg((tx) => makeSale(tx, shop));
  await setClock(db, '2026-04-12T11:00:00');
  await expect(charge(agreement.agreement_id, 1)).rejects.toThrow('of the moment and the day');
  await setClock(db, `${TODAY}T11:00:00`);
});

test('none is made of an agreement that was signed under no rule', async () => {
  await makePenalRule(db, ORG, { charge_paise: 0 });
  const { agreement } = await inOrg((tx) => makeSale(tx, shop));
  await expect(charge(agreement.agreement_id, 1)).rejects.toThrow(REFUSED);
});

test('the database reckons what may be charged as the rule does', async () => {
  const due_on = isoDate('2026-02-28');
  const rule = fc.record({
    charge_paise: fc.integer({ min: 0, max: 100_000_000 }).map(paise),
    grace_days: fc.integer({ min: 0, max: 40 }),
    every_days: fc.integer({ min: 1, max: 40 }),
    cap_bps: fc.integer({ min: 0, max: 10_000 }).map(bps),
  });
  const some = fc.sample(
    fc.record({ rule, left: fc.integer({ min: 0, max: 2 ** 40 }), days: fc.integer({ min: -5, max: 400 }) }),
    500,
  );
  const rows = await db.asOwner<{ paise: string }>(
    `select kist_penal_limit(o -> 'rule', $2::date, $2::date + (o ->> 'days')::int, (o ->> 'left')::bigint)::text as paise
     from jsonb_array_elements($1) with ordinality as t(o, n) order by n`,
    [JSON.stringify(some), due_on],
  );
  const reckoned = some.map(({ rule: terms, left, days }) => {
    const instalment = unpaidRow({ no: 1, due_on, principal_paise: paise(left) });
    return String(penalCharge(instalment, [], addDays(due_on, days), terms).amount_paise);
  });
  expect(rows.map(({ paise: limit }) => limit)).toEqual(reckoned);
});
