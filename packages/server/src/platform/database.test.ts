import { beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { addToDirectory } from '#test/directory.ts';
import { DatabaseAwayError } from './database-errors.ts';
import { openDatabase } from './database.ts';
import type { Tx } from './database.ts';
import { int8 } from './column-types.ts';
import { append } from './outbox.ts';
import { statement } from './statement.ts';

const database = await createTestDatabase();
await addToDirectory(database, 20, 21, 22, 30, 40, 41);

const count = async (tx: Tx) => (await tx.query<{ n: number }>('select count(*) as n from outbox')).rows[0]?.n;
const note = (tx: Tx) => append(tx, { topic: 'database.test', payload: {} });

beforeAll(async () => {
  await database.transaction(20, note);
  await database.transaction(21, note);
});

describe('one organisation a transaction', () => {
  test('each sees its own rows only; without one, or as an organisation without rows, nothing is there', async () => {
    expect(await database.read(20, count)).toBe(1);
    expect(await database.read(21, count)).toBe(1);
    expect(await database.read(22, count)).toBe(0);
    expect(await database.unscoped(count)).toBe(0);
  });

  test('a declared statement of an organisation is refused where there is none, not asked of a nought', async () => {
    const all = statement({ name: 'database_test.all', gives: { n: int8 }, text: 'select $1::int8 as n' });
    expect(await database.read(20, (tx) => all.one(tx, {}))).toEqual({ n: 20 });
    await expect(database.unscoped((tx) => all.all(tx, {}))).rejects.toThrow(/needs a transaction of an organisation/);
  });

  test('a row for another organisation cannot be written', async () => {
    const foreign = database.transaction(20, (tx) =>
      tx.query(`insert into outbox (org_id, id, topic, payload) values (21, gen_random_uuid(), 't', '{}')`),
    );
    await expect(foreign).rejects.toThrow(/row-level security/);
    await expect(database.unscoped(note)).rejects.toThrow(/null value|row-level security/);
  });

  test('the organisation is gone with its transaction, on the same connection', async () => {
    const one = openDatabase({ connection: database.serving, onIdleError: () => undefined, appConnections: 1 });
    try {
      await one.transaction(20, count);
      expect(await one.unscoped(count)).toBe(0);
      const failing = one.transaction(20, () => Promise.reject(new Error('no')));
      await expect(failing).rejects.toThrow('no');
      expect(await one.unscoped(count)).toBe(0);
    } finally {
      await one.close();
    }
  });

  test('what a read has begun to see stays as it was until it ends, whatever others commit meanwhile', async () => {
    await database.read(30, async (tx) => {
      const before = await count(tx);
      await database.transaction(30, note);
      expect([before, await count(tx)]).toEqual([0, 0]);
    });
    expect(await database.read(30, count)).toBe(1);
    await database.asOwner('delete from outbox where org_id = 30');
  });

  test('what is no positive 32-bit integer never reaches SQL', async () => {
    for (const orgId of [0, -1, 1.5, Number.NaN, 2 ** 31, "20'; drop table outbox; --" as unknown as number]) {
      expect(() => database.transaction(orgId, count)).toThrow(TypeError);
    }
  });

  test('the phones’ role crosses organisations on the tables it was granted, and only there', async () => {
    expect(await database.device(count)).toBe(2);
    await expect(database.device((tx) => tx.query('select * from idempotency_keys'))).rejects.toThrow(
      /permission denied/,
    );
    const org = await database.device(async (tx) => (await tx.query('select kist_org() as org')).rows[0], 21);
    expect(org).toEqual({ org: 21 });
  });

  test.each(['appPool', 'devicePool'] as const)(
    '%s runs without superuser, without bypassing security, owning nothing',
    async (pool) => {
      const { rows } = await database[pool].query(
        `select rolsuper or rolbypassrls or rolcreaterole as mighty, (select count(*) from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = current_user`,
      );
      expect(rows).toEqual([{ mighty: false, owned: 0 }]);
    },
  );
});

describe('commit and rollback', () => {
  test('an error takes everything back, and the connection serves again', async () => {
    const failing = database.transaction(30, async (tx) => {
      await note(tx);
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await database.read(30, count)).toBe(0);
  });

  test('a transaction that failed inside never counts as committed, though its error was swallowed', async () => {
    const swallowing = database.transaction(30, async (tx) => {
      await note(tx);
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow(/rolled back/);
    expect(await database.read(30, count)).toBe(0);
  });

  test('hints run after a commit, never after a rollback', async () => {
    const hints: string[] = [];
    await database.transaction(30, async (tx) => tx.afterCommit(() => hints.push('committed')));
    const failing = database.transaction(30, async (tx) => {
      tx.afterCommit(() => hints.push('rolled back'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(hints).toEqual(['committed']);
  });

  test('a kept transaction is dead: it cannot speak into the next one on its connection', async () => {
    let kept: Tx | undefined;
    await database.transaction(20, async (tx) => {
      kept = tx;
      await tx.query('select from outbox');
    });
    expect(() => kept!.query('select 1')).toThrow(/ended/);
  });

  test('a connection killed in the middle fails its transaction, not the process, and the pool recovers', async () => {
    const killed = database.transaction(20, async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await database.asOwner('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await tx.query('select 1');
    });
    await expect(killed).rejects.toBeInstanceOf(DatabaseAwayError);
    expect(await database.read(20, count)).toBe(1);
  });

  test('a read cannot write', async () => {
    await expect(database.read(20, note)).rejects.toThrow(/read-only transaction/);
  });

  test('two transactions in deadlock both succeed: the loser runs again', async () => {
    await database.asOwner(
      'create table deadlock (id int primary key, n int not null); insert into deadlock values (1, 0), (2, 0); grant all on deadlock to kist_app',
    );
    const add = (first: number, second: number) => {
      let tries = 0;
      return database.transaction(20, async (tx) => {
        tries += 1;
        await tx.query('update deadlock set n = n + 1 where id = $1', [first]);
        await tx.query('select pg_sleep(0.2)');
        await tx.query('update deadlock set n = n + 1 where id = $1', [second]);
        return tries;
      });
    };
    const tries = await Promise.all([add(1, 2), add(2, 1)]);
    expect(Math.max(...tries)).toBe(2);
    expect(Math.min(...tries)).toBe(1);
    expect(await database.asOwner('select n from deadlock order by id')).toEqual([{ n: 2 }, { n: 2 }]);
  });
});

describe('statements asked for at once', () => {
  const word = 'select $1::text as said';

  test('run in their order, each with its own answer, prepared ones too', async () => {
    const said = await database.read(20, async (tx) => {
      const asked = Array.from({ length: 50 }, (_, n) =>
        tx.query<{ said: string }>(word, [String(n)], n % 2 === 0 ? 'database.test.word' : undefined),
      );
      return (await Promise.all(asked)).map(({ rows }) => rows[0]!.said);
    });
    expect(said).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  });

  test('fail from the first failure on, nothing of them stays, and the connection is good for the next', async () => {
    const one = openDatabase({ connection: database.serving, onIdleError: () => undefined, appConnections: 1 });
    try {
      const before = await one.read(20, count);
      const outcomes: string[] = [];
      const failing = one.transaction(20, async (tx) => {
        const asked = [note(tx), tx.query('select 1 / 0'), note(tx)];
        for (const { status } of await Promise.allSettled(asked)) outcomes.push(status);
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(outcomes).toEqual(['fulfilled', 'rejected', 'rejected']);
      expect(await one.read(20, count)).toBe(before);
    } finally {
      await one.close();
    }
  });
});

describe('values', () => {
  test('arrive as documented: bigint number, date text, instant Date, numeric text, arrays alike', async () => {
    const { rows } = await database.appPool.query(
      `select 9007199254740991::bigint as big, date '2026-03-01' as day, timestamptz '2026-03-01T00:00:00Z' as at, 1.10::numeric as n,
       array[1, 2]::bigint[] as bigs, array[date '2026-03-01', null] as days, interval '1 day' as span, null::bigint as none`,
    );
    expect(rows).toEqual([
      {
        big: Number.MAX_SAFE_INTEGER,
        day: '2026-03-01',
        at: new Date('2026-03-01T00:00:00Z'),
        n: '1.10',
        bigs: [1, 2],
        days: ['2026-03-01', null],
        span: '1 day',
        none: null,
      },
    ]);
  });

  test('a bigint beyond the safe range throws instead of rounding an amount', async () => {
    await expect(database.appPool.query('select 9007199254740992::bigint')).rejects.toThrow(RangeError);
  });
});
