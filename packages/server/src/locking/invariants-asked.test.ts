import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as commands from '#server/commands/commands.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createBatches } from '#server/jobs/batches.ts';
import { putGuardsAside } from '#server/platform/guards.ts';
import { newId } from '#server/platform/ids.ts';
import { cancellingActs } from '#test/cancelling-acts.ts';
import { makeAdmin, makeBuyer } from '#test/factories.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { NEEDS_OF_LARGER } from './bulk-guards.ts';
import { lookAtPhones } from './facts.ts';
import { checkInvariants, violations } from './invariants.ts';
import { keepAsk, settleAsk, waitingFor } from './override-asks.ts';
import { refusePhoneClaim } from './phone-claims.ts';

let world: LockWorld;
let client: pg.Client;
let admin: Actor;
/** Whose word on the phone became of each kind. */
let refused: Sale;
let told: Sale;
let paid: Sale;
let early: Sale;
let cancelled: Sale;
let again: Sale;

const { cancel } = cancellingActs(() => world);
const phoneOf = async (tx: Parameters<typeof lookAtPhones>[0], { deviceId }: Sale) =>
  (await lookAtPhones(tx, [deviceId]))[0]!;
const ask = (sale: Sale) =>
  world.inOrg(async (tx) => keepAsk(tx, world.shop, await phoneOf(tx, sale), 'the owner agreed in writing'));
const settle = (sale: Sale, as: 'agreed' | 'refused') =>
  world.inOrg(async (tx) => {
    const waiting = await waitingFor(tx, await phoneOf(tx, sale));
    await settleAsk(tx, world.second, waiting!, { state: as, customerId: sale.customerId });
  });
const say = (sale: Sale, at = '2026-03-12T11:59:00') => world.tell(sale, { kind: 'payment_claimed', at });
const askMany = (sale: Sale) =>
  world.inOrg((tx) =>
    commands.askBatch(tx, world.shop, {
      command: 'lock',
      reason: 'EMI_OVERDUE',
      total: 1,
      customerIds: [sale.customerId],
      size: 100,
      room: null,
      isWaiting: true,
    }),
  );
const decideMany = (batchId: string, isApproved: boolean) =>
  world.inOrg((tx) => commands.decideBatch(tx, admin, { batchId, isApproved, needs: NEEDS_OF_LARGER }));

beforeAll(async () => {
  world = await createLockWorld();
  admin = await makeAdmin(world.db, ORG);
  client = new pg.Client(world.db.owner);
  await client.connect();
  await world.at('2026-03-11T09:00:00');
  [refused, told, paid, cancelled] = [await world.sell(), await world.sell(), await world.sell(), await world.sell()];
  [early, again] = [await world.sell(), await world.sell()];
  // Nobody answers: a day later it gives way to the next.
  await ask(refused);
  await world.at('2026-03-12T12:00:00');
  for (const sale of [refused, told]) await ask(sale);
  await settle(refused, 'agreed');
  await settle(told, 'refused');
  for (const sale of [refused, told, paid, cancelled, again]) await say(sale);
  const [claim] = await world.db.asOwner<{ claim_id: string }>(
    'select claim_id from phone_claims where customer_id = $1',
    [refused.customerId],
  );
  await world.inOrg((tx) => refusePhoneClaim(tx, world.shop, { claim_id: claim!.claim_id, reason: 'Nothing came' }));
  const given = { payment_id: newId(), amount: 500_00, method: 'UPI' as const, reference: '' };
  const person = await makeBuyer(world.db, world.shop, told.customerId);
  await world.inOrg((tx) => world.payments.claim(tx, person, given));
  await world.pay(paid, 1);
  // What answered it is taken back.
  const { payment_id } = await world.pay(again, 1, 1_00);
  await world.at('2026-03-12T12:02:00');
  await world.inOrg((tx) => world.payments.reverse(tx, world.shop, payment_id, 'a slip of the hand'));
  // Said before a part was paid, and heard after it.
  await world.pay(early, 1, 100_00);
  await world.at('2026-03-12T12:05:00');
  await say(early);
  await cancel(cancelled);
  await decideMany(await askMany(refused), true);
  await decideMany(await askMany(told), false);
  await createBatches({ db: world.db, carryPart: world.locking.carryPart, onError: () => undefined }).drain();
});
afterAll(async () => {
  await client.end();
  await world.close();
});

