import { setTimeout as sleep } from 'node:timers/promises';
import { type LoadPhone, makeLoadPhone, signRequest } from '@kist/simulator/measured';
import { openDatabase, reconcile } from '@kist/server/measured';
import { type Connection, appHeaders, connect, dataOf } from '#bench/lib/client.ts';
import { asOwner, postmasterPid, socketOf } from '#bench/lib/database.ts';
import { type Bench, type Figure, median, quantile, ratioOf } from '#bench/lib/figures.ts';
import { closedLoop, requestBytes } from '#bench/lib/load.ts';
import { askMany, whenCarriedOut } from '#bench/lib/many.ts';
import { type OwnKey, giveKeys } from '#bench/lib/own-keys.ts';
import { PLANTED_REVISION, idOf, keyidOf, retailerOf, tokenOf } from '#bench/lib/plant.ts';
import { processorSeconds } from '#bench/lib/processor.ts';
import { type Stage, onStage } from '#bench/lib/stage.ts';

const ORG = 50;
/** Fewer for a quick look on a busy machine. */
const MANY = Number(process.env['KIST_BENCH_FLEET'] ?? 1_000_000);
const FEW = 10_000;
/** Locked while orders are waited for. */
const CROWD = { orgId: 60, phones: Number(process.env['KIST_BENCH_PHONES'] ?? 100_000) };
const OPEN_ORDERS = Math.min(150_000, MANY);
const RETAILERS = 4;
const CONNECTIONS = 64;
const ROUNDS = 5;
/** The reconciler looks at 25,000 orders in a pass: so all are looked at, and some twice. */
const PASSES = 8;
const A_ROUND = 1500;
const ORDERS = 200;
const ORDERS_PER_SECOND = 10;

/** What a fleet costs: phones that nobody knows yet at a million and at ten thousand, what fell through, and how soon an order wakes its phone. */
export const phones: Bench = {
  name: 'phones',
  run: async () => [...(await ofFleets()), ...(await ofOrders())],
};

const fleet = (count: number) =>
  ({ orgId: ORG, phones: count, retailers: RETAILERS, level: 0, hasBooks: false }) as const;

const pidsOf = ({ server, dataDir }: Stage): number[] => [server.pid, postmasterPid(dataDir) ?? 0];

/** Sends it all and gives the milliseconds of the processor that one cost, on the side of the server and its database. */
export async function costOf(stage: Stage, requests: readonly Buffer[], mayRefuse = false): Promise<number> {
  const before = processorSeconds(pidsOf(stage));
  let at = 0;
  const load = await closedLoop(stage.port, CONNECTIONS, 120_000, () => requests[at++], { isSleepless: true });
  if (load.refused > 0 && !mayRefuse) throw new Error(`${load.refused} were refused: ${load.firstRefusal}`);
  if (mayRefuse && load.refused !== requests.length) throw new Error('a stranger was answered');
  return ((processorSeconds(pidsOf(stage)) - before) * 1000) / requests.length;
}

export const bytesOf = ({ path, headers, body }: { path: string; headers: Record<string, string>; body: string }) =>
  requestBytes('POST', path, headers, body);

function phoneOf(own: OwnKey, n: number): LoadPhone {
  const imei = `35${String(n).padStart(13, '0')}`;
  return makeLoadPhone({ ...own, deviceId: idOf(ORG, 'phone', n), imei, nowMs: Date.now() });
}

/** @returns a function that signs the first check-ins of so many phones that have not asked yet, from all over the fleet, each by its own key */
export function firstCheckins({ dataDir }: Stage, count: number): (many: number) => Promise<Buffer[]> {
  // A step that shares no divisor with ten goes through all of them before it comes back.
  const step = Math.floor(count * 0.618_033) | 1;
  let n = 0;
  return async (many) => {
    const numbers = Array.from({ length: many }, () => {
      n = (n + step) % count;
      return 1 + n;
    });
    const keys = await giveKeys(dataDir, ORG, numbers);
    return numbers.map((number, at) =>
      bytesOf(phoneOf(keys[at]!, number).presign(1, { revision: PLANTED_REVISION, level: 0 })[0]!),
    );
  };
}

async function ofFleets(): Promise<Figure[]> {
  return onStage([fleet(MANY)], async (large) => {
    const cold = await onStage([fleet(FEW)], async (small) => {
      const [inLarge, inSmall] = [firstCheckins(large, MANY), firstCheckins(small, FEW)];
      for (const [stage, next] of [
        [large, inLarge],
        [small, inSmall],
      ] as const)
        await costOf(stage, await next(500));
      return ratioOf(
        ROUNDS,
        async () => costOf(large, await inLarge(A_ROUND)),
        async () => costOf(small, await inSmall(A_ROUND)),
      );
    });
    const fleetFigure: Figure = {
      name: `check-in of one phone of ${MANY.toLocaleString('en')}`,
      of: `processor of server and database, each phone’s first, ÷ the same at ${FEW.toLocaleString('en')}`,
      unit: '×',
      atMost: 1.2,
      ...cold,
      detail: `${cold.ours.toFixed(2)} ms ÷ ${cold.theirs.toFixed(2)} ms`,
    };
    return [fleetFigure, await ofReconciling(large)];
  });
}

