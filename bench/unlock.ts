import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, type Reply, appHeaders, connect, dataOf, freshness } from '#bench/lib/client.ts';
import { asOwner } from '#bench/lib/database.ts';
import { type Bench, type Figure, quantile } from '#bench/lib/figures.ts';
import { askMany, whenCarriedOut } from '#bench/lib/many.ts';
import { makeLoadPhone } from '@kist/simulator/measured';
import { EMI_PAISE, OVERDUE_COUNT, PLANTED_REVISION, idOf, keyidOf, retailerOf, tokenOf } from '#bench/lib/plant.ts';
import { type Stage, onStage } from '#bench/lib/stage.ts';

const ORG = 50;
const SHOP = { retailers: 8, phones: 900 };
/** Another organisation's phones, locked meanwhile. Fewer for a quick look on a busy machine. */
const CROWD = { orgId: 60, phones: Number(process.env['KIST_BENCH_PHONES'] ?? 100_000) };
const PER_SECOND = 10;
const PAYMENTS = 200;
/** What a payment may wait for an order to many. */
const WAITS_AT_MOST_MS = 100;
/** A busy server asks to be asked again; the waiting counts. */
const ASK_AGAIN_MS = 100;

/**
 * Money at the counter to a phone that can be free: from the payment's request, at its appointed moment (an open loop: a slow answer delays no other
 * payment), to the answer of a check-in of that phone with the new desired state. Once on a quiet server, once while 100,000 locks are being made, once
 * when they are made and wait for their phones. Meanwhile phones of those 100,000 are paid for, too.
 */
export const unlock: Bench = {
  name: 'unlock',
  run: () =>
    onStage(
      [
        { orgId: ORG, ...SHOP, level: 3, hasBooks: true },
        { ...CROWD, retailers: 1, level: 2, hasBooks: true },
      ],
      async (stage) => {
        const http = connect(stage.port, 256);
        try {
          const pay = await payer(stage, http);
          await openLoop(20, 1, pay);
          const quiet = await openLoop(PAYMENTS, 101, pay);
          return await asOwner(stage.dataDir, async (client) => {
            const { batchId, startedAt } = await askMany(http, client, CROWD, 'lock');
            const [besides, beside, tookS] = await Promise.all([
              openLoop(PAYMENTS, 101 + PAYMENTS, pay),
              openLoop(PAYMENTS, 1, payInCrowd(http)),
              whenCarriedOut(client, batchId, undefined).then(() => (performance.now() - startedAt) / 1000),
            ]);
            const queued = await openLoop(PAYMENTS, 101 + 2 * PAYMENTS, pay);
            return figuresOf({ quiet, besides, beside, queued, tookS });
          });
        } finally {
          http.close();
        }
      },
    ),
};

interface Measured {
  quiet: number[];
  /** In another shop while the crowd is locked. */
  besides: number[];
  /** Of phones of the crowd while it is locked: the payment alone. */
  beside: number[];
  /** When the crowd's orders are written and none is fetched yet. */
  queued: number[];
  tookS: number;
}

function figuresOf({ quiet, besides, beside, queued, tookS }: Measured): Figure[] {
  const crowd = CROWD.phones.toLocaleString('en');
  const took = `; the locks took ${tookS.toFixed(1)} s`;
  const [idle, full] = [quantile(quiet, 0.99), quantile(queued, 0.99)];
  const paid = figure(
    `payment beside a running lock of ${crowd}, p99`,
    'a payment of a phone of it, to its receipt',
    beside,
    took,
  );
  return [
    figure(
      'payment → unlock ready, p99',
      'payment sent to the check-in that brings the unlock, quiet server',
      quiet,
      '',
    ),
    figure(`the same while ${crowd} lock`, 'one process serves both', besides, took),
    { ...paid, value: quantile(beside, 0.99), unit: 'ms', atMost: WAITS_AT_MOST_MS },
    {
      name: `payment → unlock ready, ${crowd} locks queued`,
      of: 'p99 with their orders written and not fetched ÷ p99 of the quiet server',
      value: full / idle,
      unit: '×',
      atMost: 1.5,
      detail: `${full.toFixed(0)} ms ÷ ${idle.toFixed(0)} ms, ${PAYMENTS} payments each at ${PER_SECOND}/s`,
    },
  ];
}

