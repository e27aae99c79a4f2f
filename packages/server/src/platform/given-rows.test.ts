import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { givenRows } from './given-rows.ts';
import { textArray } from './text-array.ts';

const db = await createTestDatabase();

interface Row {
  id: string | null;
  name: string | null;
  is_on: boolean | null;
  count: number | null;
  day: string | null;
  at: string | null;
  loose: object | null;
  exact: object | null;
}
const ROWS = givenRows<Row>({
  id: 'uuid',
  name: 'text',
  is_on: 'boolean',
  count: 'integer',
  day: 'date',
  at: 'timestamptz',
  loose: 'json',
  exact: 'jsonb',
});

/** No NUL, which PostgreSQL's text can not hold, and whole characters only. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((made) => made.replaceAll('\0', '')),
  fc.constantFrom('', 'NULL', '{}', '{"a","b"}', '\\', '"', "'", ' ', 'नमस्ते', '📱', 'a\nb'),
);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const row: fc.Arbitrary<Row> = fc.record({
  id: orNull(fc.uuid()),
  name: orNull(text),
  is_on: orNull(fc.boolean()),
  count: orNull(fc.integer()),
  day: orNull(fc.constantFrom('2024-02-29', '2026-11-22')),
  at: orNull(fc.constantFrom('2026-11-22T06:30:00.000Z')),
  loose: orNull(fc.record({ said: text, deep: fc.record({ list: fc.array(fc.integer()) }) })),
  exact: orNull(fc.record({ said: text })),
});

test('rows arrive as they were given, in their order, whatever they say', async () => {
  const back = `select id, name, is_on, count, day::text, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, loose, exact
    from ${ROWS.from}`;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40 }), async (rows) => {
      const { rows: found } = await db.appPool.query(back, await ROWS.parameters(rows));
      expect(found).toEqual(rows);
    }),
    { numRuns: 200 },
  );
});

test('an array of texts is the same array, the empty one too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(orNull(text), { maxLength: 60 }), async (values) => {
      const { rows } = await db.appPool.query('select $1::text[] as list', [textArray(values)]);
      expect(rows[0].list).toEqual(values);
    }),
    { numRuns: 200 },
  );
});

test('long texts of letters that take three bytes each arrive whole', async () => {
  const values = [3_000, 5_000, 40_000].map((length) => 'क'.repeat(length));
  const { rows } = await db.appPool.query('select $1::text[] as list', [textArray(values)]);
  expect(rows[0].list).toEqual(values);
});

test('a value that does not fit its type is an error of the database, and the connection goes on', async () => {
  const bad = await ROWS.parameters([
    { id: 'no id', name: '', is_on: null, count: null, day: null, at: null, loose: null, exact: null },
  ]);
  await expect(db.appPool.query(`select id from ${ROWS.from}`, bad)).rejects.toMatchObject({ code: '22P02' });
  expect((await db.appPool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('under row-level security 1,000 given rows are found by the index of a large table', async () => {
  await db.asOwner(`
    create table many (org_id integer, id uuid, count integer, primary key (org_id, id));
    alter table many enable row level security;
    create policy own on many using (org_id = kist_org());
    grant select, update on many to kist_app;
    insert into many select 20, gen_random_uuid(), 0 from generate_series(1, 50000);
    analyze many;`);
  const given = givenRows<{ id: string; count: number }>({ id: 'uuid', count: 'integer' });
  const rows = Array.from({ length: 1000 }, (_, count) => ({ id: crypto.randomUUID(), count }));
  await db.transaction(20, async (tx) => {
    const { rows: plan } = await tx.query<{ 'QUERY PLAN': string }>(
      `explain update many m set count = given.count from ${given.from} where m.org_id = kist_org() and m.id = given.id`,
      await given.parameters(rows),
    );
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index Cond: .*\(id = given\.id\)/);
  });
});
