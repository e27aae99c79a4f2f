import type { Client, Connection, FieldDef } from 'pg';
import type { Declared } from '#server/platform/statement.ts';

/** What PostgreSQL says of a statement that it has parsed and never run. */
interface Described {
  parameters: string[];
  columns: { name: string; type: string; isNullable: boolean }[];
}

interface Plan {
  'Node Type': string;
  'Parent Relationship'?: string;
  Operation?: string;
  'Relation Name'?: string;
  Alias?: string;
  Output?: string[];
  Filter?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'Conflict Resolution'?: string;
  Plans?: Plan[];
}

/** What the catalogue says of the tables: whose rows belong to organisations (all but the directory's, by which they are found), who owns them. */
export interface Schema {
  tenant: ReadonlySet<string>;
  owners: ReadonlyMap<string, string>;
  columns: ReadonlyMap<string, readonly string[]>;
  views: readonly string[];
}

export async function readSchema(client: Client): Promise<Schema> {
  const { rows: all } = await client.query<{
    name: string;
    kind: string;
    owner: string | null;
    is_tenant: boolean;
    columns: string[];
  }>(
    `select c.relname as name, c.relkind as kind, c.relrowsecurity as is_tenant, substring(obj_description(c.oid, 'pg_class') from '^owner: (\\w+)$') as owner,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
  );
  const rows = all.filter(({ kind }) => kind !== 'v');
  return {
    tenant: new Set(rows.filter(({ is_tenant }) => is_tenant).map(({ name }) => name)),
    owners: new Map(all.flatMap(({ name, owner }) => (owner === null ? [] : [[name, owner] as const]))),
    columns: new Map(rows.map(({ name, columns }) => [name, columns])),
    views: all.filter(({ kind }) => kind === 'v').map(({ name }) => name),
  };
}

/**
 * Holds one statement against the schema it was migrated to.
 * @param client as who sees every row: with row-level security in the way, the plan would show its conditions and not the statement's own
 * @returns what is wrong, in sentences; none when all is well
 */
export async function faultsOf(client: Client, schema: Schema, declared: Declared): Promise<string[]> {
  let described: Described;
  try {
    described = await describe(client, declared);
  } catch (error) {
    return [`PostgreSQL refuses it: ${(error as Error).message}`];
  }
  const own = declared.reach === 'one' ? ['integer'] : [];
  const takes = [...own, ...Object.values(declared.takes).map(({ sql }) => sql)];
  const faults: string[] = [];
  if (takes.join() !== described.parameters.join())
    faults.push(`takes (${takes.join(', ')}), and PostgreSQL (${described.parameters.join(', ')})`);
  faults.push(...columnFaults(declared, described));
  if (declared.sql.trimStart().startsWith('call')) return faults;
  const plan = await explain(client, declared, described.parameters.length);
  return [...faults, ...planFaults(plan, schema, declared), ...moveFaults(declared), ...viewFaults(schema, declared)];
}

/** A name in the text as PostgreSQL takes it, but for columns (`c.status`), names of an answer (`as plans`), functions, and words in quotes. */
const NAME = /'[^']*'|(?<![.\w"])(?<!\bas\s)(?:"?public"?\s*\.\s*)?"?([a-z_][a-z0-9_]*)(?![\w.(])/gi;

/** Of another slice's tables a statement reads what their owner shows of them, by a view: a plan shows the table behind it, and the text what was asked. */
function viewFaults({ columns, owners }: Schema, { name, sql }: Declared): string[] {
  const room = name.split('.')[0]!;
  const allowed = [...(READS_PAST_A_VIEW[name] ?? []), ...(WRITES_PAST_A_DOOR[name] ?? [])];
  const words = new Set([...sql.matchAll(NAME)].flatMap(([, word]) => word?.toLowerCase() ?? []));
  const read = [...words].filter((word) => columns.has(word) && owners.get(word) !== room);
  return [
    ...read.filter((table) => !allowed.includes(table)).map((table) => `reads the table ${table}, not a view of it`),
    ...allowed.filter((table) => !read.includes(table)).map((table) => `is listed with ${table} and leaves it alone`),
  ];
}

/** Parsed and described, never run: the columns it answers, and whether a plain column of a table can be null. */
async function describe(client: Client, { sql }: Declared): Promise<Described> {
  // First by the protocol, which takes one statement: of two, `prepare` would hold the first and run the second.
  const fields = await fieldsOf(client, sql);
  await client.query(`prepare held as ${sql}`);
  try {
    const { rows } = await client.query<{ parameters: string[]; types: string[] | null }>(
      `select parameter_types::text[] as parameters, result_types::text[] as types from pg_prepared_statements where name = 'held'`,
    );
    const { parameters, types } = rows[0]!;
    const nullable = await nullableOf(client, fields);
    return {
      parameters,
      columns: fields.map(({ name }, index) => ({ name, type: types![index]!, isNullable: nullable[index]! })),
    };
  } finally {
    await client.query('deallocate held');
  }
}

/** The driver runs what it describes; this asks for the description alone (PostgreSQL's protocol: Parse, Describe, Sync). */
function fieldsOf(client: Client, sql: string): Promise<FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: FieldDef[] = [];
    const submittable = {
      submit: (connection: Connection) => {
        connection.parse({ name: '', text: sql, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: (message: { fields: FieldDef[] }) => {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(submittable);
  });
}

async function nullableOf(client: Client, fields: readonly FieldDef[]): Promise<boolean[]> {
  const { rows } = await client.query<{ n: number; is_nullable: boolean }>(
    `select n::int, not a.attnotnull as is_nullable from unnest($1::oid[], $2::int2[]) with ordinality as f(tab, col, n)
     join pg_attribute a on a.attrelid = f.tab and a.attnum = f.col join pg_class c on c.oid = a.attrelid and c.relkind <> 'v'`,
    [fields.map(({ tableID }) => tableID), fields.map(({ columnID }) => columnID)],
  );
  const known = new Map(rows.map(({ n, is_nullable }) => [n - 1, is_nullable]));
  return fields.map((_field, index) => known.get(index) ?? false);
}

function columnFaults({ gives }: Declared, { columns }: Described): string[] {
  const faults: string[] = [];
  const found = new Set(columns.map(({ name }) => name));
  for (const name of Object.keys(gives)) if (!found.has(name)) faults.push(`does not answer ${name}`);
  for (const { name, type, isNullable } of columns) {
    const given = gives[name];
    if (!given) faults.push(`answers ${name}, which nobody reads`);
    else if (given.sql !== type) faults.push(`answers ${name} as ${type}, and it is read as ${given.sql}`);
    else if (isNullable && !given.isNullable && !given.isKnown) faults.push(`answers ${name}, which can be null`);
  }
  return faults;
}

async function explain(client: Client, { sql }: Declared, parameters: number): Promise<Plan> {
  const option = parameters > 0 ? 'generic_plan, ' : '';
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (${option}verbose, costs off, format json) ${sql}`,
  );
  return rows[0]!['QUERY PLAN'][0].Plan;
}

