import { describe, expect, test } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { addToDirectory } from '#test/directory.ts';
import * as audit from './audit.ts';

const db = await createTestDatabase();
await addToDirectory(db, 20, 21, 22);
const actor: audit.AuditActor = { userId: newId(), userType: 'retailer', sessionId: newId(), ip: '10.0.0.1' };
const line = (id: string, n: number) =>
  db.transaction(20, (tx) =>
    audit.append(tx, {
      kind: 'agreement',
      id,
      actor,
      action: 'tested',
      data: { n, text: 'ü\u0001"\\', deep: { b: 1, a: [1.5] } },
    }),
  );
const check = (id: string, orgId = 20) => db.read(orgId, (tx) => audit.verify(tx, 'agreement', id));

describe('the audit chain', () => {
  test('of a subject holds whole, also when many write at once, and none is whole too', async () => {
    const id = newId();
    await line(id, 0);
    await Promise.all(Array.from({ length: 25 }, (_, n) => line(id, n + 1)));
    expect(await check(id)).toEqual({ ok: true });
    const { rows } = await db.read(20, (tx) =>
      tx.query(
        'select count(*)::int as n, max(seq)::int as last, (array_agg(actor))[1] as actor from audit_lines where subject_id = $1',
        [id],
      ),
    );
    expect(rows[0]).toEqual({
      n: 26,
      last: 26,
      actor: { user_id: actor.userId, user_type: 'retailer', session_id: actor.sessionId, ip: '10.0.0.1' },
    });
    expect(await check(newId())).toEqual({ ok: true });
  });

  test('looks every head up by its key in a mass action, also by a plan that was made while there were few', async () => {
    await db.plant(['audit_heads'], 'truncate audit_heads');
    await db.asOwner('analyze audit_heads');
    await db.transaction(20, async (tx) => {
      const append = (count: number) => {
        const ids = Array.from({ length: count }, newId);
        return audit.appendMany(
          tx,
          'device',
          ids,
          actor,
          'bulk',
          ids.map(() => ({})),
        );
      };
      // From the sixth time on a connection keeps the plan it has.
      for (let time = 0; time < 12; time += 1) await append(1);
      for (let part = 0; part < 3; part += 1) await append(2000);
      await tx.query('select pg_stat_force_next_flush()');
    });
    const heads = () =>
      db.asOwner<{ written: number; readWhole: number }>(
        `select n_tup_ins::int as written, seq_tup_read::int as "readWhole" from pg_stat_user_tables where relname = 'audit_heads'`,
      );
    // Counts arrive a moment after the commit.
    await expect.poll(async () => (await heads())[0]?.written).toBeGreaterThanOrEqual(6000);
    expect((await heads())[0]?.readWhole).toBeLessThan(1000);
  });

  test('takes one line for each of many subjects in one statement, and refuses what would break a chain', async () => {
    const ids = Array.from({ length: 500 }, newId);
    const first = ids[0] ?? '';
    for (const action of ['bulk_one', 'bulk_two'])
      await db.transaction(20, (tx) =>
        audit.appendMany(
          tx,
          'device',
          ids,
          actor,
          action,
          ids.map((_, n) => ({ n })),
        ),
      );
    for (const id of ids.slice(0, 20))
      expect(await db.read(20, (tx) => audit.verify(tx, 'device', id))).toEqual({ ok: true });
    await expect(
      db.transaction(20, (tx) => audit.appendMany(tx, 'device', [first, first], actor, 'x', [{}, {}])),
    ).rejects.toThrow(RangeError);
    await expect(db.transaction(20, (tx) => audit.appendMany(tx, 'device', [first], actor, 'x', []))).rejects.toThrow(
      RangeError,
    );
    await db.transaction(20, (tx) => audit.appendMany(tx, 'device', [], actor, 'x', []));
  });

  test.each([
    ['a changed word', 'update audit_lines set data = $2::jsonb where subject_id = $1 and seq = 3', '{"n":9}', 3],
    [
      'another actor',
      'update audit_lines set actor = $2::jsonb where subject_id = $1 and seq = 2',
      '{"user_id":"x"}',
      2,
    ],
    [
      'another moment',
      'update audit_lines set at = at + $2::interval where subject_id = $1 and seq = 4',
      '1 microsecond',
      4,
    ],
    ['a line cut out', 'delete from audit_lines where subject_id = $1 and seq = $2::int', '2', 2],
    ['the end cut off', 'delete from audit_lines where subject_id = $1 and seq > $2::int', '3', 4],
    [
      'the end cut off with its head',
      `with cut as (delete from audit_lines where subject_id = $1 and seq > $2::int) update audit_heads set seq = 3 where subject_id = $1`,
      '3',
      4,
    ],
    ['everything deleted', 'delete from audit_lines where subject_id = $1 and seq >= $2::int', '1', 1],
  ])('shows %s by the number of the first line that does not fit', async (_what, statement, value, badSeq) => {
    const id = newId();
    for (let n = 1; n <= 5; n++) await line(id, n);
    await db.plant(['audit_lines', 'audit_heads'], statement, [id, value]);
    expect(await check(id)).toEqual({ ok: false, bad_seq: badSeq });
  });

  test('can not be rewritten by the application, and is seen by its own organisation only', async () => {
    const id = newId();
    await line(id, 1);
    await expect(
      db.transaction(20, (tx) => tx.query(`update audit_lines set action = 'x' where subject_id = $1`, [id])),
    ).rejects.toThrow(/permission denied/);
    await expect(
      db.transaction(20, (tx) => tx.query('delete from audit_lines where subject_id = $1', [id])),
    ).rejects.toThrow(/permission denied/);
    const { rows } = await db.read(21, (tx) => tx.query('select 1 from audit_lines where subject_id = $1', [id]));
    expect(rows).toEqual([]);
  });
});