/** What the checks say while every line of an action says something else; afterwards it does not. */
async function whileLost(action: string): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query(`select set_config('kist.org_id', $1, true)`, [String(ORG)]);
    await putGuardsAside(client, ['audit_lines']);
    const { rowCount } = await client.query(`update audit_lines set action = 'something_else' where action = $1`, [
      action,
    ]);
    expect(rowCount).toBeGreaterThan(0);
    const found = await violations(client);
    expect([...new Set(found.map(({ invariant }) => invariant))]).toEqual(['I8']);
    return [...new Set(found.map(({ detail }) => detail))].toSorted();
  } finally {
    await client.query('rollback');
  }
}

describe('what is asked of two people or of many, and what a phone says is paid', () => {
  it('has come to every end, and each has its line', async () => {
    const ends = await world.db.asOwner<{ state: string }>(
      `select 'claim ' || state as state from phone_claims union select 'override ' || state from override_asks union select 'order ' || state from batches order by 1`,
    );
    expect(ends.map(({ state }) => state)).toEqual([
      'claim open',
      'claim over',
      'claim paid',
      'claim refused',
      'claim told',
      'order done',
      'order stopped',
      'override agreed',
      'override ended',
      'override refused',
    ]);
    expect(await world.violations()).toEqual([]);
  });

  it.each([
    ['override_asked', ['override ended without a line', 'override that waits without a line']],
    ['override_agreed', ['override agreed without a line']],
    ['override_refused', ['override refused without a line']],
    ['phone_claim_said', ['word of a payment without a line', 'word of a payment, paid without a line']],
    ['phone_claim_waits_again', ['word of a payment without a line']],
    ['phone_claim_refused', ['word of a payment, refused without a line']],
    ['payment_claimed', ['word of a payment, told without a line']],
    ['payment_recorded', ['word of a payment, paid without a line']],
    ['batch_asked', ['order to many without a line']],
    ['batch_approved', ['yes to an order to many without a line']],
    ['batch_done', ['order to many, done without a line']],
    ['batch_stopped', ['order to many, stopped without a line']],
  ])('is missed without its line: %s', async (action, details) => {
    expect(await whileLost(action)).toEqual(details);
  });

  it('is missed where the line tells of another', async () => {
    await client.query('begin');
    await client.query(`select set_config('kist.org_id', $1, true)`, [String(ORG)]);
    await putGuardsAside(client, ['audit_lines']);
    await client.query(
      `update audit_lines set data = jsonb_set(data, '{batch_id}', to_jsonb(gen_random_uuid())) where action = 'batch_approved'`,
    );
    const found = await violations(client);
    await client.query('rollback');
    expect(found).toMatchObject([{ invariant: 'I8', detail: 'yes to an order to many without a line' }]);
  });
});

describe('a phone alone', () => {
  it('reddens nothing by saying that it is paid, however often, by whatever clock, and before and after money comes', async () => {
    await world.at('2026-03-12T13:00:00');
    const liar = await world.sell();
    const clocks = ['2025-01-01T00:00:00', '2026-03-12T12:59:59', '2026-03-12T12:59:59', '2031-01-01T00:00:00'];
    await world.tell(liar, ...clocks.map((at) => ({ kind: 'payment_claimed', at })));
    for (const at of clocks) await say(liar, at);
    await world.pay(liar, 1, 100_00);
    for (const at of clocks) await say(liar, at);
    await world.at('2026-03-12T13:05:00');
    for (const at of clocks) await say(liar, at);
    const said = await world.db.asOwner('select from phone_claims where customer_id = $1', [liar.customerId]);
    expect(said.length).toBeGreaterThan(1);
    const results = await checkInvariants(world.db, ORG);
    expect(results.flatMap((result) => [...result.violations, ...result.claims])).toEqual([]);
  });
});