/** A condition on the organisation, whole: of the transaction, or of a row that stands under one itself. */
const BOUND: Record<Declared['reach'], RegExp> = {
  one: /^(?:(?:\w+\.)?org_id = (?:\$1|\w+\.org_id)|(?:\$1|\w+\.org_id) = (?:\w+\.)?org_id)$/,
  each: /^(?:(?:\w+\.)?org_id = (?:ANY \(\$\d+(?:::integer\[\])?\)|\$\d+|\w+\.org_id)|(?:\$\d+|\w+\.org_id) = (?:\w+\.)?org_id)$/,
  none: /^$/,
};
/**
 * What reads another slice's tables past its views: the check of the books and the night's charges, which judge what the others wrote, and a few from before every
 * slice was asked. Nothing else may; one that leaves its table alone is a fault.
 */
export const READS_PAST_A_VIEW: Record<string, readonly string[]> = {
  // The check of the books judges what the other slices wrote, and asks none of them for it.
  'ledger.agreements_behind': ['agreements'],
  'ledger.agreements_of_part': ['agreements'],
  'ledger.is_larger': ['agreements'],
  'ledger.schedule_faults': ['agreements', 'instalments', 'charges', 'penal_rules', 'payments'],
  'ledger.version_faults': ['agreements', 'instalments', 'charges'],
  'ledger.people_faults': ['agreements', 'payments', 'charges'],
  'ledger.signing_faults': ['agreements', 'penal_rules', 'counters'],
  'ledger.journal_faults': ['agreements'],
  'ledger.ledger_faults': ['agreements', 'instalments', 'charges', 'payments', 'penal_rules'],
  'ledger.house_faults': ['payments', 'wallets', 'counters', 'key_reservations'],
  'ledger.organisation_faults': ['counters'],
  'ledger.keepers_behind': ['counters', 'wallets'],
  // Whose shop an entry is of stands in its agreement.
  'ledger.own_trial_balance': ['agreements'],
  // The night's charges go slice by slice through all agreements, and their owners show views of them for screens only.
  'payments.chargeable': ['agreements'],
  'payments.take_chargeable': ['agreements'],
  'payments.overdue_instalments': ['instalments'],
  'payments.charges_of': ['charges'],
};
/** What writes another slice's table, which no door does: the demo makes users that no service may make. */
export const WRITES_PAST_A_DOOR: Record<string, readonly string[]> = { 'demo.plant_user': ['users'] };
const LOCKING_SCANS = new Set(['LockRows']);

