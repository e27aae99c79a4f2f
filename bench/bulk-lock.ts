import pg from 'pg';
import { type Connection, connect } from '#bench/lib/client.ts';
import { asOwner, socketOf } from '#bench/lib/database.ts';
import { type Bench, type Figure, ratioOf } from '#bench/lib/figures.ts';
import { BULK_PATH, askMany, whenCarriedOut } from '#bench/lib/many.ts';
import { idOf } from '#bench/lib/plant.ts';
import { onStage } from '#bench/lib/stage.ts';
import { putGuardsAside } from '@kist/server/measured';

const ORG = 50;
/** Fewer for a quick look on a busy machine. */
const PHONES = Number(process.env['KIST_BENCH_PHONES'] ?? 100_000);
const ROUNDS = 3;
/** The product carries out two parts at once; the other side has as many connections, each with half of the phones. */
const LANES = [0, 1] as const;

/** Written by an order to many, with what names a row; and of which phone or agreement it is, so that both lanes have their own. */
const WRITTEN: Record<string, { key: string; lane: string; only?: string }> = {
  commands: { key: 'command_id', lane: 'device_id' },
  verdicts: { key: 'verdict_id', lane: 'device_id' },
  // The two lines of the order itself are one chain's.
  audit_lines: { key: 'subject_id, seq', lane: 'subject_id', only: `t.subject_kind = 'device'` },
  notices: { key: 'notice_id', lane: 'agreement_id' },
  outbox: { key: 'id', lane: '' },
  holds: { key: 'hold_id', lane: 'agreement_id' },
  batches: { key: 'batch_id', lane: '' },
  batch_parts: { key: 'batch_id, no', lane: '' },
};
/** Changed by it. */
const CHANGED: Record<string, string> = { device_desired: 'device_id', locks: 'device_id' };
const KEPT = [...Object.keys(WRITTEN), ...Object.keys(CHANGED), 'audit_heads', 'idempotency_keys'];
/** What was queued for phones is carried by the server meanwhile: neither side finds what the other left. */
const EMPTIED = [...KEPT, 'deliveries'];
const MIDDLE = {
  device_id: idOf(ORG, 'phone', PHONES / 2),
  subject_id: idOf(ORG, 'phone', PHONES / 2),
  agreement_id: idOf(ORG, 'agreement', PHONES / 2),
} as const;

/**
 * 100,000 phones locked by one order, each judged by the gate, and freed by another, against the same rows written by plain set SQL that judges nothing:
 * verdicts, locks, desired state with leases, orders and what they supersede, audit chains, notices, holds and outbox.
 */
export const bulkLock: Bench = {
  name: 'bulk-lock',
  run: () =>
    onStage([{ orgId: ORG, phones: PHONES, retailers: 1, level: 2, hasBooks: false }], async ({ dataDir, port }) => {
      const http = connect(port);
      const lanes = LANES.map(() => new pg.Client(socketOf(dataDir)));
      for (const lane of lanes) lane.on('error', () => undefined);
      try {
        await Promise.all(lanes.map((lane) => lane.connect()));
        return await asOwner(dataDir, async (client) => {
          // Emptied between the rounds, they would be noted as empty, and plans made for that. Where 100,000 are locked there have been orders before.
          await client.query(EMPTIED.map((table) => `alter table ${table} set (autovacuum_enabled = off);`).join(' '));
          const lock = await measure({ client, http, lanes }, 'lock', 1.5);
          const free = await measure({ client, http, lanes }, 'unlock', 1.2);
          return [lock, free];
        });
      } finally {
        http.close();
        await Promise.all(lanes.map((lane) => lane.end()));
      }
    }),
};

interface Sides {
  client: pg.Client;
  http: Connection;
  lanes: readonly pg.Client[];
}

/** Leaves the phones as the order leaves them. */
async function measure(sides: Sides, command: 'lock' | 'unlock', atMost: number): Promise<Figure> {
  const { client } = sides;
  await client.query(KEPT.map((table) => `create table ${command}_${table} as table ${table};`).join(' '));
  await carryOut(sides, command);
  await keepMade(client, command);
  await client.query('analyze');
  const ours = async () => {
    await putBack(client, command);
    return carryOut(sides, command);
  };
  const theirs = async () => {
    await putBack(client, command);
    return floor(sides.lanes, command);
  };
  const ratio = await ratioOf(ROUNDS, ours, theirs);
  await ours();
  return {
    name: `bulk ${command} of ${PHONES.toLocaleString('en')}`,
    of: `POST ${BULK_PATH} to its last part ÷ the same rows by set SQL on ${LANES.length} connections`,
    unit: '×',
    atMost,
    ...ratio,
    detail: `${ratio.ours.toFixed(2)} s ÷ ${ratio.theirs.toFixed(2)} s`,
  };
}

