import type pg from 'pg';
import { putGuardsAside, runDay } from '@kist/server/measured';
import { checkFigures } from '#bench/lib/check.ts';
import type { Bench, Figure } from '#bench/lib/figures.ts';
import { BOOK, type House, PER_SHOP, inHouse } from '#bench/lib/house.ts';
import { plantShops } from '#bench/lib/plant-shops.ts';

const ORG = 50;
const MINUTES = 10;
/** What the day wrote → which of its rows are the day's, in an order that the database takes. `$since` is the moment before it. */
const WRITTEN: Record<string, string> = {
  journals: `kind = 'penal_charged'`,
  journal_lines: `journal_id in (select journal_id from journals where kind = 'penal_charged')`,
  charges: 'true',
  notices: 'created_at >= $since',
  commands: 'created_at >= $since',
  outbox: 'true',
  audit_lines: 'at >= $since',
  audit_heads: 'true',
};
/** Written in one statement, as the product does and the database asks: a journal comes with its lines. */
const TOGETHER = ['journals', 'journal_lines', 'charges'];
/** What it changed of rows that were there: a new lease, a new number for the phone's next order. */
const CHANGED = {
  device_desired: {
    rows: 'lease_seq > 1',
    key: 'device_id',
    sets: ['document', 'lease', 'lease_seq', 'revision', 'changed_at'],
  },
  devices: { rows: 'last_seq > 0', key: 'device_id', sets: ['last_seq'] },
};

/**
 * The check of a million agreements, and one day of them, shortly after midnight: penal charges of everybody who is late long enough, reminders and notices, the ladder over all
 * who are late, leases made anew, and the checks of what moved. Against it the same rows by set SQL that judges nothing.
 */
export const dailyRun: Bench = {
  name: 'daily-run',
  run: () =>
    inHouse(async (house) => {
      const { owner } = house;
      // Five past midnight in India: nothing is locked at night, as in the product's own run.
      await owner.query(
        `update clock_offset set shift = (kist_today() + 1)::timestamp - interval '5 hours 25 minutes' - (now() at time zone 'utc')`,
      );
      await plantShops(owner, { orgId: ORG, agreements: BOOK, shops: Math.ceil(BOOK / PER_SHOP) });
      const check = await checkFigures(house, ORG);
      const day = await live(house);
      const writing = day.seconds.penal + day.seconds.notices + day.seconds.locks;
      const floor = await floorOf(owner, day.since);
      return [...check, ...figures(day, writing, floor)];
    }),
};

interface Day {
  since: Date;
  total: number;
  seconds: Record<'penal' | 'notices' | 'locks' | 'checks', number>;
  results: Record<string, Record<string, unknown>>;
}

async function live({ services, owner }: House): Promise<Day> {
  const since = await nowOf(owner);
  const startedAt = performance.now();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  await runDay({ ...services, log }, ORG);
  const total = (performance.now() - startedAt) / 1000;
  const { rows } = await owner.query<{ step: string; at: Date; result: Record<string, unknown> }>(
    `select step, finished_at as at, result from daily_steps where org_id = ${ORG} and finished_at >= $1 order by finished_at`,
    [since],
  );
  const seconds: Record<string, number> = {};
  let from = since.getTime();
  for (const { step, at } of rows) {
    seconds[step] = (at.getTime() - from) / 1000;
    from = at.getTime();
  }
  const results = Object.fromEntries(rows.map(({ step, result }) => [step, result]));
  const { differences, violations } = results['checks'] as { differences: string[]; violations: { detail: string }[] };
  // Planted payments have no line in the audit: nobody made them.
  const wrong = violations.filter(({ detail }) => detail !== 'payment without a line');
  if (differences.length + wrong.length > 0)
    throw new Error(`the day left something off: ${JSON.stringify([...differences, ...wrong]).slice(0, 400)}`);
  return { since, total, seconds: seconds as Day['seconds'], results };
}

const nowOf = async (owner: pg.Client): Promise<Date> =>
  (await owner.query<{ now: Date }>('select kist_now() as now')).rows[0]!.now;

