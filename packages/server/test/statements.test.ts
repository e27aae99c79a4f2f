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
import { isStore, nameFaults } from './statement-sources.ts';

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
// Modules are loaded once for all files of a worker: what another test declared before stands there too, under the name of a test.
const house = declaredStatements().filter(({ name }) => !/^[a-z]+_test\./.test(name));

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
