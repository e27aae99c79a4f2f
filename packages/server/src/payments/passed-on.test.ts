import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import {
  makeBuyer,
  makeOrganisation,
  makePenalRule,
  makeRetailer,
  makeSale,
  setClock,
  terms,
} from '#test/factories.ts';
import * as passingOn from '#test/passing-on.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import * as customers from '#server/customers/customers.ts';
import { chargeByHand, chargePenalties, decideWaiver, refundDone, refundTasks, waivePenalty } from './payments.ts';

/** Money of customers who pass to another shop, while it is written and after it was taken. */
const ORG = 20;
const db = await createTestDatabase();
const notices = { send: async () => 0 };
const payments = quietPayments();
const cash = { method: 'CASH', reference: '' } as const;
type Sale = Awaited<ReturnType<typeof makeSale>>;
let shop: Actor;
let other: Actor;
let sale: Sale;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  other = await makeRetailer(db, ORG);
  await makePenalRule(db, ORG, { cap_bps: 500, waiver_limit_paise: 1_00 });
});
beforeEach(async () => {
  await setClock(db, '2026-04-10T11:00:00');
  sale = await inOrg((tx) => makeSale(tx, shop, { terms: terms({ down_payment: 0 }) }));
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const opened = (of = sale) => db.read(ORG, (tx) => account(tx, { agreement_id: of.agreement.agreement_id }));
const instalment = async (no = 1) => (await opened()).instalmentIds.get(no)!;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );
/** As the app makes it, at that moment: by the clock of the phone, which stays the world's wherever the installation's is put. */
const idAt = async (at: string): Promise<string> => {
  const [{ shift }] = (await db.asOwner<{ shift: number }>(
    'select extract(epoch from shift)::float8 * 1000 as shift from clock_offset',
  )) as [{ shift: number }];
  const hex = Math.round(Date.parse(at) - shift)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`;
};
const passOn = (tx: Tx, from: Actor, to: Actor) => passingOn.passOn(tx, from, to, sale);
const booksAreRight = async () => expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);

const meanwhile = <T>(act: (tx: Tx) => Promise<T>) =>
  passingOn.duringTransfer(db, { from: shop, to: other, of: sale, act });

type Act = (tx: Tx) => Promise<unknown>;
/** What waits for the agreement, each with what has to be there before. */
const ACTS: Record<string, () => Promise<Act>> = {
  'a payment': async () => {
    const given = { ...cash, instalment_id: await instalment(), amount: 10_00 };
    return (tx) => payments.record(tx, shop, given);
  },
  'a payment of several': async () => {
    const given = { ...cash, customer_id: sale.customerId, instalment_ids: [await instalment()] };
    return (tx) => payments.recordMany(tx, shop, given);
  },
  'a reversal': async () => {
    const { payment_id } = await paid(10_00);
    return (tx) => payments.reverse(tx, shop, payment_id, 'typed wrong');
  },
  'a claim that came in': async () => {
    const payment_id = await claimed();
    return (tx) => payments.answerClaim(tx, shop, { payment_id, is_received: true });
  },
  'a claim that did not': async () => {
    const payment_id = await claimed();
    return (tx) => payments.answerClaim(tx, shop, { payment_id, is_received: false, reason: 'nothing came' });
  },
  'a late fee': async () => (tx) => chargeByHand(tx, notices, shop, { customer_id: sale.customerId }),
  'a waiver': async () => {
    const charge_id = await charge();
    return (tx) => waivePenalty(tx, notices, shop, { charge_id, reason: 'was ill' });
  },
  'a waiver that is thought better of': async () => {
    const charge_id = await charge();
    const { waiver_id } = await inOrg((tx) => waivePenalty(tx, notices, shop, { charge_id, reason: 'was ill' }));
    return (tx) => decideWaiver(tx, notices, shop, { waiver_id, is_granted: false });
  },
  'a refund': async () => {
    const { agreement } = await opened();
    await paid(agreement.outstanding_paise);
    const { payment_id } = await paid(70_00);
    return (tx) => refundDone(tx, shop, { payment_id, ...cash });
  },
};
const paid = async (amount: number, actor = shop, more: object = {}) => {
  const given = { ...cash, instalment_id: await instalment(), amount, ...more };
  return inOrg((tx) => payments.record(tx, actor, given));
};
const claimed = async () => {
  const person = await makeBuyer(db, shop, sale.customerId);
  const given = { ...cash, payment_id: newId(), amount: 10_00 };
  return (await inOrg((tx) => payments.claim(tx, person, given))).payment_id;
};
const charge = async () => {
  await chargePenalties(db, notices, ORG, isoDate('2026-04-10'));
  return (await opened()).charges[0]!.charge_id;
};
const written = async () =>
  db.asOwner(
    `select (select count(*)::int from journals) as journals, (select count(*)::int from payment_moves) as moves,
       (select count(*)::int from waivers where state <> 'asked') as waivers, (select count(*)::int from charges) as charges`,
  );

describe('while a transfer holds the customer', () => {
  test.each(Object.keys(ACTS))(
    '%s of the shop of before waits, and is told that it has no such customer',
    async (what) => {
      const act = await ACTS[what]!();
      const before = await written();
      expect(await code(meanwhile(act))).toBe('NOT_FOUND');
      expect(await written()).toEqual(before);
      await booksAreRight();
    },
  );

  test('what was taken before is taken all the same', async () => {
    const payment_id = await idAt('2026-04-10T10:59:00+05:30');
    const given = { ...cash, payment_id, instalment_id: await instalment(), amount: 10_00 };
    expect(await meanwhile((tx) => payments.record(tx, shop, given))).toMatchObject({
      payment_id,
      amount_paise: 10_00,
    });
    await booksAreRight();
  });

  test('many payments and transfers at once: each is taken once or refused by name, and the books are right', async () => {
    const [first, amount] = [await instalment(), 1_00];
    const pays = Array.from({ length: 24 }, (_, n) => {
      const given = { ...cash, payment_id: newId(), instalment_id: first, amount };
      return inOrg((tx) => payments.record(tx, n % 2 ? shop : other, given));
    });
    const passes = Array.from({ length: 8 }, (_, n) =>
      inOrg((tx) => (n % 2 ? passOn(tx, other, shop) : passOn(tx, shop, other))),
    );
    const codes = await Promise.all(pays.map(code));
    await Promise.all(passes);
    expect(codes.filter((one) => one !== 'accepted' && one !== 'NOT_FOUND')).toEqual([]);
    const { agreement } = await opened();
    const taken = codes.filter((one) => one === 'accepted').length * amount;
    expect(agreement.total_payable_paise - agreement.outstanding_paise).toBe(taken);
    await booksAreRight();
  });
});

describe('what the shop of before took until then', () => {
  const BEFORE = '2026-04-09T18:00:00+05:30';
  const owner = async () =>
    (await inOrg((tx) => customers.authorize(tx, other, { customer_id: sale.customerId }))).owner_user_id;
  const tillOf = async (payment_id: string) => {
    const rows = await db.asOwner<{ owner_id: string }>(
      `select distinct a.owner_id from journal_lines l join accounts a using (org_id, account_id)
       where l.payment_id = $1 and a.code = 'clearing_cash'`,
      [payment_id],
    );
    return rows.map(({ owner_id }) => owner_id);
  };

  test('comes into its till with a receipt of its own, told by the moment or by the id, and is the same ever after', async () => {
    await inOrg((tx) => passOn(tx, shop, other));
    for (const more of [{ payment_id: newId(), paid_at: BEFORE }, { payment_id: await idAt(BEFORE) }]) {
      const receipt = await paid(10_00, shop, more);
      expect(Math.abs(Date.parse(receipt.paid_at) - Date.parse(BEFORE))).toBeLessThan(2);
      expect(await tillOf(receipt.payment_id)).toEqual([shop.userId]);
      await setClock(db, '2026-06-10T11:00:00');
      expect(await paid(10_00, shop, more)).toEqual(receipt);
      expect(await code(paid(20_00, shop, more))).toBe('IDEMPOTENCY_CONFLICT');
      await setClock(db, '2026-04-10T11:00:00');
    }
    expect(await owner()).toBe(other.userId);
    // Of another customer, whom the shop never had, its own payment's id says nothing.
    const theirs = await inOrg((tx) => makeSale(tx, other));
    const { payment_id } = await paid(10_00, shop, { payment_id: await idAt(BEFORE) });
    const instalment_id = (await opened(theirs)).instalmentIds.get(1)!;
    const asked = { ...cash, payment_id, instalment_id, amount: 10_00 };
    expect(await code(inOrg((tx) => payments.record(tx, shop, asked)))).toBe('NOT_FOUND');
    expect(await code(inOrg((tx) => customers.authorize(tx, shop, { customer_id: sale.customerId })))).toBe(
      'NOT_FOUND',
    );
    await booksAreRight();
  });

  test('several instalments and the last of them too: the agreement is completed by the server, and what is too much goes back', async () => {
    await inOrg((tx) => passOn(tx, shop, other));
    const { instalmentIds, agreement } = await opened();
    const many = {
      ...cash,
      payment_id: await idAt(BEFORE),
      customer_id: sale.customerId,
      instalment_ids: [instalmentIds.get(1)!],
    };
    await inOrg((tx) => payments.recordMany(tx, shop, many));
    const slip = await paid(agreement.outstanding_paise, shop, { payment_id: await idAt(BEFORE), paid_at: BEFORE });
    // The slip says what was handed over, and nothing of the customer since: not what is left, nor that some of it was too much.
    expect(slip).toEqual({
      payment_id: slip.payment_id,
      receipt_no: slip.receipt_no,
      paid_at: new Date(BEFORE).toISOString(),
      amount_paise: agreement.outstanding_paise,
      outstanding_paise: null,
      overdue_paise: null,
      agreement_state: null,
      allocations: [],
      advance_paise: 0,
      unlock: null,
      warnings: [],
      share_text: '',
    });
    const tasks = await inOrg((tx) => refundTasks(tx, other));
    expect(tasks.filter((task) => task.state === 'open' && task.customer_id === sale.customerId).length).toBe(1);
    expect((await opened()).agreement.state).toBe('completed');
    const [move] = await db.asOwner<{ moved_by: string }>(
      `select moved_by from agreement_moves where agreement_id = $1 and to_state = 'completed'`,
      [agreement.agreement_id],
    );
    expect(move!.moved_by).toMatch(/^0{8}-/);
    await booksAreRight();
  });

  test('of two transfers the first is the one that was first, whichever began before', async () => {
    await inOrg(async (tx) => {
      await tx.query('select 1');
      await inOrg((behind) => passOn(behind, shop, other));
      await passOn(tx, other, shop);
    });
    const made = await db.asOwner<{ from: string }>(
      'select from_user_id as from from customer_transfers where customer_id = $1 order by made_at',
      [sale.customerId],
    );
    expect(made.map(({ from }) => from)).toEqual([shop.userId, other.userId]);
  });

  test('is told by the id wherever the clock is put in between, as a demonstration’s is', async () => {
    const [before, after] = [await idAt('2026-04-10T10:59:00+05:30'), await idAt('2026-04-10T11:01:00+05:30')];
    await inOrg((tx) => passOn(tx, shop, other));
    for (const elsewhere of ['2026-04-20T09:00:00', '2026-04-10T10:00:00', '2026-04-10T11:00:00']) {
      await setClock(db, elsewhere);
      const late = await paid(1_00, shop, { payment_id: `${before.slice(0, 14)}${newId().slice(14)}` });
      expect(Date.parse(late.paid_at)).toBeLessThanOrEqual(Date.parse('2026-04-10T11:00:00+05:30'));
      expect(await code(paid(1_00, shop, { payment_id: `${after.slice(0, 14)}${newId().slice(14)}` }))).toBe(
        'NOT_FOUND',
      );
    }
    await booksAreRight();
  });

  test('is no other’s, nothing later, and for so many days', async () => {
    const given = { paid_at: BEFORE };
    const [above, stranger] = [await makeRetailer(db, ORG), await makeRetailer(db, ORG)];
    const mini = await makeRetailer(db, ORG, above);
    await inOrg((tx) => passOn(tx, shop, mini));
    await setClock(db, '2026-04-11T11:00:00');
    await inOrg((tx) => passOn(tx, mini, other));
    expect(await code(paid(1_00, stranger, given))).toBe('NOT_FOUND');
    expect(await code(paid(1_00, above, given))).toBe('NOT_FOUND');
    expect(await code(paid(1_00, shop, { paid_at: '2026-04-10T12:00:00+05:30' }))).toBe('NOT_FOUND');
    expect(await code(paid(1_00, shop))).toBe('NOT_FOUND');
    for (const actor of [above, mini])
      expect(await code(paid(1_00, actor, { paid_at: '2026-04-10T12:00:00+05:30' }))).toBe('accepted');
    expect(await code(paid(1_00, shop, given))).toBe('accepted');
    const passed = Date.parse('2026-04-10T11:00:00+05:30') + LIMITS.takenBeforeTransferDays * 86_400_000;
    const ist = (ms: number) => new Date(ms + 19_800_000).toISOString().slice(0, 19);
    await setClock(db, ist(passed - 60_000));
    expect(await code(paid(1_00, shop, given))).toBe('accepted');
    await setClock(db, ist(passed + 60_000));
    expect(await code(paid(1_00, shop, given))).toBe('NOT_FOUND');
    await booksAreRight();
  });

  test('is held by the database, which lets nothing else of that shop in', async () => {
    await inOrg((tx) => passOn(tx, shop, other));
    const seesAll = { ...shop, visibleOwnerIds: [shop.userId, other.userId] };
    const after = '2026-04-10T11:00:30+05:30';
    await setClock(db, '2026-04-10T11:30:00');
    await expect(paid(1_00, seesAll, { paid_at: after })).rejects.toThrow('nobody who answers for this customer');
    const { payment_id } = await paid(1_00, seesAll, { paid_at: BEFORE });
    await expect(inOrg((tx) => payments.reverse(tx, seesAll, payment_id, 'typed wrong'))).rejects.toThrow(
      'nobody who answers for this customer',
    );
    await inOrg((tx) => payments.reverse(tx, other, payment_id, 'never taken'));
    await booksAreRight();
  });

  test('hangs on a transfer that there was: of the shop that had the customer, now, and followed', async () => {
    const stranger = await makeRetailer(db, ORG);
    const lie = (from: Actor, to: { userId: string }, madeAt: string, madeBy = from.userId) =>
      inOrg((tx) =>
        tx.query(
          `insert into customer_transfers (org_id, transfer_id, customer_id, from_user_id, to_user_id, reason, made_by, made_at)
           values (kist_org(), gen_random_uuid(), $1, $2, $3, 'x', $4, ${madeAt})`,
          [sale.customerId, from.userId, to.userId, madeBy],
        ),
      );
    const person = await makeBuyer(db, shop, sale.customerId);
    await expect(lie(shop, person, 'kist_now()')).rejects.toThrow('passes on to a shop');
    for (const by of [newId(), stranger.userId, person.userId])
      await expect(lie(shop, stranger, 'kist_now()', by)).rejects.toThrow('made by nobody who answers');
    await expect(lie(stranger, shop, 'kist_now()')).rejects.toThrow('is not of the shop that it passes on from');
    await expect(lie(shop, stranger, 'kist_now()')).rejects.toThrow('the customer did not pass on');
    await inOrg((tx) => passOn(tx, shop, other));
    await inOrg((tx) => passOn(tx, other, stranger));
    const [{ is_now }] = (await db.asOwner(
      `select bool_and(made_at between kist_now() - interval '1 minute' and kist_now()) as is_now from customer_transfers where customer_id = $1`,
      [sale.customerId],
    )) as [{ is_now: boolean }];
    expect(is_now).toBe(true);
    await booksAreRight();
  });
});
