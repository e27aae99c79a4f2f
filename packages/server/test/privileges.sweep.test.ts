import { describe, expect, test } from 'vitest';
import { createTestDatabase } from './database.ts';
import { MAY } from './privileges.ts';

const db = await createTestDatabase();

const tables = await db.asOwner<{ name: string; columns: string[] }>(
  `select c.relname as name, array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by 1 order by 1`,
);

/** What the server's account is answered: no row is touched, so what is not refused does nothing. */
async function answer(sql: string): Promise<string> {
  try {
    await db.appPool.query(sql);
    return 'done';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // 23001: a guard of the table speaks where the grant does not.
    return code === '42501' || code === '23001' ? 'refused' : message;
  }
}

test('every table says what the server’s account may do to it', () => {
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(MAY).toSorted());
});

describe.each(tables)('the server’s account and $name', ({ name, columns }) => {
  const may = MAY[name] ?? {};

  test('is emptied by nobody', async () => {
    expect(await answer(`truncate ${name} cascade`)).toBe('refused');
  });

  test('deletes only what may go', async () => {
    const isGranted = await granted(name, 'delete');
    expect([isGranted, await answer(`delete from ${name} where false`)]).toEqual(
      may.delete ? [true, 'done'] : [false, 'refused'],
    );
  });

  test('writes rows only where it may', async () => {
    expect(await granted(name, 'insert')).toBe(may.insert ?? false);
    if (!may.insert) expect(await answer(`insert into ${name} default values`)).toBe('refused');
  });

  test('changes only the columns that may change', async () => {
    const outcomes: Record<string, string> = {};
    for (const column of columns) {
      outcomes[column] = await answer(`update ${name} set ${column} = ${column} where false`);
    }
    const mayChange = (column: string) => may.update === 'any' || (may.update?.includes(column) ?? false);
    // What only a trigger writes is granted, for it writes with the rights of who is there; the guard refuses the rest.
    const isGuarded = ['key_balances', 'document_totals'].includes(name);
    expect(outcomes).toEqual(
      Object.fromEntries(columns.map((column) => [column, mayChange(column) && !isGuarded ? 'done' : 'refused'])),
    );
    const known = may.update === 'any' ? [] : (may.update ?? []);
    expect(known.filter((column) => !columns.includes(column))).toEqual([]);
  });
});

const granted = async (table: string, what: 'insert' | 'delete'): Promise<boolean> => {
  const has = what === 'insert' ? 'has_any_column_privilege' : 'has_table_privilege';
  const [row] = await db.asOwner<{ yes: boolean }>(`select ${has}('kist_app', $1, $2) as yes`, [table, what]);
  return row!.yes;
};