function figures(
  { total, seconds, results }: Day,
  writing: number,
  floor: { seconds: number; rows: number },
): Figure[] {
  const steps = Object.entries(seconds).map(([step, took]) => `${step} ${took.toFixed(1)} s`);
  const { penal, notices, locks } = results;
  return [
    {
      name: 'daily run',
      of: 'penal, notices and ladder ÷ the same rows by set SQL, as rates',
      value: floor.seconds / writing,
      unit: '×',
      atLeast: 0.5,
      detail: `${floor.rows.toLocaleString('en')} rows: ${writing.toFixed(1)} s ÷ ${floor.seconds.toFixed(1)} s`,
    },
    {
      name: `a day of ${BOOK.toLocaleString('en')} agreements`,
      of: 'all steps, the checks among them',
      value: total / 60,
      unit: 'min',
      atMost: MINUTES,
      detail: `${steps.join(', ')}; ${String(penal?.['charged'])} charges, ${String(notices?.['sent'])} messages, ${String(locks?.['looked'])} phones looked at, ${String(locks?.['renewed'])} leases`,
    },
  ];
}

/** Takes what the day wrote away and writes it again by set SQL, as the same role under the same row-level security and guards. @returns seconds for it */
async function floorOf(owner: pg.Client, since: Date): Promise<{ seconds: number; rows: number }> {
  const literal = `'${since.toISOString()}'::timestamptz`;
  for (const [table, which] of Object.entries(WRITTEN))
    await owner.query(
      `create unlogged table made_${table} as select * from ${table} where org_id = ${ORG} and ${which.replace('$since', literal)}; grant select on made_${table} to kist_app`,
    );
  for (const [table, { rows }] of Object.entries(CHANGED))
    await owner.query(
      `create unlogged table made_${table} as select * from ${table} where ${rows}; grant select on made_${table} to kist_app`,
    );
  await owner.query('begin; set local session_replication_role = replica');
  const putBack = await putGuardsAside(owner, Object.keys(WRITTEN));
  for (const [table, which] of Object.entries(WRITTEN).toReversed())
    await owner.query(`delete from ${table} where org_id = ${ORG} and ${which.replace('$since', literal)}`);
  await putBack();
  await owner.query('commit');
  await owner.query('vacuum analyze');
  return write(owner);
}

async function write(owner: pg.Client): Promise<{ seconds: number; rows: number }> {
  const { rows: columns } = await owner.query<{ tab: string; names: string }>(
    `select table_name as tab, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names from information_schema.columns
     where table_schema = 'public' and table_name = any($1) and column_name <> 'txid' and is_generated = 'NEVER' group by 1`,
    [Object.keys(WRITTEN)],
  );
  const namesOf = new Map(columns.map(({ tab, names }) => [tab, names]));
  const insert = (table: string): string => {
    // A journal is of the transaction that its lines come in, and of its moment.
    const names = namesOf.get(table)!;
    return `insert into ${table} (${names}) select ${names.replace(/\bposted_at\b/, 'kist_now()')} from made_${table}`;
  };
  const together = `with ${TOGETHER.map((table) => `of_${table} as (${insert(table)})`).join(', ')} select`;
  let rows = 0;
  for (const table of TOGETHER)
    rows += (await owner.query<{ n: number }>(`select count(*)::int as n from made_${table}`)).rows[0]!.n;
  const startedAt = performance.now();
  await owner.query(`begin; set local role kist_app; select set_config('kist.org_id', '${ORG}', true)`);
  await owner.query(together);
  for (const table of Object.keys(WRITTEN))
    if (!TOGETHER.includes(table)) rows += (await owner.query(insert(table))).rowCount ?? 0;
  for (const [table, { key, sets }] of Object.entries(CHANGED)) {
    const values = sets.map((column) => `${column} = m.${column}`).join(', ');
    const where = `t.org_id = m.org_id and t.${key} = m.${key}`;
    rows += (await owner.query(`update ${table} t set ${values} from made_${table} m where ${where}`)).rowCount ?? 0;
  }
  await owner.query('commit');
  return { seconds: (performance.now() - startedAt) / 1000, rows };
}
