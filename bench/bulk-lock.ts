import pg from 'pg';
import { type Connection, connect } from '#bench/lib/client.ts';
import { asOwner, socketOf } from '#bench/lib/database.ts';
import { type Bench, type Figure, median, ratioOf } from '#bench/lib/figures.ts';
import { BULK_PATH, askMany, whenCarriedOut } from '#bench/lib/many.ts';
import { onStage } from '#bench/lib/stage.ts';
import { putGuardsAside } from '@kist/server/measured';

const ORG = 50;
/** Fewer for a quick look on a busy machine. */
const PHONES = Number(process.env['KIST_BENCH_PHONES'] ?? 100_000);
const ROUNDS = 3;
/** Phones of one part, as the product cuts its orders, and how many parts it carries out at once; the other side does the same. */
const PART = 100;
const PARTS = Math.ceil(PHONES / PART);
const LANES = [0, 1] as const;

/** Written by an order to many, with what names a row; and of which phone or agreement it is, so that each part has its own. */
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
          const locks = await measure({ client, http, lanes }, 'lock', 1.5);
          return [...locks, ...(await measure({ client, http, lanes }, 'unlock', 1.2))];
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

/**
 * Plain set SQL is one statement after the other on one connection: that is the floor. Beside it, without a limit, what as many connections as the product
 * uses make of the same rows. Leaves the phones as the order leaves them.
 */
async function measure(sides: Sides, command: 'lock' | 'unlock', atMost: number): Promise<Figure[]> {
  const { client } = sides;
  await client.query(KEPT.map((table) => `create table ${command}_${table} as table ${table};`).join(' '));
  await carryOut(sides, command);
  await keepMade(client, command);
  await client.query('analyze');
  const ours = async () => {
    await putBack(client, command);
    return carryOut(sides, command);
  };
  const together: number[] = [];
  const theirs = async () => {
    await putBack(client, command);
    together.push(await floor(sides.lanes, command));
    await putBack(client, command);
    return floor(sides.lanes.slice(0, 1), command);
  };
  const ratio = await ratioOf(ROUNDS, ours, theirs);
  await ours();
  const name = `bulk ${command} of ${PHONES.toLocaleString('en')}`;
  const of = `POST ${BULK_PATH} to its last part ÷ the same rows by set SQL in the same parts on`;
  const besides = median(together);
  return [
    {
      name,
      of: `${of} one connection`,
      unit: '×',
      atMost,
      ...ratio,
      detail: `${ratio.ours.toFixed(2)} s ÷ ${ratio.theirs.toFixed(2)} s`,
    },
    {
      name: `${name}, beside ${LANES.length} connections`,
      of: `${of} ${LANES.length} connections, as many as the order has`,
      unit: '×',
      value: ratio.ours / besides,
      detail: `${ratio.ours.toFixed(2)} s ÷ ${besides.toFixed(2)} s; no limit`,
    },
  ];
}

/** @returns seconds from the request until all is durable */
async function carryOut({ client, http }: Sides, command: 'lock' | 'unlock'): Promise<number> {
  const { batchId, startedAt } = await askMany(http, client, { orgId: ORG, phones: PHONES }, command);
  await whenCarriedOut(client, batchId, PHONES);
  return (performance.now() - startedAt) / 1000;
}

/** `o` and `t` are one row. A join, where `not in` would go through all that was there for each row as soon as that is too large to be hashed. */
const same = (key: string): string =>
  key
    .split(', ')
    .map((column) => `o.${column} = t.${column}`)
    .join(' and ');

