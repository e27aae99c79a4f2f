import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCustomersQuery } from '@kist/contract/customers';
import type { Actor } from '#server/identity/identity.ts';
import { booksOf } from '#server/ledger/ledger.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as documents from '#server/documents/documents.ts';
import * as reports from '#server/reports/reports.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { makeRetailer } from './factories.ts';
import { createServices, type TestServices } from './services.ts';

/**
 * Two shops of one organisation, which row-level security does not keep apart: what keeps each from the other's customers is what the services ask.
 * `http/ownership.sweep.test.ts` tries every call; here are the answers in which a mistake would be quiet.
 */
let world: LockWorld;
let services: TestServices;
let rival: Actor;
/** Three of the shop's and two of the rival's, sold by turns. */
let own: Sale[];
let theirs: Sale[];

const read = <T>(work: (tx: Tx) => Promise<T>) => services.db.read(ORG, work);
/** @returns the code of a refusal. */
const refusal = (work: (tx: Tx) => Promise<unknown>) =>
  read(work).then(
    () => 'answered',
    ({ code }: { code: string }) => code,
  );

beforeAll(async () => {
  world = await createLockWorld();
  services = createServices(world.db);
  rival = await makeRetailer(world.db, ORG);
  await world.at('2026-03-01T12:00:00');
  const [first, a, second, b, third] = [
    await world.sell(),
    await world.sell({ actor: rival }),
    await world.sell(),
    await world.sell({ actor: rival }),
    await world.sell(),
  ];
  own = [first, second, third];
  theirs = [a, b];
});
afterAll(async () => {
  await services.waker.close();
  await world.close();
});

test('another shop’s documents are neither listed nor opened', async () => {
  const [{ customerId: customer_id }] = own as [Sale];
  const document_id = newId();
  await world.db.asOwner(
    `insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, sealed, created_by, created_at)
     values ($1, $2, $3, 'photo', 'image/jpeg', 3, '\\x00', $4, $5, kist_now())`,
    [
      ORG,
      document_id,
      customer_id,
      services.db.ports.documents.sealer.seal(Buffer.from('jpg'), `${ORG}|documents|sealed|${document_id}`),
      world.shop.userId,
    ],
  );
  expect((await read((tx) => documents.list(tx, world.shop, { customer_id }))).map((row) => row.document_id)).toContain(
    document_id,
  );
  expect((await read((tx) => documents.link(tx, world.shop, { document_id }))).url).toContain('/files/');
  expect(await refusal((tx) => documents.list(tx, rival, { customer_id }))).toBe('NOT_FOUND');
  expect(await refusal((tx) => documents.link(tx, rival, { document_id }))).toBe('NOT_FOUND');
});

test('another shop’s agreement, schedule and payments are not found', async () => {
  const ask = (actor: Actor, { customerId: customer_id }: Sale) =>
    refusal((tx) => reports.emiDetails(tx, actor, { customer_id }));
  expect(await Promise.all([ask(world.shop, own[0]!), ask(rival, theirs[0]!)])).toEqual(['answered', 'answered']);
  expect(await Promise.all([ask(world.shop, theirs[0]!), ask(rival, own[0]!)])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
});

describe('the figures of a shop', () => {
  test('have none of another’s takings in them, in no day of the series', async () => {
    await world.at('2026-03-04T12:00:00');
    await world.pay(own[0]!, 1, 300_00);
    await world.at('2026-03-05T12:00:00');
    await world.pay(own[0]!, 1, 200_00);
    const taken = async (actor: Actor) => {
      const { collections, today } = await read((tx) => reports.dashboard(tx, actor));
      return [today.collected_paise, collections.filter(({ paise }) => paise > 0)];
    };
    expect(await taken(world.shop)).toEqual([
      200_00,
      [
        { on: '2026-03-04', paise: 300_00 },
        { on: '2026-03-05', paise: 200_00 },
      ],
    ]);
    // What was paid down at the sales, own and theirs, is no due.
    expect(await taken(rival)).toEqual([0, []]);
  });

  test('count the SIM changes of its own phones alone', async () => {
    await world.db.asOwner(
      `insert into device_events (org_id, device_id, event_id, at, kind) values ($1, $2, $3, kist_now(), 'sim_changed')`,
      [ORG, own[0]!.deviceId, newId()],
    );
    const changes = async (actor: Actor) =>
      (await read((tx) => reports.dashboard(tx, actor))).do_now.find(({ kind }) => kind === 'sim_changed')?.count;
    expect([await changes(world.shop), await changes(rival)]).toEqual([1, undefined]);
  });
});

describe('a remembered list', () => {
  const page = (actor: Actor, page: number, more: object = {}) =>
    read(async (tx) => {
      const query = listCustomersQuery.parse({ page: String(page), page_size: '1', ...more });
      const { list, total } = await reports.customerList(tx, actor, query);
      return { total, ids: list.map(({ customer_id }) => customer_id) };
    });

  test('is one shop’s: another that turns to the next page finds its own', async () => {
    expect(await page(world.shop, 1)).toEqual({ total: 3, ids: [own[2]!.customerId] });
    expect(await page(rival, 2)).toEqual({ total: 2, ids: [theirs[0]!.customerId] });
    expect(await page(world.shop, 2)).toEqual({ total: 3, ids: [own[1]!.customerId] });
  });

  test('is one day’s: at midnight it is counted anew', async () => {
    const overdue = (no: number) => page(rival, no, { due: 'overdue' });
    await world.at('2026-03-10T23:59:00');
    expect(await overdue(1)).toEqual({ total: 0, ids: [] });
    await world.at('2026-03-11T00:01:00');
    expect(await overdue(2)).toEqual({ total: 2, ids: [theirs[0]!.customerId] });
  });
});

test('another shop’s books are not found, one’s own are', async () => {
  const books = (actor: Actor, retailerId: string) => refusal((tx) => booksOf(tx, actor, { retailerId }));
  expect(await books(world.shop, world.shop.userId)).toBe('answered');
  expect(await books(world.shop, rival.userId)).toBe('NOT_FOUND');
  expect(await books(rival, world.shop.userId)).toBe('NOT_FOUND');
});