/** @returns seconds from the request until all is durable */
async function carryOut({ client, http }: Sides, command: 'lock' | 'unlock'): Promise<number> {
  const startedAt = performance.now();
  const { batchId } = await askMany(http, { orgId: ORG, phones: PHONES }, command);
  await whenCarriedOut(client, batchId, PHONES);
  return (performance.now() - startedAt) / 1000;
}

/** Keeps what the order wrote, for each lane its half. */
async function keepMade(client: pg.Client, command: string): Promise<void> {
  const halves = (table: string, lane: string, condition: string): string[] =>
    LANES.map((no) => {
      const text = lane === 'subject_id' ? '' : '::uuid';
      const middle = MIDDLE[lane as keyof typeof MIDDLE];
      const mine = lane === '' ? String(no === 0) : `t.${lane} ${no === 0 ? '<=' : '>'} '${middle}'${text}`;
      return `create table made_${command}_${table}_${no} as select t.* from ${table} t where ${condition} and ${mine};
        grant select on made_${command}_${table}_${no} to kist_app;`;
    });
  const made = [
    ...Object.entries(WRITTEN).flatMap(([table, { key, lane, only = 'true' }]) =>
      halves(table, lane, `(${key}) not in (select ${key} from ${command}_${table}) and ${only}`),
    ),
    ...Object.entries(CHANGED).flatMap(([table, lane]) => halves(table, lane, 'true')),
  ];
  await client.query(made.join(' '));
  for (const no of LANES)
    await client.query(`create table made_${command}_ended_${no} as select t.command_id, t.ended_at from commands t
      join ${command}_commands w using (command_id) where t.state = 'SUPERSEDED' and w.state <> 'SUPERSEDED'
        and t.device_id ${no === 0 ? '<=' : '>'} '${MIDDLE.device_id}';
      grant select on made_${command}_ended_${no} to kist_app`);
}

async function putBack(client: pg.Client, command: string): Promise<void> {
  await client.query('begin; set local session_replication_role = replica');
  const guard = await putGuardsAside(client, EMPTIED);
  await client.query(`truncate ${EMPTIED.join(', ')}`);
  await client.query(KEPT.map((table) => `insert into ${table} select * from ${command}_${table};`).join(' '));
  await guard();
  await client.query('commit');
  for (const table of [...Object.keys(CHANGED), 'commands', 'audit_heads', 'devices', 'notices'])
    await client.query(`vacuum analyze ${table}`);
  await client.query('checkpoint');
}

const written = (made: (table: string) => string): string[] => [
  'begin',
  'set local role kist_app',
  `select set_config('kist.org_id', '${ORG}', true)`,
  `insert into batches select * from ${made('batches')}`,
  `insert into batch_parts select * from ${made('batch_parts')}`,
  `insert into holds select * from ${made('holds')}`,
  `update device_desired d set revision = m.revision, lock_level = m.lock_level, document = m.document, lease = m.lease, lease_seq = m.lease_seq,
     changed_at = m.changed_at, lock_changed_at = m.lock_changed_at from ${made('device_desired')} m where d.org_id = m.org_id and d.device_id = m.device_id`,
  `update devices d set last_seq = d.last_seq + 1 from ${made('commands')} m where d.org_id = m.org_id and d.device_id = m.device_id`,
  `update commands c set state = 'SUPERSEDED', ended_at = m.ended_at from ${made('ended')} m where c.org_id = ${ORG} and c.command_id = m.command_id`,
  `insert into commands select * from ${made('commands')}`,
  `insert into locks select * from ${made('locks')} on conflict (org_id, device_id, cause) do update set level = excluded.level, agreement_id = excluded.agreement_id,
     reason = excluded.reason, verdict_id = excluded.verdict_id, ends_at = excluded.ends_at, level_since = excluded.level_since`,
  `insert into verdicts select * from ${made('verdicts')}`,
  `select audit_append('device', array_agg(subject_id), min(actor::text)::jsonb, min(action), array_agg(data)) from ${made('audit_lines')}`,
  `insert into notices select * from ${made('notices')}`,
  `insert into outbox select * from ${made('outbox')}`,
  'commit',
];

/** @returns seconds for the same rows, as the same role under the same row-level security and guards */
async function floor(lanes: readonly pg.Client[], command: string): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    lanes.map(async (lane, no) => {
      for (const statement of written((table) => `made_${command}_${table}_${no}`)) await lane.query(statement);
    }),
  );
  return (performance.now() - startedAt) / 1000;
}
