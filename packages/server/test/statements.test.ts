import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bool, int4, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import {
  crossingStatement,
  type Declared,
  declaredStatements,
  globalStatement,
  statement,
} from '#server/platform/statement.ts';
import { createTestDatabase } from './database.ts';
import { faultsOf, READS_PAST_A_VIEW, readSchema, type Schema, WRITES_PAST_A_DOOR } from './statement-check.ts';
import { asksIn, declaringFaults, isStore, nameFaults, sliceTablesIn } from './statement-sources.ts';

declare global {
  interface ImportMeta {
    glob(patterns: readonly string[], options: { eager: true }): Record<string, unknown>;
  }
}

const source = path.join(import.meta.dirname, '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);
const sources = files.map((file) => ({ file, text: readFileSync(path.join(source, file), 'utf8') }));
const code = sources.filter(({ file }) => !file.startsWith('platform/'));
// Vite writes the imports out, so that none is computed.
const loaded = import.meta.glob(['../src/**/store.ts', '../src/**/*-store.ts', '../src/**/*-sql.ts'], { eager: true });
const house = declaredStatements();

const database = await createTestDatabase();
const client = new pg.Client(database.owner);
let schema: Schema;
beforeAll(async () => {
  await client.connect();
  schema = await readSchema(client);
});
afterAll(() => client.end());

describe('statements of the house', () => {
  test('those of every store are looked at', () => {
    const stores = files.filter(isStore).map((file) => `../src/${file}`);
    expect(Object.keys(loaded).toSorted()).toEqual(stores.toSorted());
  });

  test('each fits the schema, writes only what its slice owns, and binds the organisation', async () => {
    const faults: string[] = [];
    for (const declared of house)
      for (const fault of await faultsOf(client, schema, declared)) faults.push(`${declared.name} ${fault}`);
    expect(faults).toEqual([]);
  });

  test('each has a name of its own, which begins with its slice', () => {
    const names = house.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(nameFaults(code, names)).toEqual([]);
  });

  test('the lists of what goes past views and doors name statements that there are', () => {
    const listed = [READS_PAST_A_VIEW, WRITES_PAST_A_DOOR].flatMap((list) => Object.keys(list));
    expect(listed.filter((name) => !house.some((declared) => declared.name === name))).toEqual([]);
  });

  test('every table and every view has an owner', () => {
    expect([...schema.columns.keys(), ...schema.views].filter((name) => !schema.owners.has(name))).toEqual([]);
  });
});

/** How often files ask the database by statements that are not declared yet. Files and numbers only shrink: the command-plane and the ledger issues convert what is theirs. */
const NOT_YET: Record<string, number> = {
  'commands/reconcile.ts': 4,
  'commands/store.ts': 7,
  'commands/timeline-store.ts': 2,
  'devices/agent-clock.ts': 1,
  'devices/agent-plane.ts': 1,
  'devices/changes.ts': 2,
  'devices/checkin.ts': 2,
  'devices/earlier-key.ts': 1,
  'devices/enrolment-store.ts': 14,
  'devices/phone-keys.ts': 1,
  'devices/store.ts': 10,
  'devices/wake.ts': 2,
  'locking/facts-store.ts': 8,
  'locking/invariants.ts': 2,
  'locking/ladder-store.ts': 5,
  'locking/lock-story-store.ts': 4,
  'locking/notice-run-store.ts': 1,
  'locking/store.ts': 19,
  'locking/taking-store.ts': 2,
  'notices/store.ts': 16,
};
/** `isUnfinished` of the demo: asked by the owner of the tables while it boots, who has no transaction of an organisation, and of whom nothing is served. */
const BY_THE_OWNER = { 'demo/store.ts': 1 };
/** Whether a database serves anybody yet, and that an emptied organisation is gone: both before or beside any slice. */
const BY_THE_PLATFORM = {
  'platform/erase-organisation.ts': ['org_directory'],
  'platform/installation.ts': ['org_directory'],
};
/** What is called a query and asks no database: that of a call over HTTP, and that of an address to pay at. */
const OTHER_QUERIES = { 'locking/screen.ts': 2, 'reports/customer-list.ts': 2, 'reports/dashboard.ts': 7 };

describe('SQL stands in stores', () => {
  test('whatever asks the database is a declared statement', () => {
    const asking = code.map((one) => [one.file, asksIn(one)] as const).filter(([, times]) => times > 0);
    expect(Object.fromEntries(asking)).toEqual({ ...NOT_YET, ...BY_THE_OWNER, ...OTHER_QUERIES });
  });

  test('statements are declared in stores, by their own functions', () => {
    expect(code.flatMap(declaringFaults)).toEqual([]);
  });

  test('the platform asks for no slice’s table', () => {
    const asked = sources
      .filter(({ file }) => file.startsWith('platform/'))
      .map((one) => [one.file, sliceTablesIn(one, schema.owners)] as const);
    expect(Object.fromEntries(asked.filter(([, tables]) => tables.length > 0))).toEqual(BY_THE_PLATFORM);
    const text = 'client.query(`update wallets set lot = lot`); tx.query("select from outbox join users u on true");';
    expect(sliceTablesIn({ file: 'platform/clock.ts', text }, schema.owners)).toEqual(['wallets', 'users']);
  });

  test.each([
    ['wallet/wallet.ts', 'await tx.query("select 1");'],
    ['wallet/wallet.ts', 'const q = tx.query; await q.call(tx, "select 1");'],
    ['wallet/wallet.ts', `await tx['query']('select 1');`],
    ['wallet/wallet.ts', 'await tx[`query`]("select 1");'],
    ['wallet/wallet.ts', 'await tx.query /* so */ ("select 1");'],
    ['wallet/wallet.ts', 'const { query: ask } = tx;'],
    ['wallet/wallet.ts', 'const ask = ({ query }: Tx) => query("select 1");'],
    ['wallet/store.ts', `const from = '/*'; await tx.query('select 1'); const to = '*/';`],
    ['http/routes/money.ts', 'await tx.query /* so */ ("select 1");'],
    ['http/routes/money.ts', 'const q = tx?.query;'],
    ['http/routes/money.ts', `await tx['query']('select 1');`],
    ['http/routes/money.ts', 'const { query: ask } = tx;'],
    ['http/routes/money.ts', 'const ask = ({ query }: Tx) => query("select 1");'],
    ['http/routes/money.ts', 'const ask = ({ query: q }: Pick<Tx, "orgId">) => q("select 1");'],
    ['wallet/wallet.ts', 'const ask = tx.query.bind(tx); await ask("select 1");'],
    ['jobs/sweep.ts', 'const client = new pg.Client(url); await client.query(`select 1`);'],
  ])('a question past the stores in %s: %s', (file, text) => {
    expect(asksIn({ file, text })).toBeGreaterThan(0);
  });

  test('what is asked once more in a file of the list is seen', () => {
    const one = code.find(({ file }) => file === 'notices/store.ts')!;
    expect(asksIn({ ...one, text: `${one.text}\ntx.query('select 1');` })).toBe(asksIn(one) + 1);
  });

  test.each([
    ['http/routes/money.ts', `const at = request.query; endpoint.query; call['query'] = { ...query };`],
    ['wallet/store.ts', '// tx.query(…) asks\nconst a = 1;'],
  ])('what asks nothing in %s: %s', (file, text) => {
    expect(asksIn({ file, text })).toBe(0);
  });

  test.each([
    ['wallet/wallet.ts', `import { statement as say } from '#server/platform/statement.ts';`, 'another name'],
    ['wallet/store.ts', `import { statement as say } from '#server/platform/statement.ts';`, 'another name'],
    ['wallet/wallet.ts', `import { statement } from '#server/platform/statement.ts';`, 'is no store'],
    ['wallet/store.ts', `import * as all from '#server/platform/statement.ts';`, 'takes all'],
    ['wallet/store.ts', `export { statement } from '#server/platform/statement.ts';`, 'takes all'],
    ['wallet/store.ts', `const all = await import('#server/platform/statement.ts');`, 'takes all'],
    ['wallet/wallet.ts', `const a = statement /* so */ ({ name: 'wallet.a', text });`, 'declares a statement'],
  ])('a statement declared out of sight in %s: %s', (file, text, fault) => {
    expect(declaringFaults({ file, text }).join()).toContain(fault);
  });

  test.each([
    ['a slice’s own', `const a = statement({ name: 'wallet.a' })`, ['wallet.a'], []],
    [
      'a family of a slice’s own',
      `export const a = statementFamily<In, Out>({\n  name: 'wallet.a' })`,
      ['wallet.a#1', 'wallet.a#2'],
      [],
    ],
    ['another slice’s', `const a = statement({ name: 'identity.a' })`, ['identity.a'], ['wallet/store.ts: identity.a']],
    [
      'one that is no plain text',
      `const N = 'identity.a'; const a = statement({ name: N })`,
      ['identity.a'],
      ['wallet/store.ts declares a statement out of sight', 'identity.a stands in no store as a plain name'],
    ],
    [
      'one that is put together when a function is called, and so never looked at',
      'const ask = (name: string) => statement({ name, text });',
      [],
      ['wallet/store.ts declares a statement out of sight'],
    ],
    [
      'one under a plain name that is declared when a function is called',
      `const ask = () => statement({ name: 'wallet.a', text });`,
      [],
      ['wallet/store.ts declares a statement out of sight'],
    ],
    [
      'a declaring function by an alias',
      `const say = statement;\nsay({ name: 'identity.a' });`,
      ['identity.a'],
      ['wallet/store.ts declares a statement out of sight', 'identity.a stands in no store as a plain name'],
    ],
    [
      'a plain name that nobody declares',
      `const a = statement({ name: 'wallet.a' })`,
      [],
      ['wallet/store.ts: nobody declares wallet.a'],
    ],
    [
      'two under one name',
      `const a = statement({ name: 'wallet.a' })\nconst b = statement({ name: 'wallet.a' })`,
      ['wallet.a', 'wallet.a'],
      ['wallet/store.ts: wallet.a stands elsewhere too'],
    ],
  ])('a name in wallet/store.ts: %s', (_what, text, declared, faults) => {
    expect(nameFaults([{ file: 'wallet/store.ts', text }], declared)).toEqual(faults);
  });
});

describe('the check sees', () => {
  const planted: [string, () => Declared, RegExp][] = [
    [
      'a parameter of another type',
      () =>
        statement({
          name: 'wallet.a',
          takes: { user_id: text },
          gives: { lot: text },
          text: 'select lot from wallets where org_id = $1 and user_id = $user_id',
        }),
      /operator does not exist: uuid = text/,
    ],
    [
      'a column of another type',
      () => statement({ name: 'wallet.b', gives: { lot: int4 }, text: 'select lot from wallets where org_id = $1' }),
      /answers lot as text, and it is read as integer/,
    ],
    [
      'a column that is not there',
      () =>
        statement({
          name: 'wallet.c',
          gives: { lot: text, paid: bool },
          text: 'select lot from wallets where org_id = $1',
        }),
      /does not answer paid/,
    ],
    [
      'a column that nobody reads',
      () => statement({ name: 'wallet.d', text: 'select lot from wallets where org_id = $1' }),
      /answers lot, which nobody reads/,
    ],
    [
      'a null that the reader does not expect',
      () =>
        statement({
          name: 'wallet.e',
          gives: { settled_at: timestamptz },
          text: 'select settled_at from key_reservations where org_id = $1',
        }),
      /answers settled_at, which can be null/,
    ],
    [
      'a table that is not there',
      () => statement({ name: 'wallet.f', text: 'delete from purses where org_id = $1' }),
      /PostgreSQL refuses it: relation "purses" does not exist/,
    ],
    [
      'two statements in one',
      () =>
        statement({
          name: 'wallet.p',
          gives: { lot: text },
          text: 'select lot from wallets where org_id = $1; update users set is_active = false',
        }),
      /PostgreSQL refuses it: cannot insert multiple commands into a prepared statement/,
    ],
    [
      'a read of a tenant table without its organisation',
      () =>
        statement({
          name: 'wallet.g',
          takes: { user_id: uuid },
          gives: { lot: text, mine: int4 },
          text: 'select lot, $1::int as mine from wallets where user_id = $user_id',
        }),
      /reads wallets without binding its org_id/,
    ],
    ...[
      'org_id = $1 or available > 0',
      'not coalesce(org_id = $1, false)',
      'not org_id = $1',
      'user_id is not null and (org_id = $1 or available > 0)',
      '(available > 0 and org_id = $1 and plan_type = 1) or (available > 1 and plan_type = 2)',
    ].map((condition, index): [string, () => Declared, RegExp] => [
      `a condition that does not bind the organisation: ${condition}`,
      () =>
        statement({
          name: `wallet.unbound_${index}`,
          gives: { lot: text },
          text: `select lot from wallets where ${condition}`,
        }),
      /reads wallets without binding its org_id/,
    ]),
    [
      'a join that leaves the organisation out on one side',
      () =>
        statement({
          name: 'wallet.h',
          gives: { lot: text },
          text: 'select w.lot from users u left join wallets w on w.user_id = u.user_id where u.org_id = $1',
        }),
      /reads w without binding its org_id/,
    ],
    [
      'an insert for another organisation',
      () =>
        statement({
          name: 'wallet.i',
          takes: { user_id: uuid },
          text: `insert into wallets (org_id, user_id, plan_type, lot) select $1 + 1, $user_id, 1, 'paid'`,
        }),
      /inserts into wallets with .* organisation/,
    ],
    [
      'a merge, whose plan does not show what it inserts',
      () =>
        statement({
          name: 'wallet.o',
          takes: { user_id: uuid },
          text: `merge into wallets w using (select $1::int as org_id) o on w.org_id = o.org_id and w.org_id = $1
            when not matched then insert (org_id, user_id, plan_type, lot) values (o.org_id + 1, $user_id, 1, 'paid')`,
        }),
      /merges into wallets/,
    ],
    [
      'a write to another slice’s table',
      () =>
        statement({
          name: 'wallet.j',
          takes: { user_id: uuid },
          text: 'update users set is_active = false where org_id = $1 and user_id = $user_id',
        }),
      /writes users, which identity owns/,
    ],
    [
      'a write to another slice’s table inside a with',
      () =>
        statement({
          name: 'wallet.k',
          gives: { one: int4 },
          text: 'with gone as (delete from users where org_id = $1) select 1 as one',
        }),
      /writes users, which identity owns/,
    ],
    [
      'a global statement on a tenant table',
      () => globalStatement({ name: 'wallet.l', gives: { lot: text }, text: 'select lot from wallets' }),
      /reaches wallets, whose rows belong to organisations/,
    ],
    [
      'a report of another slice’s table',
      () =>
        statement({
          name: 'reports.a',
          gives: { plans: int4 },
          text: 'select count(*)::int as plans from users_view u left join (users_view m join plans p on p.org_id = m.org_id) on m.org_id = u.org_id where u.org_id = $1',
        }),
      /^reads the table plans, not a view of it$/,
    ],
    [
      'a report of a table in a list',
      () =>
        statement({
          name: 'reports.b',
          gives: { name: text },
          text: `select u.name from users_view u, plans where u.org_id = $1 and plans.org_id = $1 and u.name <> 'plans'`,
        }),
      /^reads the table plans, not a view of it$/,
    ],
    ...['public.users', 'USERS', '"users"', '"public" . "users"', 'Public.Users'].map(
      (table, index): [string, () => Declared, RegExp] => [
        `a report of a table by another spelling: ${table}`,
        () =>
          statement({
            name: `reports.spelled_${index}`,
            gives: { user_id: uuid },
            text: `select user_id from ${table} where org_id = $1`,
          }),
        /^reads the table users, not a view of it$/,
      ],
    ),
    [
      'a slice that reads a table of another',
      () =>
        statement({
          name: 'wallet.n',
          gives: { user_id: uuid },
          text: 'select user_id from users where org_id = $1',
        }),
      /^reads the table users, not a view of it$/,
    ],
    [
      'a listed statement that leaves the table alone',
      () =>
        statement({
          name: 'payments.charges_of',
          gives: { lot: text },
          text: 'select lot from wallets where org_id = $1',
        }),
      /is listed with charges and leaves it alone/,
    ],
    ...[
      'update wallets set org_id = $1 + 1 where org_id = $1',
      'update wallets set lot = lot, "org_id" = $1 where org_id = $1',
      'update wallets set (lot, ORG_ID) = (lot, $1 + 1) where org_id = $1',
      'insert into wallets (org_id, user_id, plan_type, lot) select $1, user_id, 1, lot from wallets where org_id = $1 on conflict (org_id, user_id, plan_type, lot) do update set org_id = $1 + 1',
      'with moved as (update wallets set org_id = $1 + 1 where org_id = $1) select',
    ].map((words, index): [string, () => Declared, RegExp] => [
      `a row that leaves its organisation: ${words}`,
      () => statement({ name: `wallet.moved_${index}`, text: words }),
      /moves rows to another organisation/,
    ]),
    [
      'a crossing statement that joins without the organisation',
      () =>
        crossingStatement({
          name: 'wallet.m',
          takes: { org_id: int4 },
          gives: { lot: nullable(text) },
          text: 'select w.lot from users u left join wallets w on w.user_id = u.user_id where u.org_id = $org_id',
        }),
      /reads w without binding its org_id/,
    ],
  ];

  test.each(planted)('%s', async (_what, declare, fault) => {
    expect((await faultsOf(client, schema, declare())).join('; ')).toMatch(fault);
  });
});
