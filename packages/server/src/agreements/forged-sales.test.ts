import { EMI_LIMITS } from '@kist/contract/emi-limits';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addDays, businessDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { account, shopNo } from './agreements.ts';

/** What somebody could write of sales, numbers and days who has the server's own account. */
const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
let shop: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
});
afterEach(() => db.asOwner('drop function if exists forge() cascade'));

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const sell = (delivered_on?: string) =>
  inOrg((tx) => makeSale(tx, shop, { terms: terms({ ...(delivered_on && { delivered_on }), down_payment: 0 }) }));
const policyOf = (penalCapBps: number) => ({ ...POLICY_PRESETS.dealer, penalCapBps });
const choose = (penalCapBps: number) =>
  inOrg((tx) =>
    tx.query(
      `insert into lock_policies (org_id, version, preset, policy, created_at)
       select $1, coalesce(max(version), 0) + 1, 'dealer', $2, kist_now() from lock_policies where org_id = $1`,
      [ORG, JSON.stringify(policyOf(penalCapBps))],
    ),
  );
/** Whatever the service writes is written otherwise. */
const forged = (set: string) =>
  db.asOwner(
    `create function forge() returns trigger language plpgsql as $$ begin ${set}; return new; end $$;
     create trigger a_forger before insert on agreements for each row execute function forge();
     alter table agreements enable always trigger a_forger`,
  );

describe('a sale', () => {
  test('is under the rule of penalties that is in force', async () => {
    await forged(
      `new.penal := '{"version": 1, "charge_paise": 100, "grace_days": 0, "every_days": 1, "cap_bps": 10000, "is_daily": true}'`,
    );
    await expect(sell()).rejects.toThrow('another rule of penalties is in force');
    await db.asOwner('drop function forge() cascade');
    await sell();
    await makePenalRule(db, ORG, { charge_paise: 50_00 });
    await makePenalRule(db, ORG);
    await sell();
    await setClock(db, '2026-04-10T12:00:00');
    await sell();
    for (const set of [
      'new.penal := null',
      `new.penal := jsonb_set(new.penal, '{version}', '1')`,
      `new.penal := jsonb_set(new.penal, '{charge_paise}', '10000000')`,
    ]) {
      await forged(set);
      await expect(sell(), set).rejects.toThrow('another rule of penalties is in force');
      await db.asOwner('drop function forge() cascade');
    }
  });

  test('that was made while the rule changed is under the one before', async () => {
    await makePenalRule(db, ORG, { charge_paise: 70_00 });
    await forged(
      `new.penal := kist_penal_stamp((select r from penal_rules r where r.org_id = new.org_id and r.version = 2), new.policy)`,
    );
    await sell();
    await setClock(db, '2026-04-10T13:00:00');
    await expect(sell()).rejects.toThrow('another rule of penalties is in force');
  });

  test('says of penalties what the organisation’s lock policy says, or the one that was chosen while it was made', async () => {
    const refused = 'its lock policy says of penalties what the organisation’s does not';
    const stamped = (policy: string) =>
      forged(`new.policy := ${policy};
        new.penal := kist_penal_stamp((select r from penal_rules r where r.org_id = new.org_id order by version desc limit 1), new.policy)`);
    const sellUnder = (penalCapBps: number) =>
      inOrg((tx) => makeSale(tx, shop, { terms: terms({ down_payment: 0 }), policy: policyOf(penalCapBps) }));
    const others = [
      `jsonb_set(new.policy, '{penalCapBps}', '9999')`,
      `new.policy - 'penalCapBps'`,
      `new.policy || '{"penalChargePaise": 100000}'`,
    ];
    // Never chosen; chosen.
    for (const cap of [500, 10_000])
      for (const policy of others) {
        await stamped(policy);
        await expect(sellUnder(cap), policy).rejects.toThrow(refused);
        await db.asOwner('drop function forge() cascade');
      }
    await choose(10_000);
    await stamped(`jsonb_set(new.policy, '{penalCapBps}', '500')`);
    await sellUnder(10_000);
    await setClock(db, '2026-04-10T13:30:00');
    await expect(sellUnder(10_000)).rejects.toThrow(refused);
  });

  test('has the number that was given, and is of a book only where one names it', async () => {
    await forged(`new.agreement_no := '20-99999'`);
    await expect(sell()).rejects.toThrow('20-99999 is not the number that was given');
    await db.asOwner('drop function forge() cascade');
    await forged(`new.agreement_no := '20-H00009'; new.penal := null`);
    const asOfBook = inOrg(async (tx) => {
      await makeSale(tx, shop, { terms: terms({ down_payment: 0 }) });
      await tx.query('set constraints agreements_of_books_are_told immediate');
    });
    await expect(asOfBook).rejects.toThrow('20-H00009 is of no book');
    await db.asOwner('drop function forge() cascade');
    // Named by a book, with a rule of penalties and without.
    const named = (penal: string) =>
      forged(`new.agreement_no := '20-H00009'; new.penal := ${penal}`).then(() =>
        db.operator.transaction(ORG, async (tx) => {
          const { agreement } = await makeSale(tx, shop, { terms: terms({ down_payment: 0 }) });
          await tx.query(
            `insert into historic_agreements (org_id, row_ref, agreement_id, row_hash, imported_at) values ($1, 'x', $2, sha256('x'), kist_now())`,
            [ORG, agreement.agreement_id],
          );
          await tx.query('set constraints agreements_of_books_are_told immediate');
          throw new Error('of a book');
        }),
      );
    await expect(named('new.penal')).rejects.toThrow('20-H00009 is of no book');
    await db.asOwner('drop function forge() cascade');
    await expect(named('null')).rejects.toThrow('of a book');
  });

  test('is not of last month where the clock is the world’s', async () => {
    await db.asOwner(`update clock_offset set shift = interval '0'`);
    const today = businessDate(Date.now());
    // The database has the number of days once more.
    await sell(addDays(today, -EMI_LIMITS.deliveredAgoDays));
    await expect(sell(addDays(today, -EMI_LIMITS.deliveredAgoDays - 1))).rejects.toThrow(
      'what was delivered longer ago comes in by a book',
    );
    await setClock(db, '2026-04-10T14:00:00');
  });
});

