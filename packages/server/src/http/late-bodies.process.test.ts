import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallName, PATHS } from '@kist/contract/paths';
import * as agreements from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { writePng } from '#server/platform/png.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { createSession, createTestApp, emmHeader, type TestApp } from '#test/http.ts';
import { portOf, statusOf } from '#test/raw-http.ts';
import { createServices, type TestServices } from '#test/services.ts';
import { authRoutes } from './routes/auth.ts';
import { documentRoutes } from './routes/documents.ts';
import { moneyRoutes } from './routes/money.ts';
import { peopleRoutes } from './routes/people.ts';

/** Who was admitted by the headers, and may no more once the body is there. */
let db: TestDatabase;
let services: TestServices;
let http: TestApp;
let shop: Actor;
let shopToken: string;
beforeAll(async () => {
  db = await createTestDatabase();
  services = createServices(db);
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  http = await createTestApp({
    database: services.db,
    register: (app) => {
      authRoutes(app);
      documentRoutes(app);
      moneyRoutes(app, services);
      peopleRoutes(app, services);
    },
  });
  shopToken = await tokenOf(shop);
  await http.app.fastify.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => services.waker.close());

const tokenOf = ({ userId }: Actor) => createSession(db, { orgId: 20, userId, mobile: '' });
/** A mini-retailer who is signed in, with one sale. */
async function counter() {
  const mini = await makeRetailer(db, 20, shop);
  const sale = await services.db.transaction(20, (tx) => makeSale(tx, mini));
  return { userId: mini.userId, token: await tokenOf(mini), sale };
}
type Counter = Awaited<ReturnType<typeof counter>>;

interface Sent {
  type: string;
  body: Buffer;
  /** So many bytes of the body come with the headers. */
  early?: number;
}

/** Sends the headers, does something else, and sends the rest. @returns what was answered */
async function beside(name: CallName, { token }: Counter, sent: Sent, between: () => Promise<unknown>) {
  const { path } = PATHS[name];
  const { type, body, early = 0 } = sent;
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: kist.test',
    'Connection: close',
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    `X-EMM-Auth-Session: ${emmHeader(path)}`,
    `Idempotency-Key: ${newId()}`,
    `Authorization: bearer ${token}`,
  ];
  const socket = connect(portOf(http.app.fastify.server), '127.0.0.1');
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body.subarray(0, early)]));
  await wait(400);
  await between();
  socket.write(body.subarray(early));
  const answer = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  return [statusOf(answer), /"code":"(\w+)"/.exec(answer)?.[1]];
}

const suspend = async ({ userId }: Counter) =>
  (await http.call('suspendUser', { token: shopToken, body: { user_id: userId, reason: 'left' } })).data;
const takeWord = async ({ userId }: Counter) =>
  (await http.call('updateUser', { token: shopToken, body: { user_id: userId, access: { active_deactive: '0' } } }))
    .data;
const signOut = async ({ token }: Counter) => (await http.call('logout', { token, body: {} })).data;
const nothing = () => Promise.resolve();

const json = (body: object): Sent => ({ type: 'application/json', body: Buffer.from(JSON.stringify(body)) });
async function payment({ sale }: Counter): Promise<Sent> {
  const { instalmentIds } = await db.read(20, (tx) => agreements.account(tx, sale.agreement));
  return json({ instalment_id: instalmentIds.get(1), amount: 100_00, method: 'CASH' });
}
/** A drawn signature, all of whose form but the end comes with the headers, or nothing. */
function signature({ sale }: Counter, when: 'begun' | 'unsent'): Sent {
  const drawn = writePng({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4) });
  const head = `--b\r\nContent-Disposition: form-data; name="customer_id"\r\n\r\n${sale.customerId}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="s.png"\r\nContent-Type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), drawn, Buffer.from('\r\n--b--\r\n')]);
  return { type: 'multipart/form-data; boundary=b', body, early: when === 'begun' ? body.length - 12 : 0 };
}
const count = async (text: string, id: string) => (await db.asOwner<{ n: number }>(text, [id]))[0]?.n;
const receipts = ({ sale }: Counter) =>
  count('select count(*)::int as n from payments where agreement_id = $1', sale.agreement.agreement_id);
const pictures = ({ sale }: Counter) =>
  count('select count(*)::int as n from documents where customer_id = $1', sale.customerId);

describe('a body that comes late is from who may still ask', () => {
  test('no payment of a shop that was suspended meanwhile; of one that was not, as ever', async () => {
    const at = await counter();
    const before = await receipts(at);
    expect(await beside('updateEmiStatus', at, await payment(at), nothing)).toEqual([200, undefined]);
    expect(await receipts(at)).toBe(before! + 1);
    expect(await beside('updateEmiStatus', at, await payment(at), () => suspend(at))).toEqual([
      511,
      'SESSION_REQUIRED',
    ]);
    expect(await receipts(at)).toBe(before! + 1);
  });
  test.each(['begun', 'unsent'] as const)('no picture whose form was %s when the shop was suspended', async (when) => {
    const at = await counter();
    expect(await beside('uploadSignature', at, signature(at, when), nothing)).toEqual([200, undefined]);
    expect(await beside('uploadSignature', at, signature(at, when), () => suspend(at))).toEqual([
      511,
      'SESSION_REQUIRED',
    ]);
    expect(await pictures(at)).toBe(1);
  });
  test.each(['begun', 'unsent'] as const)('no picture whose form was %s when its word was taken away', async (when) => {
    const at = await counter();
    expect(await beside('uploadSignature', at, signature(at, when), () => takeWord(at))).toEqual([
      403,
      'FEATURE_NOT_ALLOWED',
    ]);
    expect(await pictures(at)).toBe(0);
  });
  test('no change of oneself after one has signed out', async () => {
    const at = await counter();
    const change = json({ shop_name: 'Nobody’s' });
    expect(await beside('updateUser', at, change, () => signOut(at))).toEqual([511, 'SESSION_REQUIRED']);
    expect(
      await count(`select count(*)::int as n from users where user_id = $1 and shop_name = 'Nobody’s'`, at.userId),
    ).toBe(0);
  });
});
