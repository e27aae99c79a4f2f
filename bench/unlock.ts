import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, type Reply, appHeaders, connect, dataOf, freshness } from '#bench/lib/client.ts';
import { type Bench, quantile } from '#bench/lib/figures.ts';
import { makeLoadPhone } from '@kist/simulator/measured';
import { EMI_PAISE, OVERDUE_COUNT, PLANTED_REVISION, idOf, keyidOf, retailerOf, tokenOf } from '#bench/lib/plant.ts';
import { type Stage, onStage } from '#bench/lib/stage.ts';

const ORG = 50;
const SHOP = { retailers: 8, phones: 600 };
/** Another organisation's phones, locked meanwhile. */
/** Fewer for a quick look on a busy machine. */
const CROWD = { orgId: 60, phones: Number(process.env['KIST_BENCH_PHONES'] ?? 100_000) };
const PER_SECOND = 10;
const PAYMENTS = 200;
/** A busy server asks to be asked again; the waiting counts. */
const ASK_AGAIN_MS = 100;

/**
 * Money at the counter to a phone that can be free: from the payment's request, at its appointed moment (an open loop: a slow answer delays no other
 * payment), to the answer of a check-in of that phone with the new desired state. Once on a quiet server, once while 100,000 locks are being made.
 */
export const unlock: Bench = {
  name: 'unlock',
  run: () =>
    onStage(
      [
        { orgId: ORG, ...SHOP, level: 3, hasBooks: true },
        { ...CROWD, retailers: 1, level: 2, hasBooks: false },
      ],
      async (stage) => {
        const http = connect(stage.port, 256);
        try {
          const pay = await payer(stage, http);
          await openLoop(20, 1, pay);
          const quiet = await openLoop(PAYMENTS, 101, pay);
          const locks = lockMany(http);
          const busy = await openLoop(PAYMENTS, 101 + PAYMENTS, pay);
          const locksSeconds = await locks;
          return [
            figure(
              'payment → unlock ready, p99',
              'payment sent to the check-in that brings the unlock, quiet server',
              quiet,
              '',
            ),
            figure(
              `the same while ${CROWD.phones.toLocaleString('en')} lock`,
              'one process serves both',
              busy,
              `; the locks took ${locksSeconds.toFixed(1)} s`,
            ),
          ];
        } finally {
          http.close();
        }
      },
    ),
};

function figure(name: string, of: string, times: readonly number[], more: string) {
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

/** @returns seconds it took */
async function lockMany(http: Connection): Promise<number> {
  const path = '/api/device/bulk';
  const startedAt = performance.now();
  const body = JSON.stringify({
    command: 'lock',
    reason: 'EMI_OVERDUE',
    customer_ids: Array.from({ length: CROWD.phones }, (_, n) => idOf(CROWD.orgId, 'customer', n + 1)),
  });
  const headers = { ...appHeaders(path, tokenOf(CROWD.orgId, 1)), 'idempotency-key': crypto.randomUUID() };
  dataOf(await http.send({ method: 'POST', path, headers, body, timeoutMs: 120_000 }));
  return (performance.now() - startedAt) / 1000;
}
