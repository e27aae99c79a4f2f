import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from './database.ts';
import { makeBuyer, makeOrganisation, makeRetailer, makeSale } from './factories.ts';

/** What may follow on what, written apart from the migration. */
const AGREEMENT: Record<string, readonly string[]> = {
  '': ['draft', 'active'],
  draft: ['active', 'cancelled'],
  active: ['completed', 'foreclosed', 'cancelled', 'written_off', 'returned'],
  completed: ['active'],
  foreclosed: ['active'],
  cancelled: [],
  written_off: ['completed', 'returned'],
  returned: [],
};
const PAYMENT: Record<string, readonly string[]> = {
  '': ['claimed', 'pending_approval', 'posted'],
  claimed: ['pending_approval', 'posted', 'refused'],
  pending_approval: ['posted', 'refused'],
  posted: ['reversed'],
  reversed: [],
  refused: [],
};

const ORG = 20;
const db = await createTestDatabase();
let shop: Actor;
let buyer: Actor;
let sold: Awaited<ReturnType<typeof makeSale>>;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  sold = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  buyer = await makeBuyer(db, shop, sold.customerId);
  // That a payment stands by its journal is asked in books-guards: here states are written that no money stands behind.
  for (const guard of [
    'payment_comes_with_its_journal',
    'payment_changes_with_its_journal',
    'payment_goes_with_its_note',
    'payments_numbers_are_given',
    'payments_numbers_come_by_the_series',
    'payments_move_by_their_people',
  ])
    await db.asOwner(`alter table payments disable trigger ${guard}`);
  for (const guard of [
    'agreement_is_cancelled_with_its_journal',
    'agreements_come_with_nothing_given_up',
    'agreements_are_not_given_up',
  ])
    await db.asOwner(`alter table agreements disable trigger ${guard}`);
});

interface Thing {
  table: 'agreements' | 'payments';
  moves: 'agreement_moves' | 'payment_moves';
  key: 'agreement_id' | 'payment_id';
  /** The statement that writes one in this state. */
  insert(id: string, state: string): string;
  may: Record<string, readonly string[]>;
}

const copied = `agreement_no, customer_id, device_id, owner_user_id, plan_type, method, frequency, rounding, cash_price_paise, down_payment_paise, rate_bps,
  tenure, delivered_on, financed_paise, emi_paise, total_interest_paise, total_payable_paise, apr_bps, policy_version, policy, last_due_on, outstanding_paise, created_at`;
const THINGS: Record<'agreement' | 'payment', Thing> = {
  agreement: {
    table: 'agreements',
    moves: 'agreement_moves',
    key: 'agreement_id',
    // A customer and a phone of its own, as each has one active agreement; with nothing owed, as one that owes cannot be completed.
    insert: (id, state) => `
      with person as (insert into customers (org_id, customer_id, owner_user_id, plan_type, created_at, updated_at)
        select org_id, '${id}', owner_user_id, plan_type, created_at, updated_at from customers where customer_id = '${sold.customerId}'),
      phone as (insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, serial, brand, model, created_at)
        select org_id, '${id}', '${id}', provisioning_type, null, 'S${id}', brand, model, created_at from devices where device_id = '${sold.deviceId}'),
      numbered as (update counters set last = last + 1 where org_id = ${ORG} and name = 'agreement' returning last)
      insert into agreements (org_id, agreement_id, state, ${copied})
      select org_id, '${id}', '${state}', ${copied.replace('agreement_no', `'${ORG}-' || lpad(last::text, 5, '0')`).replace('customer_id', `'${id}'`).replace('device_id', `'${id}'`).replace('outstanding_paise', '0').replace('created_at', 'kist_now()')}
      from numbered cross join agreements where agreement_id = '${sold.agreement.agreement_id}'`,
    may: AGREEMENT,
  },
  payment: {
    table: 'payments',
    moves: 'payment_moves',
    key: 'payment_id',
    insert: (id, state) => `
      insert into payments (org_id, payment_id, agreement_id, customer_id, amount_paise, method, paid_at, paid_on, recorded_at, recorded_by, receipt_no, state)
      select org_id, '${id}', agreement_id, customer_id, 100, 'CASH', kist_now(), kist_today(), kist_now(), ${state === 'claimed' ? `'${buyer.userId}'` : 'owner_user_id'}, ${UNNUMBERED.includes(state) ? 'null' : numberOf(id)}, '${state}'
      from agreements where agreement_id = '${sold.agreement.agreement_id}'`,
    may: PAYMENT,
  },
};

/** SQL of a number in a series, another for each. */
const numberOf = (id: string) => `'26-27/00/' || ('x' || substr(md5('${id}'), 1, 12))::bit(48)::bigint`;

/** States of a payment that nobody has proved: they have no number. */
const UNNUMBERED = ['claimed', 'pending_approval', 'refused'];

const move = ({ moves, key }: Thing, id: string, given: { no: number; from: string; to: string; reason?: string }) =>
  `insert into ${moves} (org_id, ${key}, no, from_state, to_state, moved_by, moved_at, reason)
   values (${ORG}, '${id}', ${given.no}, '${given.from}', '${given.to}', '${given.to === 'claimed' ? buyer.userId : shop.userId}', kist_now(), '${given.reason ?? 'because'}')`;