/** Keeps what the order wrote, each row with the number of the part that wrote it: so many phones in the order of their ids. */
async function keepMade(client: pg.Client, command: string): Promise<void> {
  await client.query(
    `create table ${command}_part_of as select d.device_id, d.agreement_id, (row_number() over (order by d.device_id) - 1) / ${PART} as part
     from agreements d where org_id = ${ORG}`,
  );
  const made = (table: string, lane: string, rows: string): string => {
    const part =
      lane === ''
        ? `(row_number() over () - 1) % ${PARTS}`
        : `(select w.part from ${command}_part_of w where w.${lane === 'subject_id' ? 'device_id::text' : lane} = t.${lane})`;
    return `create table made_${command}_${table} as select t.*, ${part} as part from ${rows};
      create index on made_${command}_${table} (part); grant select on made_${command}_${table} to kist_app;`;
  };
  await client.query(
    `create index on ${command}_part_of (device_id); create index on ${command}_part_of ((device_id::text)); create index on ${command}_part_of (agreement_id); analyze ${command}_part_of`,
  );
  for (const [table, { key, lane, only = 'true' }] of Object.entries(WRITTEN))
    await client.query(
      made(
        table,
        lane,
        `${table} t where not exists (select from ${command}_${table} o where ${same(key)}) and ${only}`,
      ),
    );
  for (const [table, lane] of Object.entries(CHANGED)) await client.query(made(table, lane, `${table} t`));
  await client.query(
    made(
      'ended',
      'device_id',
      `(select n.device_id, n.command_id, n.ended_at from commands n join ${command}_commands w using (command_id) where n.state = 'SUPERSEDED' and w.state <> 'SUPERSEDED') t`,
    ),
  );
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

/** What is written when the order is asked, and the statements of one part, each asked of the part's number. */
const written = async (
  client: pg.Client,
  made: (table: string) => string,
): Promise<{ asked: string[]; part: string[] }> => {
  const { rows } = await client.query<{ tab: string; names: string }>(
    `select table_name as tab, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names from information_schema.columns
     where table_schema = 'public' and table_name = any($1) and is_generated = 'NEVER' group by 1`,
    [[...Object.keys(WRITTEN), ...Object.keys(CHANGED)]],
  );
  const namesOf = new Map(rows.map(({ tab, names }) => [tab, names]));
  const whole = (table: string): string =>
    `insert into ${table} (${namesOf.get(table)}) select ${namesOf.get(table)} from ${made(table)}`;
  const insert = (table: string): string => `${whole(table)} where part = $1`;
  const part = [
    insert('holds'),
    `update device_desired d set revision = m.revision, lock_level = m.lock_level, document = m.document, lease = m.lease, lease_seq = m.lease_seq,
     changed_at = m.changed_at, lock_changed_at = m.lock_changed_at from ${made('device_desired')} m
     where m.part = $1 and d.org_id = m.org_id and d.device_id = m.device_id`,
    `update devices d set last_seq = d.last_seq + 1 from ${made('commands')} m where m.part = $1 and d.org_id = m.org_id and d.device_id = m.device_id`,
    `update commands c set state = 'SUPERSEDED', ended_at = m.ended_at from ${made('ended')} m where m.part = $1 and c.org_id = ${ORG} and c.command_id = m.command_id`,
    insert('commands'),
    `${insert('locks')} on conflict (org_id, device_id, cause) do update set level = excluded.level, agreement_id = excluded.agreement_id,
     reason = excluded.reason, verdict_id = excluded.verdict_id, ends_at = excluded.ends_at, level_since = excluded.level_since`,
    insert('verdicts'),
    `select audit_append('device', array_agg(subject_id), min(actor::text)::jsonb, min(action), array_agg(data)) from ${made('audit_lines')} where part = $1`,
    insert('notices'),
    insert('outbox'),
  ];
  return { asked: [whole('batches'), whole('batch_parts')], part };
};

/**
 * The same rows in the same parts, as the same role under the same row-level security and guards: whoever pays for one of these phones waits for no more than a
 * part, as with the product.
 * @returns seconds for all of them
 */
async function floor(lanes: readonly pg.Client[], command: string): Promise<number> {
  const statements = await written(lanes[0]!, (table) => `made_${command}_${table}`);
  const begin = `begin; set local role kist_app; select set_config('kist.org_id', '${ORG}', true)`;
  const startedAt = performance.now();
  for (const text of [begin, ...statements.asked, 'commit']) await lanes[0]!.query(text);
  let next = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      for (let part = next++; part < PARTS; part = next++) {
        await lane.query(begin);
        for (const [no, text] of statements.part.entries())
          await lane.query({ name: `${command}_${no}`, text, values: [part] });
        await lane.query('commit');
      }
    }),
  );
  return (performance.now() - startedAt) / 1000;
}
