import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { businessDate } from '@kist/contract/dates';
import { account } from '#server/agreements/agreements.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { createPayments } from '#server/payments/payments.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { createDeviceWorld } from '#test/device-world.ts';
import { makeOrganisation, makeRetailer, makeSale, terms } from '#test/factories.ts';
import { createSession, createTestApp } from '#test/http.ts';
import { createOwnServer } from '#test/own-server.ts';
import { moneyRoutes } from './routes/money.ts';

const SHOP = 30;
const SALES = 25;
const PAYMENTS = 150;
const PHONES = 4;
const HANDS = 12;
const CONTACT_MS = 100;
/** A busy machine takes seconds to recover a killed database. */
const GIVE_UP_MS = 150_000;
const AMOUNT_PAISE = 50_00;

interface Seen {
  status: number;
  retryAfter: string | undefined;
  code: string | undefined;
}

const notAsked = () => Promise.reject(new Error('not asked here'));

/** Shops and phones at one database, and somebody who takes its connections away while they work. */
async function storm(db: TestDatabase, lose: () => Promise<unknown> | void, pauseMs: number) {
  const phones = await createDeviceWorld(db);
  const enrolled = await Promise.all(Array.from({ length: PHONES }, () => phones.enrolledPhone()));
  await makeOrganisation(db, SHOP);
  const shop = await makeRetailer(db, SHOP);
  const payments = createPayments({
    duesChanged: async () => null,
    claimed: async () => undefined,
    sendReceipt: async () => async () => 'Receipt',
  });
  const http = await createTestApp({
    database: db,
    register: (app) =>
      moneyRoutes(app, {
        payments,
        notices: { send: async () => 0, sendAlert: notAsked, previewAlerts: notAsked, sendAlerts: notAsked },
      }),
  });
  const token = await createSession(db, { orgId: SHOP, userId: shop.userId, mobile: '' });
  const soldToday = terms({ delivered_on: businessDate(Date.now()) });
  const instalments: string[] = [];
  for (let n = 0; n < SALES; n += 1) {
    const { agreement } = await db.transaction(SHOP, (tx) => makeSale(tx, shop, { terms: soldToday }));
    const open = await db.read(SHOP, (tx) => account(tx, { agreement_id: agreement.agreement_id }));
    instalments.push(open.instalmentIds.get(1)!);
  }

  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  const seen: Seen[] = [];
  const receipts = new Map<string, string>();
  const pay = async (n: number): Promise<void> => {
    const idempotencyKey = newId();
    const body = {
      instalment_id: instalments[n % SALES]!,
      amount: AMOUNT_PAISE,
      method: 'CASH' as const,
      reference: '',
    };
    while (performance.now() < giveUpAtMs) {
      const reply = await http.call('updateEmiStatus', { token, body, idempotencyKey });
      seen.push({ status: reply.status, retryAfter: String(reply.headers['retry-after']), code: reply.code });
      if (reply.status === 200) return void receipts.set(idempotencyKey, reply.data.payment_id);
      await sleep(20);
    }
  };
  let isOver = false;
  const checkIn = async (phone: (typeof enrolled)[number]['phone']): Promise<void> => {
    while (!isOver) {
      const { status, body, headers } = await phone.checkin();
      seen.push({ status, retryAfter: headers['retry-after'], code: body.code });
      await sleep(CONTACT_MS);
    }
  };
  const takeAway = async (): Promise<void> => {
    while (!isOver) {
      await lose();
      await sleep(pauseMs);
      while (!isOver && !(await isThere(db))) await sleep(50);
    }
  };
  const hand = async (first: number): Promise<void> => {
    for (let n = first; n < PAYMENTS; n += HANDS) await pay(n);
  };
  const hands = Promise.all(Array.from({ length: HANDS }, (_, first) => hand(first)));
  const others = Promise.all([takeAway(), ...enrolled.map(({ phone }) => checkIn(phone))]);
  await hands.finally(() => (isOver = true));
  await others;
  return { seen, receipts };
}

const isThere = (db: TestDatabase): Promise<boolean> =>
  db.ping().then(
    () => true,
    () => false,
  );

/** What was answered and what is stored. */
async function outcome(db: TestDatabase, { seen, receipts }: Awaited<ReturnType<typeof storm>>) {
  // Those of the storm; the sales before it have down payments of another amount.
  const stored = await db.asOwner<{ id: string }>(
    'select payment_id as id from payments where org_id = $1 and amount_paise = $2',
    [SHOP, AMOUNT_PAISE],
  );
  const { isBalanced, differences } = await db.read(SHOP, (tx) => checkBooks(tx));
  return {
    wrongAnswers: seen.filter(
      ({ status, retryAfter }) => status !== 200 && !(status === 503 && Number(retryAfter) >= 1),
    ),
    wasLost: seen.some(({ status }) => status === 503),
    receipts: receipts.size,
    isStoredOnce:
      stored
        .map(({ id }) => id)
        .toSorted()
        .join() === [...receipts.values()].toSorted().join(),
    isBalanced,
    differences,
  };
}

/** Every answer is 200 or "try again"; whatever was promised is there, once. */
const NOTHING_LOST = {
  wrongAnswers: [],
  wasLost: true,
  receipts: PAYMENTS,
  isStoredOnce: true,
  isBalanced: true,
  differences: [],
};

describe('a database that is lost in the middle of requests', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });

  test('connections ended by the server: every answer is 200 or 503 with Retry-After, nothing lost or doubled', async () => {
    const endAll = () =>
      db
        .asOwner(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'kist%'`,
        )
        .catch(() => undefined);
    expect(await outcome(db, await storm(db, endAll, 700))).toEqual(NOTHING_LOST);
  }, 200_000);

  test('PostgreSQL killed (kill -9), more than once: the same', async () => {
    const own = await createOwnServer();
    try {
      expect(await outcome(own.db, await storm(own.db, own.kill, 2500))).toEqual(NOTHING_LOST);
    } finally {
      await own.stop();
    }
  }, 200_000);
});
