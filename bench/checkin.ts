import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CHECKIN_SQL } from '@kist/server/measured';
import { type LoadPhone, makeLoadPhone } from '@kist/simulator/measured';
import { asOwner, socketOf } from '#bench/lib/database.ts';
import { type Bench, median, quantile, ratioOf } from '#bench/lib/figures.ts';
import { type Load, closedLoop, requestBytes } from '#bench/lib/load.ts';
import { pgTool } from '#bench/lib/pg-tools.ts';
import { giveKeys } from '#bench/lib/own-keys.ts';
import { PLANTED_REVISION, idOf, sqlIdOf } from '#bench/lib/plant.ts';
import { type Stage, onStage } from '#bench/lib/stage.ts';

const ORG = 50;
const PHONES = 10_000;
const ROUNDS = 13;
const ROUND_S = 4;
const CONNECTIONS = 64;
const PGBENCH_CLIENTS = 16;
const WARM_UP = 3000;
/** So many times what the last round used are signed for the next: a round ends by its time, not for want of requests. */
const RESERVE = 1.8;

/** Check-ins over HTTP, signed by phones and answered signed, against the very statement in pgbench: the same rows, the same role, the same server. */
export const checkin: Bench = {
  name: 'checkin',
  unavailable: async () => ((await pgTool('pgbench')) ? undefined : 'pgbench is not installed'),
  run: () =>
    onStage([{ orgId: ORG, phones: PHONES, retailers: 4, level: 0, hasBooks: false }], async (stage) => {
      const pgbench = await pgbenchOf(stage);
      const loads: Load[] = [];
      const phones = await loadPhones(stage);
      let last = await http(stage, phones(WARM_UP), ROUND_S);
      const ratio = await ratioOf(
        ROUNDS,
        async () => {
          last = await http(stage, phones(Math.ceil(last.perSecond * ROUND_S * RESERVE)), ROUND_S);
          loads.push(last);
          return last.perSecond;
        },
        pgbench,
      );
      const p99 = median(loads.map(({ latenciesMs }) => quantile(latenciesMs, 0.99)));
      return [
        {
          name: 'check-in',
          of: `HTTP, ${CONNECTIONS} connections ÷ pgbench -c ${PGBENCH_CLIENTS} of the same statement`,
          unit: '×',
          atLeast: 1.5,
          ...ratio,
          detail: `${ratio.ours.toFixed(0)}/s ÷ ${ratio.theirs.toFixed(0)}/s; p99 ${p99.toFixed(0)} ms`,
        },
      ];
    }),
};

async function http({ port }: Stage, requests: Buffer[], seconds: number): Promise<Load> {
  let at = 0;
  const load = await closedLoop(port, CONNECTIONS, seconds * 1000, () => requests[at++]);
  if (load.refused > 0) throw new Error(`${load.refused} check-ins were refused: ${load.firstRefusal}`);
  return load;
}

/** @returns a function that signs so many check-ins now, phone after phone, each newer than that phone's last */
async function loadPhones({ dataDir }: Stage): Promise<(count: number) => Buffer[]> {
  const nowMs = await asOwner(dataDir, async (client) =>
    (await client.query<{ now: Date }>('select kist_now() as now')).rows[0]!.now.getTime(),
  );
  const aheadMs = nowMs - Date.now();
  const keys = await giveKeys(
    dataDir,
    ORG,
    Array.from({ length: PHONES }, (_one, index) => 1 + index),
  );
  const make = (n: number) =>
    makeLoadPhone({
      ...keys[n - 1]!,
      deviceId: idOf(ORG, 'phone', n),
      imei: `35${String(n).padStart(13, '0')}`,
      nowMs: Date.now() + aheadMs,
    });
  let turn = 0;
  const elapsed = new Map<number, LoadPhone>();
  return (count) =>
    Array.from({ length: count }, () => {
      const n = 1 + (turn++ % PHONES);
      const phone = elapsed.get(n) ?? make(n);
      elapsed.set(n, phone);
      const [signed] = phone.presign(1, { revision: PLANTED_REVISION, level: 0 });
      return requestBytes('POST', signed!.path, signed!.headers, signed!.body);
    });
}

/** @returns a function that runs pgbench for a round and gives its transactions a second */
async function pgbenchOf({ dataDir }: Stage): Promise<() => Promise<number>> {
  const tool = await pgTool('pgbench');
  const script = path.join(dataDir, 'checkin.sql');
  writeFileSync(script, pgbenchScript(CHECKIN_SQL));
  const { host, port, database, user, password } = socketOf(dataDir);
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(PGBENCH_CLIENTS),
    '-j',
    '2',
    '-T',
    String(ROUND_S),
    '-f',
    script,
    '-h',
    host,
    '-p',
    String(port),
    '-U',
    user,
    database,
  ];
  return async () => {
    const startedMs = Date.now();
    const { stdout } = await promisify(execFile)(tool!, args, {
      env: { ...process.env, PGPASSWORD: password, PGOPTIONS: '-c role=kist_device' },
    });
    await refuseIdle(dataDir, startedMs);
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  };
}

/** A statement that finds no phone is fast: what pgbench's phones report must be there. Their uptime is the time of day. */
async function refuseIdle(dataDir: string, sinceMs: number): Promise<void> {
  const { rows } = await asOwner(dataDir, (client) =>
    client.query<{ n: number }>('select count(*)::int as n from device_reports where elapsed_ms >= $1', [sinceMs]),
  );
  if (!rows[0]?.n) throw new Error('not measured: pgbench checked no phone in');
}

/** One phone's check-in by a random phone of the fleet; what it reports is what the phones over HTTP report. */
function pgbenchScript(statement: string): string {
  const report = {
    n: 0,
    org_id: ORG,
    boot_count: 1,
    wall_clock: new Date().toISOString(),
    highest_seq: 0,
    revision: PLANTED_REVISION,
    lock_level: 0,
    lock_cause: null,
    lease_seq: 0,
    toggles: { camera_lock: false, app_lock: false, wallpaper: false },
    sims: [{ slot: 0, iccid: '89910000000000000017', operator: 'Jio' }],
    battery: 80,
    agent_version: '1.0.0',
    location: null,
    located_at: null,
    push_token: null,
    acks: [],
    events: [],
  };
  // In a pgbench script a colon begins a variable, even inside quotes, unless a space follows it.
  const text = JSON.stringify(report).replaceAll("'", "''").replaceAll(':', "' || chr(58) || '");
  const enrolment = sqlIdOf(`'${ORG}'`, `'enrolment'`, '?n?');
  const elapsed = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const input = `jsonb_build_array(('${text}')::jsonb || jsonb_build_object('enrolment_id', ${enrolment}, 'elapsed_ms', ${elapsed}))`;
  const format = /'([^']*HH24:MI:SS[^']*)'/g;
  const quiet = statement
    .replace(format, (_whole, inside: string) => `'${inside.replaceAll(':', "' || chr(58) || '")}'`)
    .replaceAll('":', '": ');
  return `\\set n random(1, ${PHONES})\n${quiet.replace('$1::jsonb', input).replaceAll('?n?', ':n').replaceAll('\n', ' ')};\n`;
}
