import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeAdmin, makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { bellLines } from '#test/rung.ts';
import { chargeByHand, chargePenalties, decideWaiver, waivePenalty } from './payments.ts';

const ORG = 20;
const db = await createTestDatabase();
const told: unknown[] = [];
const notices = { send: async (_tx: Tx, sent: readonly unknown[]) => told.push(...sent) };
const payments = quietPayments();
let shop: Actor;
let helper: Actor;
let sale: Awaited<ReturnType<typeof makeSale>>;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  helper = await makeRetailer(db, ORG, shop);
});
/** ₹15,500 over six months from the end of January: ₹2,674 on 28 February, then on the last day of each month. */
beforeEach(async () => {
  await setClock(db, '2026-04-10T11:00:00');
  await makePenalRule(db, ORG, { cap_bps: 500, waiver_limit_paise: 60_00 });
  sale = await db.transaction(ORG, (tx) => makeSale(tx, shop));
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const opened = () => db.read(ORG, (tx) => account(tx, sale.agreement));
const chargesNow = async () =>
  (await opened()).charges.map(({ instalment_no, amount_paise, paid_paise, waived_paise }) => [
    instalment_no,
    amount_paise,
    paid_paise,
    waived_paise,
  ]);
const run = (on: string) => chargePenalties(db, notices, ORG, isoDate(on));
const pay = async (amount: number, paidOn?: string) => {
  const instalment_id = (await opened()).instalmentIds.get(6)!;
  const paid_at = paidOn && `${paidOn}T12:00:00+05:30`;
  return inOrg((tx) => payments.record(tx, shop, { instalment_id, amount, method: 'CASH', reference: '', paid_at }));
};
const booksAreRight = async () => expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);
const journals = async (kind: string) =>
  (
    await db.asOwner<{ n: number }>(
      `select count(distinct journal_id)::int as n from journals join journal_lines using (org_id, journal_id) where kind = $1 and agreement_id = $2`,
      [kind, sale.agreement.agreement_id],
    )
  )[0]!.n;
const owed = async () => {
  const [row] = await db.asOwner<{ paise: number }>(
    `select coalesce(sum(debit - credit), 0)::int as paise from journal_lines where bucket = 'penal' and agreement_id = $1`,
    [sale.agreement.agreement_id],
  );
  return row!.paise;
};

test('every agreement of a day is charged once, however many slices it takes and how often the day is run at once', async () => {
  for (let n = 0; n < 4; n += 1) await db.transaction(ORG, (tx) => makeSale(tx, shop));
  const [{ due } = { due: 0 }] = await db.asOwner<{ due: number }>(
    `select count(*)::int as due from agreements where org_id = $1 and state = 'active' and oldest_due_on = '2026-02-28'`,
    [ORG],
  );
  expect(due).toBeGreaterThanOrEqual(5);
  const runs = [1, 2].map(() => chargePenalties(db, notices, ORG, isoDate('2026-03-04'), 2));
  const made = await Promise.all(runs);
  expect(made[0]! + made[1]!).toBe(due);
  await booksAreRight();
});

describe('money of an earlier day', () => {
  test('takes the charges back that it makes unfounded, by mirrors of their journals, and nothing else', async () => {
    await run('2026-04-10');
    expect(await chargesNow()).toEqual([
      [1, 133_70, 0, 0],
      [2, 100_00, 0, 0],
    ]);
    // Two instalments on 27 February: neither was ever overdue.
    await pay(2 * 2_674_00, '2026-02-27');
    expect(await chargesNow()).toEqual([]);
    expect([await owed(), await journals('penal_taken_back')]).toEqual([0, 2]);
    expect(
      await db.asOwner(
        `select data -> 'charges' -> 1 -> 'amount_paise' as second from audit_lines where subject_id = $1 and action = 'penal_taken_back'`,
        [sale.agreement.agreement_id],
      ),
    ).toEqual([{ second: 100_00 }]);
    await booksAreRight();
  });

  test('that comes on the day of a charge or later leaves it, and so does a part that the rule does not mind', async () => {
    await run('2026-03-04');
    expect(await chargesNow()).toEqual([[1, 100_00, 0, 0]]);
    await pay(2_674_00, '2026-03-04');
    await pay(100_00, '2026-03-03');
    expect(await chargesNow()).toEqual([[1, 100_00, 100_00, 0]]);
    await booksAreRight();
  });

  test('of a part takes back what is then above the cap, and the daily run makes anew what the rule gives', async () => {
    await run('2026-03-04');
    // Left of the instalment: ₹1,674, and five per cent of it below the charge of ₹100.
    await pay(1_000_00, '2026-03-01');
    expect(await chargesNow()).toEqual([]);
    // The day is on the books: another run of it makes nothing that they do not know.
    expect([await run('2026-03-04'), await chargesNow()]).toEqual([0, []]);
    await booksAreRight();
    await run('2026-03-05');
    expect(await chargesNow()).toEqual([[1, 83_70, 0, 0]]);
    await booksAreRight();
  });

  test('gives what a charge had been paid to what is owed next, and a reversal brings no charge back by itself', async () => {
    await run('2026-03-04');
    await pay(2_774_00, '2026-03-10');
    expect(await chargesNow()).toEqual([[1, 100_00, 100_00, 0]]);
    const early = await pay(2_674_00, '2026-02-28');
    expect(await chargesNow()).toEqual([]);
    const { instalments } = await opened();
    const paid = instalments.map((row) => row.paid_principal_paise + row.paid_interest_paise);
    expect(paid).toEqual([2_674_00, 2_674_00, 100_00, 0, 0, 0]);
    await booksAreRight();
    await inOrg((tx) => payments.reverse(tx, shop, early.payment_id, 'wrong customer'));
    expect([await chargesNow(), await journals('penal_taken_back')]).toEqual([[], 1]);
    await run('2026-04-10');
    expect(await chargesNow()).toEqual([[2, 100_00, 0, 0]]);
    await booksAreRight();
  });

  test('takes back what was waived of a charge with it', async () => {
    await run('2026-03-04');
    const [charge] = (await opened()).charges;
    await inOrg((tx) =>
      waivePenalty(tx, notices, shop, { charge_id: charge!.charge_id, amount: 40_00, reason: 'was ill' }),
    );
    await pay(2_674_00, '2026-02-28');
    expect([await chargesNow(), await owed(), await journals('waiver_taken_back')]).toEqual([[], 0, 1]);
    await booksAreRight();
    await expect(
      inOrg((tx) => waivePenalty(tx, notices, shop, { charge_id: charge!.charge_id, reason: 'was ill' })),
    ).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });
});

describe('a waiver', () => {
  const charge = async () => {
    await run('2026-03-04');
    return (await opened()).charges[0]!.charge_id;
  };
  const ask = (charge_id: string, amount?: number, actor = shop) =>
    inOrg((tx) => waivePenalty(tx, notices, actor, { charge_id, amount, reason: 'was ill' }));
  const decide = (waiver_id: string, actor: Actor, is_granted = true, note?: string) =>
    inOrg((tx) => decideWaiver(tx, notices, actor, { waiver_id, is_granted, note }));
  const waivers = () =>
    db.asOwner(
      `select coalesce(sum(debit - credit), 0)::int as paise from journal_lines l join accounts a using (org_id, account_id)
       where a.code = 'waivers' and l.agreement_id = $1`,
      [sale.agreement.agreement_id],
    );
  let admin: Actor;
  beforeAll(async () => {
    admin = await makeAdmin(db, ORG);
  });

  test('is told to the customer when it stands, by who gave it or by the second person, and not before', async () => {
    const charge_id = await charge();
    const messages = () =>
      (told as { template: string; no: number }[]).filter(({ template }) => template === 'penal_waived');
    const before = messages().length;
    await ask(charge_id, 50_00);
    expect(messages().slice(before)).toMatchObject([
      { customerId: sale.customerId, channels: ['sms'], params: { amountPaise: 50_00, dueOn: '2026-02-28' } },
    ]);
    const { waiver_id } = await ask(charge_id, 30_00);
    expect(messages()).toHaveLength(before + 1);
    await decide(waiver_id, admin);
    expect(messages().slice(before + 1)).toMatchObject([{ params: { amountPaise: 30_00 } }]);
    // One kind, number and day is one message: each of two on one day is a message of its own.
    expect(
      new Set(
        messages()
          .slice(before)
          .map(({ no }) => no),
      ).size,
    ).toBe(2);
  });

  test('within the limit stands at once; what goes beyond it in steps takes a second person too', async () => {
    const charge_id = await charge();
    expect(await ask(charge_id, 60_00)).toMatchObject({ state: 'granted', left_paise: 40_00 });
    expect([await chargesNow(), await owed(), await waivers()]).toEqual([
      [[1, 100_00, 0, 60_00]],
      40_00,
      [{ paise: 60_00 }],
    ]);
    expect(await ask(charge_id, 1)).toMatchObject({ state: 'asked', left_paise: 40_00 });
    expect(await owed()).toBe(40_00);
    await booksAreRight();
  });

  test('beyond the limit waits for somebody else who answers for the shop or the organisation', async () => {
    const charge_id = await charge();
    const { waiver_id, state } = await ask(charge_id);
    expect([state, await owed()]).toEqual(['asked', 100_00]);
    for (const one of [shop, { ...helper, visibleOwnerIds: shop.visibleOwnerIds }])
      await expect(decide(waiver_id, one)).rejects.toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });
    await expect(ask(charge_id)).rejects.toMatchObject({ code: 'WAIVER_ASKED_ALREADY' });
    expect(await decide(waiver_id, admin)).toEqual({ waiver_id, state: 'granted', left_paise: 0 });
    expect([await owed(), await waivers()]).toEqual([0, [{ paise: 100_00 }]]);
    await expect(decide(waiver_id, admin)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(ask(charge_id)).rejects.toMatchObject({ code: 'ALREADY_PAID' });
    await booksAreRight();
  });

  test.each<[string, (asker: Actor) => Promise<unknown>]>([
    ['suspended', ({ userId }) => db.asOwner('update users set is_active = false where user_id = $1', [userId])],
    [
      'told no more what is owed',
      ({ userId }) =>
        db.asOwner(`update users set lock_access = lock_access || '{"read": "0"}' where user_id = $1`, [userId]),
    ],
    [
      'without the customer, who has passed to another shop',
      () =>
        db.plant(
          ['customers', 'agreements'],
          `with moved as (update customers set owner_user_id = $2 where customer_id = $1)
           update agreements set owner_user_id = $2 where customer_id = $1`,
          [sale.customerId, shop.userId],
        ),
    ],
  ])('is granted by nobody once who asked is %s; then it is for a no alone', async (_why, happen) => {
    const charge_id = await charge();
    const asker = await makeRetailer(db, ORG, shop);
    await db.plant(
      ['customers', 'agreements'],
      `with moved as (update customers set owner_user_id = $2 where customer_id = $1)
       update agreements set owner_user_id = $2 where customer_id = $1`,
      [sale.customerId, asker.userId],
    );
    const { waiver_id } = await ask(charge_id, undefined, asker);
    await happen(asker);
    await expect(decide(waiver_id, admin)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const byHand = inOrg((tx) =>
      tx.query(`update waivers set state = 'granted', decided_by = $2, decided_at = kist_now() where waiver_id = $1`, [
        waiver_id,
        admin.userId,
      ]),
    );
    await expect(byHand).rejects.toThrow('who asks is nobody who sees this customer');
    expect(await owed()).toBe(100_00);
    expect(await decide(waiver_id, admin, false)).toMatchObject({ state: 'refused' });
  });

  test('that is refused, or thought better of, changes nothing that is owed', async () => {
    const charge_id = await charge();
    const first = await ask(charge_id);
    await decide(first.waiver_id, shop, false);
    const second = await ask(charge_id);
    await decide(second.waiver_id, admin, false);
    expect([await owed(), await waivers()]).toEqual([100_00, [{ paise: 0 }]]);
    const lines = await db.asOwner<{ action: string }>(
      `select action from audit_lines where subject_id = $1 and action like '%waiver%' order by seq`,
      [sale.agreement.agreement_id],
    );
    expect(lines.map(({ action }) => action)).toEqual([
      'penal_waiver_asked',
      'penal_waiver_refused',
      'penal_waiver_asked',
      'penal_waiver_refused',
    ]);
  });

  test('rings who asked when it is decided, with the reason of a no', async () => {
    const charge_id = await charge();
    const rung = async () =>
      (await bellLines(db, shop))
        .filter(({ kind, customer_id }) => kind === 'waiver_decided' && customer_id === sale.customerId)
        .map(({ data, note }) => ({ data, note }));
    const taken = await ask(charge_id);
    await decide(taken.waiver_id, shop, false, 'asked by mistake');
    expect(await rung()).toEqual([]);
    const no = await ask(charge_id);
    await decide(no.waiver_id, admin, false, 'late three times running');
    const refused = {
      data: { waiver_id: no.waiver_id, amount_paise: 100_00, is_approved: 0 },
      note: 'late three times running',
    };
    expect(await rung()).toEqual([refused]);
    const yes = await ask(charge_id);
    await decide(yes.waiver_id, admin);
    const agreed = { data: { waiver_id: yes.waiver_id, amount_paise: 100_00, is_approved: 1 }, note: null };
    expect(await rung()).toEqual([agreed, refused]);
  });

  test('never exceeds what is left when it is agreed to', async () => {
    const charge_id = await charge();
    await expect(ask(charge_id, 100_01)).rejects.toMatchObject({ code: 'AMOUNT_TOO_LARGE' });
    const { waiver_id } = await ask(charge_id);
    await pay(2 * 2_674_00 + 30_00);
    await expect(decide(waiver_id, admin)).rejects.toMatchObject({ code: 'AMOUNT_TOO_LARGE' });
    expect(await chargesNow()).toEqual([[1, 100_00, 30_00, 0]]);
    await booksAreRight();
  });
});

describe('a charge by hand', () => {
  const send = (given: { instalment_id?: string; amount?: number } = {}) =>
    inOrg((tx) => chargeByHand(tx, notices, shop, { customer_id: sale.customerId, ...given }));

  test('is what the rule has come to, or less; then there is nothing more to charge, by hand or by the daily run', async () => {
    await setClock(db, '2026-03-10T11:00:00');
    const before = told.length;
    expect(await send({ amount: 30_00 })).toMatchObject({
      instalment_no: 1,
      amount_paise: 30_00,
      penal_left_paise: 30_00,
    });
    expect(await send()).toMatchObject({ amount_paise: 70_00, penal_left_paise: 100_00 });
    expect(told.length - before).toBe(2);
    await expect(send()).rejects.toMatchObject({
      code: 'PENALTY_REFUSED',
      options: { details: { reason: 'CHARGED_ALREADY' } },
    });
    await run('2026-03-10');
    expect(await chargesNow()).toEqual([
      [1, 30_00, 0, 0],
      [1, 70_00, 0, 0],
    ]);
    await booksAreRight();
  });

  test.each([
    ['2026-02-28', 'NOT_OVERDUE'],
    ['2026-03-03', 'WITHIN_GRACE'],
  ])('on %s is refused: %s', async (day, reason) => {
    await setClock(db, `${day}T11:00:00`);
    await expect(send()).rejects.toMatchObject({ code: 'PENALTY_REFUSED', options: { details: { reason } } });
    expect(await chargesNow()).toEqual([]);
  });

  test('never goes beyond the cap, and is refused where the agreement was signed under no rule', async () => {
    await setClock(db, '2026-04-10T11:00:00');
    const ids = (await opened()).instalmentIds;
    expect(await send({ instalment_id: ids.get(1)! })).toMatchObject({ amount_paise: 133_70 });
    await expect(send({ instalment_id: ids.get(1)! })).rejects.toMatchObject({
      options: { details: { reason: 'CAP_REACHED' } },
    });
    await expect(send({ amount: 100_01 })).rejects.toMatchObject({ code: 'AMOUNT_TOO_LARGE' });
    await makePenalRule(db, ORG, { charge_paise: 0 });
    sale = await inOrg((tx) => makeSale(tx, shop));
    await expect(send()).rejects.toMatchObject({ options: { details: { reason: 'NO_RULE' } } });
  });

  test('is the only kind where the rule leaves charges to the shop', async () => {
    await makePenalRule(db, ORG, { is_daily: false });
    sale = await inOrg((tx) => makeSale(tx, shop));
    await run('2026-04-10');
    expect(await chargesNow()).toEqual([]);
    expect(await send()).toMatchObject({ instalment_no: 1 });
  });
});
