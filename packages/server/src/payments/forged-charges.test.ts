import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { paise, type Paise } from '@kist/contract/money';
import { account } from '#server/agreements/agreements.ts';
import { type Actor, SYSTEM_USER_ID } from '#server/identity/identity.ts';
import { post, reverseCharges } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeAdmin, makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { chargePenalties, waivePenalty } from './payments.ts';

/**
 * What somebody could write who has the server's own account: a late fee that goes, with journals that balance and a reason that is none. ₹100 of 4 March on an
 * EMI of 28 February.
 */
const ORG = 20;
const ELSEWHERE = 21;
const db = await createTestDatabase();
const notices = { send: async () => undefined as never };
const payments = quietPayments();
let shop: Actor;
let sale: Awaited<ReturnType<typeof makeSale>>;
let charge_id: string;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  await makeOrganisation(db, ELSEWHERE);
  shop = await makeRetailer(db, ORG);
});
beforeEach(async () => {
  await setClock(db, '2026-04-10T11:00:00');
  await makePenalRule(db, ORG, { cap_bps: 500, waiver_limit_paise: 60_00 });
  sale = await inOrg((tx) => makeSale(tx, shop));
  await chargePenalties(db, notices, ORG, isoDate('2026-03-04'));
  charge_id = (await opened(sale)).charges[0]!.charge_id;
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const opened = (of: typeof sale) => db.read(ORG, (tx) => account(tx, of.agreement));
const pay = async (of: typeof sale, paidOn: string, amount = 1_00) => {
  const instalment_id = (await opened(of)).instalmentIds.get(1)!;
  const paid_at = `${paidOn}T12:00:00+05:30`;
  const given = { instalment_id, amount, method: 'CASH', reference: '', paid_at } as const;
  return (await inOrg((tx) => payments.record(tx, shop, given))).payment_id;
};

describe('a late fee is taken back for no word but that of a payment told late', () => {
  const takeBack = (payment_id: string) =>
    inOrg(async (tx) => {
      const { agreement_id } = sale.agreement;
      await reverseCharges(tx, { agreement_id, charge_ids: [charge_id], business_on: isoDate('2026-04-10') });
      await tx.query(
        'update charges set taken_back_at = kist_now(), taken_back_for = $2, paid_paise = 0 where charge_id = $1',
        [charge_id, payment_id],
      );
    });

  test.each<[string, () => Promise<string>]>([
    ['of a payment that is not there', async () => newId()],
    ['of a payment of a later day', () => pay(sale, '2026-04-01')],
    ['of a payment of the day itself', () => pay(sale, '2026-03-04')],
    ['of a payment that was told before', () => pay(sale, '2026-03-01')],
    ['of a payment of somebody else', async () => pay(await inOrg((tx) => makeSale(tx, shop)), '2026-03-01')],
  ])('%s', async (_what, payment) => {
    const id = await payment();
    await expect(takeBack(id)).rejects.toThrow('for no payment of a day before it');
  });

  test('of a payment that was told before, at the moment that it was told', async () => {
    const id = await pay(sale, '2026-03-01');
    await expect(
      inOrg(async (tx) => {
        const { agreement_id } = sale.agreement;
        await reverseCharges(tx, { agreement_id, charge_ids: [charge_id], business_on: isoDate('2026-04-10') });
        await tx.query(
          `update charges set taken_back_for = $2, paid_paise = 0, taken_back_at = (select moved_at from payment_moves where payment_id = $2 and to_state = 'posted')
           where charge_id = $1`,
          [charge_id, id],
        );
      }),
    ).rejects.toThrow('for no payment of a day before it');
  });
});

describe('what one person waives alone', () => {
  interface Forged {
    amount: Paise;
    limit?: Paise;
    isWritten?: boolean;
    of?: string;
    asked_by?: string;
    decided_by?: string;
  }
  const waive = ({ amount, limit = paise(1_000_000_000_000), isWritten = true, of = charge_id, ...by }: Forged) =>
    inOrg(async (tx) => {
      const { agreement_id } = sale.agreement;
      const waiver_id = newId();
      const line = { agreement_id, instalment_no: 1, charge_id, amount };
      await post(tx, {
        effectKey: `waiver:${waiver_id}`,
        kind: 'penal_waived',
        refKind: 'agreement',
        refId: agreement_id,
        businessOn: isoDate('2026-04-10'),
        lines: [
          { ...line, code: 'waivers', side: 'debit' },
          { ...line, code: 'receivable_penal', side: 'credit' },
        ],
      });
      await tx.query('update charges set waived_paise = waived_paise + $2 where charge_id = $1', [charge_id, amount]);
      if (isWritten)
        await tx.query(
          `insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at)
           values ($1, $2, $3, $4, $5, 'x', $6, 'granted', $7, kist_now(), $8, kist_now())`,
          [ORG, waiver_id, agreement_id, of, amount, limit, by.asked_by ?? shop.userId, by.decided_by ?? shop.userId],
        );
    });

  test('within the limit stands', async () => {
    await waive({ amount: paise(60_00) });
    expect((await opened(sale)).charges[0]!.waived_paise).toBe(60_00);
  });

  test('is refused beyond the limit in force, whatever the waiver calls its limit', async () => {
    await expect(waive({ amount: paise(60_01) })).rejects.toMatchObject({ constraint: 'waivers_second_person' });
  });

  test('is refused where it goes beyond the limit in steps', async () => {
    await inOrg((tx) => waivePenalty(tx, notices, shop, { charge_id, amount: 40_00, reason: 'was ill' }));
    await expect(waive({ amount: paise(20_01) })).rejects.toThrow('more than one person waives alone');
  });

  test('is refused where no waiver says it, or that of another fee', async () => {
    await expect(waive({ amount: paise(10_00), isWritten: false })).rejects.toThrow('a change that was not made');
    const other = await inOrg((tx) => makeSale(tx, shop));
    await chargePenalties(db, notices, ORG, isoDate('2026-03-04'));
    const of = (await opened(other)).charges[0]!.charge_id;
    await expect(waive({ amount: paise(10_00), of })).rejects.toThrow('and its waivers say');
  });

  const idOf = (made: Actor) => made.userId;
  /** The customer is this shop's, whatever becomes of it. */
  const owning = async (made: Actor) => {
    await db.plant(['customers'], 'update customers set owner_user_id = $2 where customer_id = $1', [
      sale.customerId,
      made.userId,
    ]);
    return made;
  };
  const gone = async (made: Actor) => {
    await db.asOwner('update users set is_active = false where user_id = $1', [made.userId]);
    return made.userId;
  };

  const blind = async (made: Actor) => {
    await db.asOwner(`update users set lock_access = lock_access || '{"read": "0"}' where user_id = $1`, [made.userId]);
    return made.userId;
  };

  test('stands beyond the limit with the word of the administrator, and not with that of the owner of the shop whose mini-retailer asked', async () => {
    const asked_by = idOf(await owning(await makeRetailer(db, ORG, shop)));
    const given = { amount: paise(60_01), asked_by };
    await expect(waive({ ...given, decided_by: shop.userId })).rejects.toThrow('who grants it answers');
    await waive({ ...given, decided_by: idOf(await makeAdmin(db, ORG)) });
    expect((await opened(sale)).charges[0]!.waived_paise).toBe(60_01);
  });

  test.each<[string, () => Promise<string>]>([
    ['nobody', async () => newId()],
    ['the server', async () => SYSTEM_USER_ID],
    ['an administrator who was switched off', async () => gone(await makeAdmin(db, ORG))],
    ['an administrator of another organisation', async () => idOf(await makeAdmin(db, ELSEWHERE))],
    ['another shop', async () => idOf(await makeRetailer(db, ORG))],
    ['a mini-retailer of the shop', async () => idOf(await makeRetailer(db, ORG, shop))],
  ])('is refused beyond the limit with the word of %s', async (_who, second) => {
    await expect(waive({ amount: paise(60_01), decided_by: await second() })).rejects.toThrow('who grants it answers');
    expect((await opened(sale)).charges[0]!.waived_paise).toBe(0);
  });

  test.each<[string, () => Promise<string>]>([
    ['nobody', async () => newId()],
    ['an administrator, who sees no customer', async () => idOf(await makeAdmin(db, ORG))],
    ['another shop', async () => idOf(await makeRetailer(db, ORG))],
    ['the shop, which was switched off', async () => gone(await owning(await makeRetailer(db, ORG)))],
    ['the shop, which may not see what is owed', async () => blind(await owning(await makeRetailer(db, ORG)))],
  ])('is refused where the one who asks is %s', async (_who, first) => {
    await expect(waive({ amount: paise(60_01), asked_by: await first() })).rejects.toThrow('who asks is nobody');
  });
});

const chargesNow = async () =>
  (await opened(sale)).charges.map(({ instalment_no, amount_paise, paid_paise, waived_paise }) => [
    instalment_no,
    amount_paise,
    paid_paise,
    waived_paise,
  ]);

describe('a charge in the database', () => {
  test('is never born waived, though its journal came before it', async () => {
    sale = await inOrg((tx) => makeSale(tx, shop));
    const { agreement_id } = sale.agreement;
    const born = (waived: number) =>
      inOrg(async (tx) => {
        const charge_id = newId();
        const of = { agreement_id, instalment_no: 1, amount: paise(100_00) };
        await post(tx, {
          effectKey: `penal:hand:${charge_id}`,
          kind: 'penal_charged',
          refKind: 'agreement',
          refId: agreement_id,
          businessOn: isoDate('2026-04-10'),
          lines: [
            { ...of, code: 'receivable_penal', charge_id, side: 'debit' },
            { ...of, code: 'income_penal', side: 'credit' },
          ],
        });
        await tx.query(
          `insert into charges (org_id, charge_id, agreement_id, instalment_no, amount_paise, waived_paise, charged_on, made_by, charged_by)
           values (kist_org(), $1, $2, 1, 10000, $3, '2026-04-10', 'hand', $4)`,
          [charge_id, agreement_id, waived, shop.userId],
        );
      });
    await expect(born(40_00)).rejects.toThrow('a charge comes after its journal');
    await born(0);
    expect(await chargesNow()).toEqual([[1, 100_00, 0, 0]]);
  });

  test('stands at what the lines say of it: neither at less, nor at more than a waiver left', async () => {
    const { agreement_id } = sale.agreement;
    const waive = (booked: number, waived: number) =>
      inOrg(async (tx) => {
        const of = { agreement_id, instalment_no: 1, charge_id, amount: paise(booked) };
        const waiver_id = newId();
        await tx.query(
          `insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at)
           select org_id, $1, agreement_id, charge_id, $3, 'x', $3, 'granted', $4, kist_now(), $4, kist_now() from charges where charge_id = $2`,
          [waiver_id, charge_id, booked, shop.userId],
        );
        await post(tx, {
          effectKey: `waiver:${waiver_id}`,
          kind: 'penal_waived',
          refKind: 'agreement',
          refId: agreement_id,
          businessOn: isoDate('2026-04-10'),
          lines: [
            { ...of, code: 'waivers', side: 'debit' },
            { ...of, code: 'receivable_penal', side: 'credit' },
          ],
        });
        await tx.query('update charges set waived_paise = $2 where charge_id = $1', [charge_id, waived]);
      });
    await expect(waive(40_00, 10_00)).rejects.toThrow(/and (the lines|its waivers) say/);
    await expect(waive(10_00, 40_00)).rejects.toThrow(/and (the lines|its waivers) say/);
    expect(await chargesNow()).toEqual([[1, 100_00, 0, 0]]);
  });

  test('is neither waived nor taken back, and no waiver granted, without its journal', async () => {
    const refused = (sql: string) =>
      expect(inOrg((tx) => tx.query(sql, [sale.agreement.agreement_id]))).rejects.toMatchObject({ code: '23514' });
    await refused('update charges set waived_paise = 50 where agreement_id = $1');
    const [payment] = await db.asOwner<{ id: string }>(
      'select payment_id as id from payments where org_id = $1 limit 1',
      [ORG],
    );
    await refused(
      `update charges set taken_back_at = kist_now(), taken_back_for = '${payment!.id}' where agreement_id = $1`,
    );
    await refused(
      `insert into waivers (org_id, waiver_id, agreement_id, charge_id, amount_paise, reason, limit_paise, state, asked_by, asked_at, decided_by, decided_at)
       select org_id, gen_random_uuid(), agreement_id, charge_id, 100, 'was ill', 6000, 'granted', '${shop.userId}', kist_now(), '${shop.userId}', kist_now() from charges where agreement_id = $1`,
    );
    expect(await chargesNow()).toEqual([[1, 100_00, 0, 0]]);
  });

  test.each([
    [
      'a second person who is the first',
      `update waivers set state = 'granted', decided_by = asked_by, decided_at = now()`,
    ],
    ['another amount', 'update waivers set amount_paise = 1'],
    ['another reason', `update waivers set reason = 'x'`],
    ['nothing left of it', 'delete from waivers'],
    ['a charge that is owed again', 'update charges set waived_paise = waived_paise - 1 where waived_paise > 0'],
    [
      'a charge that stands again',
      'update charges set taken_back_at = null, taken_back_for = null where taken_back_at is not null',
    ],
  ])('that is waived, asked to be waived or taken back stays so: no statement makes %s', async (_what, sql) => {
    // Of somebody who had paid in time, as was told later.
    const inTime = await inOrg((tx) => makeSale(tx, shop));
    await chargePenalties(db, notices, ORG, isoDate('2026-03-04'));
    await pay(inTime, '2026-02-28', 2_674_00);
    for (const amount of [10_00, undefined])
      await inOrg((tx) => waivePenalty(tx, notices, shop, { charge_id, amount, reason: 'was ill' }));
    for (const tried of [() => db.asOwner(sql), () => inOrg((tx) => tx.query(sql))])
      await expect(tried()).rejects.toMatchObject({ code: expect.stringMatching(/^(23001|23514|42501)$/) });
  });
});