function figure(name: string, of: string, times: readonly number[], more: string): Figure {
  const detail = `p50 ${quantile(times, 0.5).toFixed(0)} ms, max ${Math.max(...times).toFixed(0)} ms, ${times.length} payments at ${PER_SECOND}/s${more}`;
  return { name, of, value: quantile(times, 0.99) / 1000, unit: 's', atMost: 1, detail };
}

async function openLoop(
  count: number,
  first: number,
  pay: (phone: number, dueAt: number) => Promise<number>,
): Promise<number[]> {
  const startedAt = performance.now() + 50;
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const dueAt = startedAt + (index * 1000) / PER_SECOND;
      await sleep(dueAt - performance.now());
      return pay(first + index, dueAt);
    }),
  );
}

/** @returns a function that pays all that is overdue on a phone and fetches its unlock; it gives the milliseconds since it was due */
async function payer({ key }: Stage, http: Connection): Promise<(phone: number, dueAt: number) => Promise<number>> {
  const path = '/country/update_emi_status';
  return async (phone, dueAt) => {
    const device = makeLoadPhone({
      keyid: keyidOf(ORG, phone),
      deviceId: idOf(ORG, 'phone', phone),
      imei: `35${String(phone).padStart(13, '0')}`,
      key,
      nowMs: Date.now(),
    });
    const [checkin] = device.presign(1, { revision: PLANTED_REVISION, level: 3 });
    const body = JSON.stringify({
      instalment_id: idOf(ORG, 'instalment-1', phone),
      amount: EMI_PAISE * OVERDUE_COUNT,
      method: 'CASH',
    });
    const headers = {
      ...appHeaders(path, tokenOf(ORG, retailerOf(SHOP, phone))),
      'idempotency-key': crypto.randomUUID(),
    };
    dataOf(await sendUntilTaken(http, path, headers, body));
    const reply = await http.send({
      method: 'POST',
      path: checkin!.path,
      headers: checkin!.headers,
      body: checkin!.body,
      timeoutMs: 60_000,
    });
    const { desired } = JSON.parse(reply.text) as { desired: { policy: { lock: { level: number } } } | null };
    if (desired?.policy.lock.level !== 0)
      throw new Error(`phone ${phone} is not told to be free: ${reply.status} ${reply.text.slice(0, 300)}`);
    return performance.now() - dueAt;
  };
}

/** @returns a function that pays an instalment of one of the crowd's phones, one after the other over all of it, and gives the milliseconds since it was due */
function payInCrowd(http: Connection): (nth: number, dueAt: number) => Promise<number> {
  const path = '/country/update_emi_status';
  return async (nth, dueAt) => {
    const phone = Math.max(1, Math.floor((nth * CROWD.phones) / (PAYMENTS + 1)));
    const body = JSON.stringify({
      instalment_id: idOf(CROWD.orgId, 'instalment-1', phone),
      amount: EMI_PAISE,
      method: 'CASH',
    });
    const headers = { ...appHeaders(path, tokenOf(CROWD.orgId, 1)), 'idempotency-key': crypto.randomUUID() };
    dataOf(await sendUntilTaken(http, path, headers, body));
    return performance.now() - dueAt;
  };
}

async function sendUntilTaken(
  http: Connection,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<Reply> {
  for (;;) {
    const fresh = { ...headers, 'x-emm-auth-session': freshness(path) };
    const reply = await http.send({ method: 'POST', path, headers: fresh, body, timeoutMs: 60_000 });
    if (reply.status !== 503) return reply;
    await sleep(ASK_AGAIN_MS);
  }
}
