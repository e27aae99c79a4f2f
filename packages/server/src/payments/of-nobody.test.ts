import { beforeAll, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { bps } from '@kist/contract/money';
import { account, accountToChange, cancel, exchange, revise } from '#server/agreements/agreements.ts';
import { type Actor, SYSTEM_USER_ID } from '#server/identity/identity.ts';
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
import { quietPayments } from '#test/quiet-payments.ts';
import { agreedTerms } from '#test/whole-consent.ts';
import { chargeByHand, chargePenalties, decideWaiver, waivePenalty } from './payments.ts';

/** Acts that are honest but for who is said to do them: each is refused, and carried out in the name of who did it. */
const ORG = 20;
const db = await createTestDatabase();
const payments = quietPayments();
const notices = { send: async () => undefined as never };
let shop: Actor;
let stranger: Actor;
type Sale = Awaited<ReturnType<typeof makeSale>>;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  stranger = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
  await makePenalRule(db, ORG);
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const idOf = async ({ agreement }: Sale, no = 1) =>
  (await db.read(ORG, (tx) => account(tx, agreement))).instalmentIds.get(no)!;
const pay = async (sale: Sale, amount = 10_00) => {
  const given = { instalment_id: await idOf(sale), amount, method: 'CASH', reference: '' } as const;
  return (await inOrg((tx) => payments.record(tx, shop, given))).payment_id;
};
const claim = async (sale: Sale): Promise<string> => {
  const person = await makeBuyer(db, shop, sale.customerId);
  const given = { payment_id: newId(), amount: 10_00, method: 'CASH', reference: '' } as const;
  return (await inOrg((tx) => payments.claim(tx, person, given))).payment_id;
};
const chargeOf = async ({ agreement }: Sale) => {
  await chargePenalties(db, notices, ORG, isoDate('2026-04-10'));
  return (await db.read(ORG, (tx) => account(tx, agreement))).charges[0]!.charge_id;
};

/** By where who did it stands: the act, and what has to be there before. */
const ACTS: [
  what: string,
  table: string,
  column: string,
  act: (sale: Sale) => Promise<(tx: Tx) => Promise<unknown>>,
][] = [
  [
    'a payment',
    'payment_moves',
    'moved_by',
    async (sale) => {
      const given = { instalment_id: await idOf(sale), amount: 10_00, method: 'CASH', reference: '' } as const;
      return (tx) => payments.record(tx, shop, given);
    },
  ],
  [
    'a reversal',
    'payment_moves',
    'moved_by',
    async (sale) => {
      const payment_id = await pay(sale);
      return (tx) => payments.reverse(tx, shop, payment_id, 'never came in');
    },
  ],
  [
    'a reversal by its payment',
    'payments',
    'reversed_by',
    async (sale) => {
      const payment_id = await pay(sale);
      return (tx) => payments.reverse(tx, shop, payment_id, 'never came in');
    },
  ],
  [
    'a claim that is refused',
    'payment_moves',
    'moved_by',
    async (sale) => {
      const payment_id = await claim(sale);
      return (tx) => payments.answerClaim(tx, shop, { payment_id, is_received: false, reason: 'Nothing came in' });
    },
  ],
  [
    'a version of the schedule',
    'schedule_versions',
    'made_by',
    async ({ agreement, customerId }) =>
      (tx) =>
        agreedTerms(tx, db, customerId).then((consent) =>
          revise(tx, shop, {
            consent,
            agreement_id: agreement.agreement_id,
            cause: 'reschedule',
            reason: 'lost his job',
            terms: { method: 'REDUCING', rate_bps: bps(1200), tenure: 8, rounding: 'RUPEE' },
          }),
        ),
  ],
  [
    'an agreement that is given up',
    'agreement_moves',
    'moved_by',
    async ({ agreement }) =>
      async (tx) =>
        cancel(tx, shop, await accountToChange(tx, agreement), { reason: 'goods came back' }),
  ],
  [
    'a late fee by hand',
    'charges',
    'charged_by',
    async ({ customerId: customer_id }) =>
      (tx) =>
        chargeByHand(tx, notices, shop, { customer_id }),
  ],
  [
    'a waiver that is refused',
    'waivers',
    'decided_by',
    async (sale) => {
      const charge_id = await chargeOf(sale);
      const { waiver_id } = await inOrg((tx) => waivePenalty(tx, notices, shop, { charge_id, reason: 'was ill' }));
      return (tx) => decideWaiver(tx, notices, shop, { waiver_id, is_granted: false });
    },
  ],
  [
    'a refund that is withdrawn',
    'refund_tasks',
    'closed_by',
    async (sale) => {
      const { agreement } = await db.read(ORG, (tx) => account(tx, sale.agreement));
      await pay(sale, agreement.outstanding_paise);
      const payment_id = await pay(sale, 70_00);
      return (tx) => payments.reverse(tx, shop, payment_id, 'never came in');
    },
  ],
];

/** What the command line does too, and in the server's own name; everything else is done by a person. */
const BY_THE_SERVER = ['schedule_versions', 'agreement_moves'];

test.each(ACTS)('%s is of who answers for the customer', async (what, table, column, prepare) => {
  const act = await prepare(await inOrg((tx) => makeSale(tx, shop, { terms: terms({ down_payment: 0 }) })));
  const when = ['reversed_by', 'decided_by', 'closed_by'].includes(column) ? 'update' : 'insert';
  const server = BY_THE_SERVER.includes(table) ? [] : [SYSTEM_USER_ID];
  for (const who of [newId(), stranger.userId, ...server]) {
    await db.asOwner(
      `create function forge() returns trigger language plpgsql as $$ begin new.${column} := '${who}'; return new; end $$;
       create trigger a_forger before ${when} on ${table} for each row execute function forge();
       alter table ${table} enable always trigger a_forger`,
    );
    await expect(inOrg(act), what).rejects.toThrow(/nobody who answers for this customer|tells of another|by another/);
    await db.asOwner('drop function forge() cascade');
  }
  await inOrg(act);
});

test('a late fee that the rule made is of no one’s hand', async () => {
  await inOrg((tx) => makeSale(tx, shop, { terms: terms({ down_payment: 0 }) }));
  await db.asOwner(
    `create function forge() returns trigger language plpgsql as $$ begin new.charged_by := '${shop.userId}'; return new; end $$;
     create trigger a_forger before insert on charges for each row execute function forge();
     alter table charges enable always trigger a_forger`,
  );
  const charging = () => chargePenalties(db, notices, ORG, isoDate('2026-04-10'));
  await expect(charging()).rejects.toThrow('charges_by_hand_are_somebodys');
  await db.asOwner('drop function forge() cascade');
  expect(await charging()).toBeGreaterThan(0);
});

test('nobody exchanges a phone who does not answer for its customer', async () => {
  const sale = await inOrg((tx) => makeSale(tx, shop));
  const other = await inOrg((tx) => makeSale(tx, shop));
  const given = { to_device_id: other.deviceId, was_set_up: false, first_enrolled_at: null, reason: 'a wrong number' };
  await expect(inOrg((tx) => exchange(tx, stranger, sale.agreement, given))).rejects.toThrow(
    'insert of phone_exchanges is refused: who does it is nobody who answers for this customer',
  );
});

test('who charged a late fee by hand stays who it was', async () => {
  const sale = await inOrg((tx) => makeSale(tx, shop));
  const { charge_id } = await inOrg((tx) => chargeByHand(tx, notices, shop, { customer_id: sale.customerId }));
  const write = (id: string, who: string | null) =>
    db.asOwner('update charges set charged_by = $2 where charge_id = $1', [id, who]);
  for (const who of [stranger.userId, null]) await expect(write(charge_id, who)).rejects.toThrow('facts stay');
});