/** A row stays with its organisation: no update and no upsert sets it. */
function moveFaults({ sql }: Declared): string[] {
  const text = sql.replaceAll(/'[^']*'/g, "''");
  const isMoved = [...text.matchAll(/\bset\b/gi)].some(({ index }) =>
    targetsOf(text.slice(index + 'set'.length)).some((target) => /\borg_id\b/i.test(target)),
  );
  return isMoved ? ['moves rows to another organisation'] : [];
}

/** What stands left of `=` in `a = 1, (b, c) = (2, 3) where …`. */
function targetsOf(list: string): string[] {
  const assignments = [''];
  let depth = 0;
  for (const [part] of list.matchAll(/\w+|\W/g)) {
    if (part === '(') depth += 1;
    if (part === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && /^(?:from|where|returning|when)$/i.test(part))) break;
    if (depth === 0 && part === ',') assignments.push('');
    else assignments[assignments.length - 1] += part;
  }
  return assignments.map((assignment) => assignment.split('=')[0]!);
}

function planFaults(plan: Plan, schema: Schema, declared: Declared): string[] {
  const faults = new Set<string>();
  const slice = declared.name.split('.')[0]!;
  walk(plan, (node) => {
    const table = node['Relation Name'];
    if (table === undefined || LOCKING_SCANS.has(node['Node Type'])) return;
    const isWritten = node['Node Type'] === 'ModifyTable';
    const owner = schema.owners.get(table);
    if (isWritten && owner !== slice && !WRITES_PAST_A_DOOR[declared.name]?.includes(table))
      faults.add(`writes ${table}, which ${owner ?? 'nobody'} owns`);
    if (!schema.tenant.has(table)) return;
    if (declared.reach === 'none') faults.add(`reaches ${table}, whose rows belong to organisations`);
    else if (isWritten) faults.add(insertFault(node, table, schema, declared));
    else if (!isBound(node, declared.reach)) faults.add(`reads ${node.Alias ?? table} without binding its org_id`);
  });
  faults.delete('');
  return [...faults];
}

function isBound(node: Plan, reach: Declared['reach']): boolean {
  const conditions = [node.Filter, node['Index Cond'], node['Recheck Cond']];
  return conditions.some(
    (condition) => condition !== undefined && termsOf(condition).some((term) => BOUND[reach].test(term)),
  );
}

/** What must all hold of a condition as PostgreSQL spells it: `((a = 1) AND (b OR c))` has two terms. What stands under an `or`, a `not` or in a function is none. */
function termsOf(condition: string): string[] {
  const terms: string[] = [];
  let depth = 0;
  let begin = 0;
  let isQuoted = false;
  let isWrapped = condition.startsWith('(');
  for (let at = 0; at < condition.length; at += 1) {
    const letter = condition[at];
    if (letter === "'") isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth > 0) continue;
    if (at < condition.length - 1) isWrapped = false;
    if (!condition.startsWith(' AND ', at)) continue;
    terms.push(condition.slice(begin, at));
    begin = at + ' AND '.length;
  }
  if (isWrapped) return termsOf(condition.slice(1, -1));
  return terms.length === 0 ? [condition] : [...terms, condition.slice(begin)].flatMap(termsOf);
}

/** What an insert puts into org_id: `$1`, or the org_id of a row that it read. */
function insertFault(node: Plan, table: string, schema: Schema, { reach }: Declared): string {
  if (node.Operation === 'Merge') return `merges into ${table}, where nobody sees with which organisation`;
  if (node.Operation !== 'Insert') return '';
  const place = schema.columns.get(table)!.indexOf('org_id');
  // Beside the rows that go in stand whatever the statement has under `with`.
  const rows = node.Plans?.find((child) => child['Parent Relationship'] === 'Outer');
  const given = rows?.Output?.[place] ?? '';
  const isRight = reach === 'one' ? /^\$1$|\borg_id$/.test(given) : /\borg_id$|^\$\d+$/.test(given);
  return isRight ? '' : `inserts into ${table} with ${given || 'no'} organisation`;
}

function walk(node: Plan, visit: (node: Plan) => void): void {
  visit(node);
  for (const child of node.Plans ?? []) walk(child, visit);
}
