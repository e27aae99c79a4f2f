import { type Socket, createConnection, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { DatabaseAwayError, isTransient, statementError } from './database-errors.ts';
import { openDatabase } from './database.ts';

const db = await createTestDatabase();

const withCode = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('told by the server', 0, 'error'), { code });

describe('a database that is away is called so, however it is noticed', () => {
  test.each(['57P01', '57P02', '57P03', '57P05', '08006', '53300', '25P03', '25P04', '58030'])(
    'PostgreSQL ends the connection with %s',
    (code) => expect(statementError(withCode(code))).toBeInstanceOf(DatabaseAwayError),
  );

  test.each([
    new Error('Connection terminated unexpectedly'),
    new Error('Client has encountered a connection error and is not queryable'),
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]),
  ])('%s', (error) => expect(statementError(error)).toBeInstanceOf(DatabaseAwayError));

  test('what a statement did wrong stays what it is', () => {
    for (const error of [
      withCode('23505'),
      withCode('42601'),
      withCode('40001'),
      new TypeError('values'),
      new SyntaxError('json'),
    ])
      expect(statementError(error)).toBe(error);
  });

  test('a cause deep inside counts, a mistake does not', () => {
    const away = new DatabaseAwayError(new Error('gone'));
    expect(isTransient(new Error('outer', { cause: new Error('inner', { cause: away }) }))).toBe(true);
    expect(isTransient(new AggregateError([new Error('other'), away]))).toBe(true);
    expect(isTransient(new Error('outer', { cause: withCode('40P01') }))).toBe(true);
    for (const error of [new Error('Connection terminated unexpectedly'), withCode('23505'), 'text', undefined, null])
      expect(isTransient(error)).toBe(false);
  });
});

describe('from real pools', () => {
  const open = (connection: object) =>
    openDatabase({ connection: { ...db.owner, ...connection }, onIdleError: () => undefined, appConnections: 1 });

  test.each([
    ['no socket', { host: '/nonexistent' }],
    ['nobody listens', { host: '127.0.0.1', port: 9 }],
    ['no such database', { database: 'nobody_made_this' }],
  ])('%s', async (_name, connection) => {
    const away = open(connection);
    await expect(away.read(20, (tx) => tx.query('select 1'))).rejects.toBeInstanceOf(DatabaseAwayError);
    await expect(away.devicePool.query('select 1')).rejects.toBeInstanceOf(DatabaseAwayError);
    await away.close();
    await expect(away.ping()).rejects.toBeInstanceOf(DatabaseAwayError);
  });

  test('lost while the commit is under way, or in any statement before', async () => {
    const one = open({});
    const loseAt = (at: 'statement' | 'commit') =>
      one.transaction(20, async (tx) => {
        const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        await db.asOwner('select pg_terminate_backend($1)', [rows[0]?.pid]);
        if (at === 'statement') await tx.query('select 1');
      });
    await expect(loseAt('statement')).rejects.toBeInstanceOf(DatabaseAwayError);
    await expect(loseAt('commit')).rejects.toBeInstanceOf(DatabaseAwayError);
    await expect(one.ping()).resolves.toBeUndefined();
    await one.close();
  });

  test('a server that says nothing any more, in the middle of a transaction: the request is answered, and the next finds a new connection', async () => {
    const { host = '', port = 5432 } = db.owner;
    const sockets: Socket[] = [];
    let isSilent = false;
    const between = createServer((near) => {
      const far = createConnection(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
      sockets.push(near, far);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on('data', (bytes) => isSilent || to.write(bytes));
        from.on('close', () => to.destroy());
        from.on('error', () => to.destroy());
      }
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => between.once('listening', resolve));
    const hanging = openDatabase({
      connection: { ...db.owner, host: '127.0.0.1', port: (between.address() as AddressInfo).port },
      onIdleError: () => undefined,
      statementTimeoutMs: 100,
    });
    const startedAt = performance.now();
    const cut = hanging.transaction(20, async (tx) => {
      await tx.query('select 1');
      isSilent = true;
      await tx.query('select 2');
    });
    await expect(cut).rejects.toBeInstanceOf(DatabaseAwayError);
    // The limit of one statement and the silence after it, not that twice for the rollback.
    expect(performance.now() - startedAt).toBeLessThan(9000);
    isSilent = false;
    await expect(hanging.ping()).resolves.toBeUndefined();
    await hanging.close();
    sockets.forEach((socket) => socket.destroy());
    between.close();
  });

  test('a statement after one that failed says why the first did', async () => {
    const run = db.transaction(20, async (tx) => {
      await tx.query('select 1 / 0').catch(() => undefined);
      await tx.query('select 1');
    });
    await expect(run).rejects.toThrow(/division by zero/);
  });

  test('a deadlock whose error somebody swallowed is tried again like any other', async () => {
    let tries = 0;
    const run = db.transaction(20, async (tx) => {
      tries += 1;
      if (tries === 1)
        await tx.query(`do $$ begin raise exception 'lost' using errcode = '40P01'; end $$`).catch(() => undefined);
      return tries;
    });
    await expect(run).resolves.toBe(2);
  });
});
