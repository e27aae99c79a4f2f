import { beforeAll, describe, expect, test } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import { type Actor, suspendPerson } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import {
  makeAdmin,
  makeOrganisation,
  makePenalRule,
  makeRetailer,
  makeSale,
  setClock,
  terms,
} from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { faultsOf } from './self-check.ts';

/** Books that were written while the clock was elsewhere, as for a demonstration, looked at after it was put back. */
const ORG = 20;
const db = await createTestDatabase();
let shop: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
});

const sell = (delivered_on: string) =>
  db.transaction(ORG, (tx) => makeSale(tx, shop, { terms: terms({ delivered_on, down_payment: 0 }) }));
const putBack = () => db.asOwner(`update clock_offset set shift = interval '0'`);
const faults = () => db.read(ORG, (tx) => faultsOf(tx, null));

test('what was right when it was written is no fault once the clock is put back', async () => {
  await setClock(db, '2031-06-10T11:00:00');
  await makePenalRule(db, ORG);
  // Of long ago, as a shop that lives through months in a minute has it.
  await sell('2031-02-01');
  await setClock(db, '2031-04-10T11:00:00');
  // Set after that sale, and by the clock before it.
  await makePenalRule(db, ORG, { charge_paise: 50_00 });
  await sell('2031-04-09');
  await putBack();
  expect(await faults()).toEqual([]);
});

test('a sale behind a rule is under it, whatever the clock says', async () => {
  await setClock(db, '2031-02-10T11:00:00');
  const { agreement } = await sell('2031-02-09');
  await putBack();
  expect(await faults()).toEqual([]);
  await db.plant(['agreements'], `update agreements set penal = null where agreement_id = $1`, [
    agreement.agreement_id,
  ]);
  expect(await faults()).toEqual([
    `signed under another rule of penalties than was in force (${agreement.agreement_no}): 0, should be 2`,
  ]);
});

test('a sale that is signed by the world’s clock was delivered lately, wherever the clock is when it is looked at', async () => {
  await db.plant(
    ['agreements'],
    `update agreements set is_of_real_time = true, penal = (select penal from agreements where penal ->> 'version' = '2' limit 1)
     where org_id = ${ORG}`,
  );
  for (const look of [putBack, () => setClock(db, '2031-04-10T11:00:00')]) {
    await look();
    expect((await faults()).filter((one) => one.startsWith('days between'))).toHaveLength(1);
  }
});

describe('a shop that was suspended', () => {
  const found = async () => (await faults()).filter((one) => one.startsWith('a payment of a shop that was suspended'));
  const suspend = async ({ userId: user_id }: Actor) => {
    const admin = await makeAdmin(db, ORG);
    await db.transaction(ORG, (tx) => suspendPerson(tx, admin, { user_id, reason: 'closed' }));
  };
  const payments = quietPayments();
  const pay = (by: Actor, { agreement }: Awaited<ReturnType<typeof sell>>) =>
    db.transaction(ORG, async (tx) => {
      const { instalmentIds } = await account(tx, agreement);
      const given = { instalment_id: instalmentIds.get(1)!, amount: 10_00, method: 'CASH', reference: '' } as const;
      return payments.record(tx, by, given);
    });
  const sold = async (by: Actor) =>
    db.transaction(ORG, (tx) => makeSale(tx, by, { terms: terms({ delivered_on: '2031-06-09', down_payment: 0 }) }));

  test('took what it took before, by a clock that was put back since', async () => {
    await setClock(db, '2031-06-10T11:00:00');
    const closed = await makeRetailer(db, ORG);
    await pay(closed, await sold(closed));
    await putBack();
    await suspend(closed);
    expect(await found()).toEqual([]);
  });

  test('took what it took after, by a clock that was put back in between', async () => {
    await setClock(db, '2031-06-10T11:00:00');
    const closed = await makeRetailer(db, ORG);
    const sale = await sold(closed);
    await pay(closed, sale);
    await suspend(closed);
    expect(await found()).toEqual([]);
    await setClock(db, '2031-06-10T10:00:00');
    const guards = ['payments_are_of_their_people'];
    for (const guard of guards) await db.asOwner(`alter table payments disable trigger ${guard}`);
    await pay(closed, sale);
    for (const guard of guards) await db.asOwner(`alter table payments enable always trigger ${guard}`);
    expect(await found()).toHaveLength(1);
  });
});

test('a day that was run is no day before it came once the clock is put back', async () => {
  await setClock(db, '2031-06-10T11:00:00');
  const before = await faults();
  await db.transaction(ORG, async (tx) => {
    await tx.query(
      `insert into daily_steps (org_id, business_on, step, finished_at) select $1, kist_today(), step, kist_now() from unnest(kist_daily_steps()) s(step)`,
      [ORG],
    );
    await tx.query('update organisations set daily_run_on = kist_today() where org_id = $1', [ORG]);
  });
  await putBack();
  expect(await faults()).toEqual(before);
});