test('no number goes out without its paper', async () => {
  const sale = await sell();
  const { instalmentIds } = await db.read(ORG, (tx) => account(tx, sale.agreement));
  const given = { instalment_id: instalmentIds.get(1)!, amount: 10_00, method: 'CASH', reference: '' } as const;
  const pay = () => inOrg((tx) => payments.record(tx, shop, given));
  const { payment_id } = await pay();
  await inOrg((tx) => payments.reverse(tx, shop, payment_id, 'never came in'));
  for (const name of ['agreement', 'receipt:%', 'note:%'])
    await expect(
      inOrg((tx) => tx.query(`update counters set last = last + 1 where name like $1`, [name])),
      name,
    ).rejects.toThrow('is on no paper');
  for (const series of ['receipt', 'down_payment', 'note'])
    await expect(
      inOrg((tx) =>
        tx.query(`insert into counters (org_id, name, last) values ($1, $2, 1)`, [
          ORG,
          `${series}:${shop.userId}:2031-32`,
        ]),
      ),
      series,
    ).rejects.toThrow('is on no paper');
  await pay();
});

test('no counter is begun that nothing reads, and no shop’s number is given to nobody', async () => {
  await sell();
  const begun = (name: string, last = 1) =>
    inOrg((tx) => tx.query('insert into counters (org_id, name, last) values ($1, $2, $3)', [ORG, name, last]));
  const nobody = newId();
  for (const name of [
    'odd',
    'agreements',
    `shop:${nobody}`,
    `shop:${shop.userId}:2026-27`,
    `receipt:${nobody}:2026-27`,
    `receipt:${shop.userId}`,
    `receipt:${shop.userId}:2026`,
    `refund:${shop.userId}:2026-27`,
  ])
    await expect(begun(name), name).rejects.toThrow(`nothing reads ${name}`);
  await inOrg((tx) => shopNo(tx, { user_id: shop.userId }));
  await expect(inOrg((tx) => tx.query(`update counters set last = last + 1 where name = 'shops'`))).rejects.toThrow(
    'is no shop’s number',
  );
});

test('a day is said to be run when all its steps are, none is passed over, and none that has not come', async () => {
  const ran = (days: number) =>
    inOrg((tx) => tx.query(`update organisations set daily_run_on = kist_today() + ${days} where org_id = $1`, [ORG]));
  const done = (days: number, but = '') =>
    inOrg((tx) =>
      tx.query(
        `insert into daily_steps (org_id, business_on, step, finished_at) select $1, kist_today() + ${days}, step, kist_now()
         from unnest(kist_daily_steps()) s(step) where step <> $2 on conflict do nothing`,
        [ORG, but],
      ),
    );
  const tooEarly = 'a day is not run before its steps are';
  await expect(ran(1)).rejects.toThrow('has not come');
  await expect(ran(9000)).rejects.toThrow('has not come');
  await expect(ran(-4)).rejects.toThrow(tooEarly);
  await done(-4, 'checks');
  await expect(ran(-4)).rejects.toThrow(tooEarly);
  await done(-4);
  await ran(-4);
  await done(-2);
  await expect(ran(-2)).rejects.toThrow(tooEarly);
  await done(-3);
  await ran(-2);
  await expect(ran(0)).rejects.toThrow(tooEarly);
});