/** A claim gets its number with the shop's yes; an agreement is completed at its moment, and no longer once it is anything else. */
const set = ({ table, key }: Thing, id: string, state: string) => {
  const number = state === 'posted' ? `, receipt_no = ${numberOf(id)}, posted_by = '${shop.userId}'` : '';
  const moment = `, completed_at = ${state === 'completed' ? 'kist_now()' : 'null'}`;
  return `update ${table} set state = '${state}'${table === 'payments' ? number : moment} where ${key} = '${id}'`;
};

/** Whether the database takes these statements together. */
const takes = (...statements: string[]): Promise<boolean> =>
  db
    .transaction(ORG, async (tx) => {
      for (const statement of statements) await tx.query(statement);
    })
    .then(
      () => true,
      (error: { code?: string; message: string }) => {
        if (!['23001', '23502', '23514', '23505'].includes(error.code ?? '')) throw error;
        return false;
      },
    );

describe.each(['agreement', 'payment'] as const)('an %s', (name) => {
  const thing = THINGS[name];
  const states = Object.keys(thing.may).filter((state) => state !== '');

  test('goes where the table says and nowhere else, each move told', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...states), { minLength: 1, maxLength: 6 }), async (wishes) => {
        const id = newId();
        let stands = '';
        let no = 1;
        const told: string[] = [];
        for (const wish of wishes) {
          const step = move(thing, id, { no, from: stands, to: wish });
          const isTaken = await takes(stands === '' ? thing.insert(id, wish) : set(thing, id, wish), step);
          expect([stands, wish, isTaken]).toEqual([stands, wish, thing.may[stands]!.includes(wish)]);
          if (!isTaken) continue;
          told.push(`${stands}>${wish}`);
          stands = wish;
          no += 1;
        }
        const kept = await db.asOwner<{ move: string }>(
          `select from_state || '>' || to_state as move from ${thing.moves} where ${thing.key} = $1 order by no`,
          [id],
        );
        expect(kept.map((row) => row.move)).toEqual(told);
      }),
      { numRuns: 60 },
    );
  });

  test('goes from every state to each that the table names, and to no other', async () => {
    const ways: Record<string, string[]> = { '': [] };
    for (const state of states) if (thing.may['']!.includes(state)) ways[state] = [state];
    for (let grown = true; grown;) {
      grown = false;
      for (const [state, way] of Object.entries(ways))
        for (const next of state === '' ? [] : thing.may[state]!)
          if (!ways[next]) {
            ways[next] = [...way, next];
            grown = true;
          }
    }
    expect(Object.keys(ways).toSorted()).toEqual(['', ...states].toSorted());
    for (const [from, way] of Object.entries(ways))
      for (const to of states) {
        if (to === from) continue;
        const id = newId();
        for (const [index, state] of way.entries()) {
          const step = move(thing, id, { no: index + 1, from: way[index - 1] ?? '', to: state });
          expect(await takes(index === 0 ? thing.insert(id, state) : set(thing, id, state), step)).toBe(true);
        }
        const step = move(thing, id, { no: way.length + 1, from, to });
        const isTaken = await takes(from === '' ? thing.insert(id, to) : set(thing, id, to), step);
        expect([from, to, isTaken]).toEqual([from, to, thing.may[from]!.includes(to)]);
      }
  });

  test('neither changes without its move nor is said to move where it stays', async () => {
    const id = newId();
    const [first, second] = name === 'agreement' ? ['active', 'completed'] : ['posted', 'reversed'];
    const begin = { no: 1, from: '', to: first! };
    expect(await takes(thing.insert(id, first!))).toBe(false);
    expect(await takes(thing.insert(id, first!), move(thing, id, { ...begin, reason: ' ' }))).toBe(false);
    expect(await takes(thing.insert(id, first!), move(thing, id, begin).replace(`'${shop.userId}'`, 'null'))).toBe(
      false,
    );
    expect(await takes(thing.insert(id, first!), move(thing, id, begin))).toBe(true);
    const next = { no: 2, from: first!, to: second! };
    expect(await takes(set(thing, id, second!))).toBe(false);
    expect(await takes(move(thing, id, next))).toBe(false);
    expect(await takes(set(thing, id, second!), move(thing, id, { ...next, no: 3 }))).toBe(false);
    expect(await takes(set(thing, id, second!), move(thing, id, { ...next, from: '' }))).toBe(false);
    expect(await takes(set(thing, id, second!), move(thing, id, { ...next, reason: '' }))).toBe(false);
    expect(await takes(set(thing, id, second!), move(thing, id, next))).toBe(true);
  });
});

test('nobody changes the table of what may follow, nor what was told', async () => {
  const changes = [
    `insert into allowed_moves (thing, from_state, to_state) values ('agreement', 'cancelled', 'active')`,
    `delete from allowed_moves`,
    `update allowed_moves set to_state = 'active'`,
  ];
  for (const change of changes) {
    await expect(db.asOwner(change)).rejects.toThrow(/refused/);
    await expect(db.transaction(ORG, (tx) => tx.query(change))).rejects.toThrow(/permission denied/);
  }
});
