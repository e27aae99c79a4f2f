import type pg from 'pg';
import { type Connection, appHeaders, connect, dataOf } from '#bench/lib/client.ts';
import { asOwner } from '#bench/lib/database.ts';
import { type Bench, type Figure, ratioOf } from '#bench/lib/figures.ts';
import { idOf, tokenOf } from '#bench/lib/plant.ts';
import { onStage } from '#bench/lib/stage.ts';
import { putGuardsAside } from '@kist/server/measured';

const ORG = 50;
/** Fewer for a quick look on a busy machine. */
const PHONES = Number(process.env['KIST_BENCH_PHONES'] ?? 100_000);
const ROUNDS = 3;
const PATH = '/api/device/bulk';
const WITHIN_MS = 120_000;

/** Written by a bulk lock and by nothing else here: emptied between two rounds. */
const WRITTEN = ['commands', 'batches', 'verdicts', 'audit_lines', 'audit_heads', 'outbox', 'idempotency_keys'];
/** Changed by it: put back as they were planted. */
const CHANGED = ['device_desired', 'locks', 'notices'];

/**
 * 100,000 phones locked by one request, each judged by the gate, against the same rows written by plain set SQL that judges nothing: verdicts, locks,
 * desired state with leases, orders, audit chains, notices and outbox, in one transaction.
 */
export const bulkLock: Bench = {
  name: 'bulk-lock',
  run: () =>
    onStage([{ orgId: ORG, phones: PHONES, retailers: 1, level: 2, hasBooks: false }], async ({ dataDir, port }) => {
      const http = connect(port);
      const body = JSON.stringify({
        command: 'lock',
        reason: 'EMI_OVERDUE',
        customer_ids: Array.from({ length: PHONES }, (_, n) => idOf(ORG, 'customer', n + 1)),
      });
      try {
        return await asOwner(dataDir, async (client) => {
          // Emptied between the rounds, they would be noted as empty, and plans made for that. Where 100,000 are locked there have been orders before.
          await client.query(WRITTEN.map((table) => `alter table ${table} set (autovacuum_enabled = off);`).join(' '));
          await client.query(CHANGED.map((table) => `create table bench_${table} as table ${table};`).join(' '));
          await lockAll(http, body);
          await client.query(
            [...WRITTEN, ...CHANGED].map((table) => `create table made_${table} as table ${table};`).join(' '),
          );
          await client.query('analyze');
          const ratio = await ratioOf(
            ROUNDS,
            async () => {
              await putBack(client);
              return lockAll(http, body);
            },
            async () => {
              await putBack(client);
              return floor(client);
            },
          );
          return figures(ratio);
        });
      } finally {
        http.close();
      }
    }),
};

function figures(ratio: Awaited<ReturnType<typeof ratioOf>>): Figure[] {
  return [
    {
      name: `bulk lock of ${PHONES.toLocaleString('en')}`,
      of: `POST ${PATH}, request to reply ÷ the same rows by set SQL`,
      unit: '×',
      atMost: 2,
      ...ratio,
      detail: `${ratio.ours.toFixed(2)} s ÷ ${ratio.theirs.toFixed(2)} s`,
    },
  ];
}

/** @returns seconds from the request to the reply, when all is durable */
async function lockAll(http: Connection, body: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { ...appHeaders(PATH, tokenOf(ORG, 1)), 'idempotency-key': crypto.randomUUID() };
  const { allowed } = dataOf<{ allowed: number }>(
    await http.send({ method: 'POST', path: PATH, headers, body, timeoutMs: WITHIN_MS }),
  );
  if (allowed !== PHONES) throw new Error(`${allowed} phones were locked`);
  return (performance.now() - startedAt) / 1000;
}

async function putBack(client: pg.Client): Promise<void> {
  await client.query('begin; set local session_replication_role = replica');
  const guard = await putGuardsAside(client, [...WRITTEN, ...CHANGED]);
  await client.query(`truncate ${[...WRITTEN, ...CHANGED].join(', ')}`);
  await client.query(CHANGED.map((table) => `insert into ${table} select * from bench_${table};`).join(' '));
  await guard();
  await client.query('commit');
  for (const table of [...CHANGED, 'devices']) await client.query(`vacuum analyze ${table}`);
  await client.query('checkpoint');
}

const FLOOR = [
  'begin',
  'set local role kist_app',
  `select set_config('kist.org_id', '${ORG}', true)`,
  `insert into batches select * from made_batches`,
  `update device_desired d set revision = m.revision, lock_level = m.lock_level, document = m.document, lease = m.lease, lease_seq = m.lease_seq,
     changed_at = m.changed_at, lock_changed_at = m.lock_changed_at from made_device_desired m where d.org_id = m.org_id and d.device_id = m.device_id`,
  `update devices d set last_seq = d.last_seq + 1 from made_commands m where d.org_id = m.org_id and d.device_id = m.device_id`,
  `insert into commands select * from made_commands`,
  `insert into locks select * from made_locks on conflict (org_id, device_id, cause) do update set level = excluded.level, agreement_id = excluded.agreement_id,
     reason = excluded.reason, verdict_id = excluded.verdict_id, ends_at = excluded.ends_at, level_since = excluded.level_since`,
  `insert into verdicts select * from made_verdicts where command_id is not null`,
  `select audit_append('device', array_agg(subject_id), min(actor::text)::jsonb, min(action), array_agg(data)) from made_audit_lines`,
  `insert into notices select * from made_notices where kind = 'locked'`,
  `insert into outbox select * from made_outbox`,
  'commit',
];

/** @returns seconds for the same rows, as the same role under the same row-level security */
async function floor(client: pg.Client): Promise<number> {
  await client.query(
    ['batches', 'device_desired', 'commands', 'locks', 'verdicts', 'audit_lines', 'notices', 'outbox']
      .map((table) => `grant select on made_${table} to kist_app;`)
      .join(' '),
  );
  const startedAt = performance.now();
  for (const statement of FLOOR) await client.query(statement);
  return (performance.now() - startedAt) / 1000;
}