/** Orders that phones have not carried out yet, and nothing that fell through: what every pass looks over. */
async function ofReconciling({ dataDir }: Stage): Promise<Figure> {
  const temporary = await asOwner(dataDir, async (client) => {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(
      `insert into commands (org_id, command_id, device_id, seq, type, is_state, revision, reason, state, created_at, sent_at, expires_at)
       select org_id, gen_random_uuid(), device_id, 1, 'unlock', true, revision + 1, 'EMI_OVERDUE', 'SENT', kist_now(), kist_now(), kist_now() + interval '2 days'
       from (select * from device_desired where org_id = ${ORG} limit ${OPEN_ORDERS}) w`,
    );
    await client.query(
      `update device_desired w set revision = revision + 1 where org_id = ${ORG} and device_id in (select device_id from commands where org_id = ${ORG})`,
    );
    await client.query('commit');
    await client.query('vacuum analyze commands, device_desired');
    return filesOf(client);
  });
  const db = openDatabase({ connection: socketOf(dataDir), onIdleError: () => undefined });
  const times: number[] = [];
  const place = { after: null };
  try {
    for (let round = 0; round < PASSES + 1; round += 1) {
      const startedAt = performance.now();
      await reconcile({ db, onReports: async () => undefined, place });
      if (round > 0) times.push(performance.now() - startedAt);
    }
  } finally {
    await db.close();
  }
  const sorted = (await asOwner(dataDir, filesOf)) - temporary;
  return {
    name: `a pass over ${OPEN_ORDERS.toLocaleString('en')} open orders`,
    of: 'looks for what fell through in the part whose turn it is, and finds nothing; the longest of the passes',
    value: sorted === 0 ? Math.max(...times) : Number.NaN,
    unit: 'ms',
    atMost: 300,
    detail: `median ${median(times).toFixed(0)} ms, ${PASSES} passes, all of them looked at; sorts on disk ${sorted}`,
  };
}

async function filesOf(client: { query(text: string): Promise<{ rows: { n: string }[] }> }): Promise<number> {
  // What a session used is told when it ends, or a second later.
  await sleep(1500);
  const { rows } = await client.query(
    `select temp_files as n from pg_stat_database where datname = current_database()`,
  );
  return Number(rows[0]?.n);
}

/** From the moment an order is answered for, committed, to the phone's poll that says there is something. */
const ofOrders = (): Promise<Figure[]> =>
  onStage([fleet(2 * ORDERS + 20), { ...CROWD, retailers: 1, level: 2, hasBooks: false }], async (stage) => {
    const http = connect(stage.port, 256);
    try {
      const asked = new Date();
      await orders(stage, http, 1, 20);
      const quiet = await orders(stage, http, 21, ORDERS);
      const locks = lockMany(stage, http);
      const busy = await orders(stage, http, 21 + ORDERS, ORDERS);
      const seconds = await locks;
      return [
        figureOf('order → phone awake, p99', quiet, 150, ''),
        figureOf(
          `the same while ${CROWD.phones.toLocaleString('en')} lock`,
          busy,
          500,
          `; the locks took ${seconds.toFixed(1)} s, begun ${((Date.now() - asked.getTime()) / 1000 - seconds).toFixed(0)} s in`,
        ),
      ];
    } finally {
      http.close();
    }
  });

function figureOf(name: string, times: readonly number[], atMost: number, more: string): Figure {
  const detail = `p50 ${quantile(times, 0.5).toFixed(0)} ms, max ${Math.max(...times).toFixed(0)} ms, ${times.length} orders at ${ORDERS_PER_SECOND}/s${more}`;
  return {
    name,
    of: 'answer to the order, committed → answer to the poll',
    value: quantile(times, 0.99),
    unit: 'ms',
    atMost,
    detail,
  };
}

async function orders(stage: Stage, http: Connection, first: number, count: number): Promise<number[]> {
  const startedAt = performance.now();
  return Promise.all(
    Array.from({ length: count }, async (_one, index) => {
      await sleep(startedAt + (index * 1000) / ORDERS_PER_SECOND - performance.now());
      return order(stage, http, first + index);
    }),
  );
}

async function order({ key }: Stage, http: Connection, n: number): Promise<number> {
  const { path: pollPath, headers: signed } = signRequest(
    { keyid: keyidOf(ORG, n), key },
    'GET',
    '/agent/v1/poll',
    '',
    Date.now(),
  );
  const polled = http
    .send({ method: 'GET', path: pollPath, headers: signed, timeoutMs: 60_000 })
    .then(({ text }) => ({ text, at: performance.now() }));
  // It waits before the order comes, as a phone does.
  await sleep(200);
  const path = '/api/device/commands/sim_info';
  const headers = {
    ...appHeaders(path, tokenOf(ORG, retailerOf({ retailers: RETAILERS }, n))),
    'idempotency-key': crypto.randomUUID(),
  };
  const body = JSON.stringify({ customer_id: idOf(ORG, 'customer', n) });
  dataOf(await http.send({ method: 'POST', path, headers, body, timeoutMs: 60_000 }));
  const answeredAt = performance.now();
  const { text, at } = await polled;
  if (!text.includes('"wake":true')) throw new Error(`phone ${n} was not woken: ${text.slice(0, 200)}`);
  return Math.max(0, at - answeredAt);
}

/** @returns seconds it took */
async function lockMany({ dataDir }: Stage, http: Connection): Promise<number> {
  return asOwner(dataDir, async (client) => {
    const { batchId, startedAt } = await askMany(http, client, CROWD, 'lock');
    await whenCarriedOut(client, batchId, CROWD.phones);
    return (performance.now() - startedAt) / 1000;
  });
}
