import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from './database.ts';
import { readSchema } from './statement-check.ts';
import { asksIn, declaringFaults, nameFaults, sliceTablesIn } from './statement-sources.ts';

const source = path.join(import.meta.dirname, '../src');
const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(source, file), 'utf8') }));
const code = sources.filter(({ file }) => !file.startsWith('platform/'));

const client = new pg.Client((await createTestDatabase()).owner);
await client.connect();
const schema = await readSchema(client).finally(() => client.end());

/** How often files ask the database by statements that are not declared, and why. Files and numbers only shrink. */
const NOT_YET: Record<string, readonly [times: number, because: string]> = {
  'commands/adapters/android-agent/agent-clock.ts': [
    1,
    'the time alone, by the phones’ pool, where an adapter has no store',
  ],
  'commands/checkin.ts': [
    2,
    'texts that are written out from the table of orders and that the bench prepares word for word',
  ],
  'commands/earlier-key.ts': [1, 'the same texts again, for a key whose phone enrolled anew'],
  'commands/keys-store.ts': [1, 'one of two texts, by which name a phone has'],
  'commands/reconcile.ts': [
    2,
    'the phones’ role on rows of many organisations, healed by a text of the table of orders',
  ],
  'commands/store.ts': [5, 'parts of the table of orders, and rows by the thousand in the driver’s own form'],
  'commands/timeline-store.ts': [2, 'one reading of four slices’ tables'],
  'commands/wake.ts': [2, 'NOTIFY and LISTEN: no rows'],
  'devices/changes.ts': [2, 'the phones’ role across organisations, and a claim that is planned by what it is given'],
  'devices/enrolment-store.ts': [7, 'what an enrolment finds decides the next of its statements'],
  'devices/store.ts': [
    10,
    'the facts of a lock are columns of three of its own readings, of which one reads the state of an agreement',
  ],
  'locking/facts-store.ts': [8, 'one text for one phone, for many and for a cursor; it reads seven slices at once'],
  'locking/invariants.ts': [
    2,
    'each check’s own text, asked by the owner’s client too, that a check may not trust the server',
  ],
  'locking/ladder-store.ts': [
    5,
    'what may rise, by instalments and policies of all running agreements: no view shows them by their indexes',
  ],
  'locking/lock-timeline-store.ts': [1, 'one reading of what other slices wrote down of one agreement'],
  'locking/notice-run-store.ts': [1, 'one reading of what falls due and what was told of it'],
  'locking/store.ts': [
    6,
    'rows by the thousand in the driver’s own form, and what reads or writes another slice’s tables for one decision',
  ],
  'notices/store.ts': [16, 'rows by the thousand, and one text for one addressee or many'],
};
const TIMES_NOT_YET = Object.fromEntries(Object.entries(NOT_YET).map(([file, [times]]) => [file, times]));
/** `isUnfinished` of the demo: asked by the owner of the tables while it boots, who has no transaction of an organisation, and of whom nothing is served. */
const BY_THE_OWNER = { 'demo/store.ts': 1 };
/** Whether a database serves anybody yet, that an emptied organisation is gone, and which a demo has: before or beside any slice. */
const BY_THE_PLATFORM = {
  'platform/erase-organisation.ts': ['org_directory', 'org_directory'],
  'platform/installation.ts': ['org_directory'],
};
/** What is called a query and asks no database: that of a call over HTTP, and that of an address to pay at. */
const OTHER_QUERIES = { 'reports/customer-list.ts': 2, 'reports/dashboard.ts': 7 };

describe('SQL stands in stores', () => {
  test('whatever asks the database is a declared statement', () => {
    const asking = code.map((one) => [one.file, asksIn(one)] as const).filter(([, times]) => times > 0);
    expect(Object.fromEntries(asking)).toEqual({ ...TIMES_NOT_YET, ...BY_THE_OWNER, ...OTHER_QUERIES });
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
