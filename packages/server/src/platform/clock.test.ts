import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import {
  ClockMovedError,
  assertRealClock,
  businessOn,
  clockOffsetSeconds,
  now,
  setClockOffset,
  today,
} from './clock.ts';

const database = await createTestDatabase();

test('the date of the business turns at Indian midnight, 18:30 UTC', () => {
  expect(businessOn(new Date('2026-03-31T18:29:59.999Z'))).toBe('2026-03-31');
  expect(businessOn(new Date('2026-03-31T18:30:00.000Z'))).toBe('2026-04-01');
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
      (instant) => {
        const expected = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(instant);
        expect(businessOn(instant)).toBe(expected);
      },
    ),
  );
});

describe('the product’s clock', () => {
  test('is the transaction’s start: one moment for all its decisions', async () => {
    const [first, second] = await database.read(20, async (tx) => {
      const before = await now(tx);
      await tx.query('select pg_sleep(0.05)');
      return [before, await now(tx)];
    });
    expect(first).toEqual(second);
    expect(Math.abs((first?.getTime() ?? 0) - Date.now())).toBeLessThan(10_000);
  });

  test('moved in a transaction is moved for the rest of that transaction', async () => {
    const moved = await database.operator.unscoped(async (tx) => {
      const before = await now(tx);
      await setClockOffset(tx, 3600);
      const after = await now(tx);
      await setClockOffset(tx, 0);
      return after.getTime() - before.getTime();
    });
    expect(moved).toBe(3_600_000);
  });

  test('moved meanwhile moves for those that begin later: no transaction sees two', async () => {
    const move = (by: string) => database.asOwner(`update clock_offset set shift = shift + $1::interval`, [by]);
    const asked = `select kist_now() as now, kist_today()::text as today`;
    await database.transaction(20, async (tx) => {
      const { rows: before } = await tx.query(asked);
      await move('1 day');
      await database.transaction(20, async (later) => {
        const moved = (await later.query(asked)).rows;
        await move('1 day');
        expect([moved, (await tx.query(asked)).rows]).toEqual([(await later.query(asked)).rows, before]);
        expect(moved[0]!['today'] > before[0]!['today']).toBe(true);
      });
    });
    await move('-2 days');
  });

  test('is moved by no word of the account that serves', async () => {
    const after = (ms: string) => database.asOwner(`update clock_offset set shift = shift + $1::interval`, [ms]);
    await after('1 day');
    await after('-1 day');
    const [{ moves }] = (await database.asOwner<{ moves: number }>('select moves from clock_offset')) as [
      { moves: number },
    ];
    const offBy = (name: string) =>
      database.transaction(20, async (tx) => {
        await tx.query(`select set_config('kist.clock', $1, true)`, [name]);
        const { rows } = await tx.query<{ off: number }>(
          'select extract(epoch from kist_now() - now() - shift)::int as off from clock_offset',
        );
        return rows[0]!.off;
      });
    for (const name of ['', '-1', '999', 'x', String(moves), '1970-01-01'])
      expect([name, await offBy(name)]).toEqual([name, 0]);
    // What ended a minute ago is nobody's any more.
    await database.plant(['clock_offset'], `update clock_offset set moved_at = moved_at - interval '2 minutes'`);
    expect(await offBy(String(moves - 1))).toBe(0);
  });

  test('moved by the demo moves everywhere at once, and production refuses to start on it', async () => {
    await database.unscoped(assertRealClock);
    await database.operator.unscoped((tx) => setClockOffset(tx, 45 * 86_400));
    const moved = await database.read(20, now);
    expect(moved.getTime() - Date.now()).toBeGreaterThan(44.9 * 86_400_000);
    expect(await database.read(20, today)).toBe(businessOn(moved));
    expect(await database.unscoped(clockOffsetSeconds)).toBe(45 * 86_400);
    await expect(database.unscoped(assertRealClock)).rejects.toThrow(ClockMovedError);
  });
});
