import { beforeAll, expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { account } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { quietPayments } from '#test/quiet-payments.ts';
import { chargeByHand, chargePenalties, decideWaiver, waivePenalty } from './payments.ts';

/**
 * A shop of the same organisation that knows the id of another's payment, instalment, charge or waiver: row-level security lets it through, so the services
 * must not. Each act is carried out by the shop itself at the end, so that none was refused for anything else.
 */
const ORG = 20;
const db = await createTestDatabase();
const notices = { send: async () => 0 };
const payments = quietPayments();
let shop: Actor;
let rival: Actor;

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  rival = await makeRetailer(db, ORG);
  await makePenalRule(db, ORG, { cap_bps: 500, waiver_limit_paise: 60_00 });
  await setClock(db, '2026-04-10T11:00:00');
});

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.transaction(ORG, work);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { code?: string }) => error.code,
  );

test('another shop’s payments are neither taken nor taken back, its penalties neither made nor waived, whichever id names them', async () => {
  const { agreement, customerId: customer_id } = await inOrg((tx) => makeSale(tx, shop));
  const opened = () => db.read(ORG, (tx) => account(tx, agreement));
  await chargePenalties(db, notices, ORG, isoDate('2026-03-04'));
  const { instalmentIds, charges } = await opened();
  const [instalment_id, later] = [instalmentIds.get(1)!, instalmentIds.get(6)!];
  const cash = { method: 'CASH' as const, reference: '' };
  const pay = (actor: Actor) => inOrg((tx) => payments.record(tx, actor, { ...cash, instalment_id, amount: 100_00 }));
  const { payment_id } = await pay(shop);
  const { charge_id } = charges[0]!;
  const waive = (actor: Actor) =>
    inOrg((tx) => waivePenalty(tx, notices, actor, { charge_id, amount: 70_00, reason: 'was ill' }));
  const { waiver_id, state } = await waive(shop);
  expect(state).toBe('asked');

  const acts: Record<string, (actor: Actor) => Promise<unknown>> = {
    pay,
    'pay several': (actor) =>
      inOrg((tx) => payments.recordMany(tx, actor, { ...cash, customer_id, instalment_ids: [later] })),
    'take back': (actor) => inOrg((tx) => payments.reverse(tx, actor, payment_id, 'typed wrong')),
    charge: (actor) => inOrg((tx) => chargeByHand(tx, notices, actor, { customer_id })),
    waive,
    'refuse a waiver': (actor) => inOrg((tx) => decideWaiver(tx, notices, actor, { waiver_id, is_granted: false })),
    'grant a waiver': (actor) => inOrg((tx) => decideWaiver(tx, notices, actor, { waiver_id, is_granted: true })),
  };
  const before = await opened();
  const outcomes = async (actor: Actor) => {
    const all: [string, string | undefined][] = [];
    for (const [act, by] of Object.entries(acts)) all.push([act, await code(by(actor))]);
    return all;
  };
  expect(await outcomes(rival)).toEqual(Object.keys(acts).map((act) => [act, 'NOT_FOUND']));
  expect(await opened()).toEqual(before);
  expect((await db.read(ORG, (tx) => checkBooks(tx))).differences).toEqual([]);

  expect((await outcomes(shop)).filter(([, outcome]) => outcome === 'NOT_FOUND')).toEqual([]);
});
