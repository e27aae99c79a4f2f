import { describe, expect, test } from 'vitest';
import { readMigrations } from '#server/platform/migrate.ts';
import { migrationsDirectory } from '#test/template.ts';
import type { About } from './backup.ts';
import { assertFits } from './restore.ts';

const known = readMigrations(migrationsDirectory).map(({ version, checksum }) => ({ version, checksum }));
const fits = (about: Partial<About>, marks: About['secret_marks'] = []) =>
  assertFits(
    {
      about: {
        made_at: '2026-11-27T10:00:00Z',
        mode: 'demo',
        migrations: known,
        secret_marks: [],
        organisations: [20],
        functions: [],
        ...about,
      },
    },
    { mode: 'demo', migrationsDirectory, marks },
  );

describe('a backup fits', () => {
  test('this version and every one before it', () => {
    expect(fits({})).toEqual([]);
    expect(fits({ migrations: known.slice(0, 43) })).toEqual([]);
  });

  test('no version before its own', () => {
    const newer = { version: 9999, checksum: 'a migration of tomorrow' };
    expect(() => fits({ migrations: [...known, newer] })).toThrow('newer version of Kist (migration 9999)');
  });

  test('no version whose migrations say something else', () => {
    const changed = known.map((one, at) => (at === 7 ? { ...one, checksum: 'another text' } : one));
    expect(() => fits({ migrations: changed })).toThrow(`migration ${known[7]!.version} is not this version's`);
    const otherNumber = known.map((one, at) => (at === 7 ? { ...one, version: one.version + 0.5 } : one));
    expect(() => fits({ migrations: otherNumber })).toThrow("is not this version's");
  });

  test('its own secrets alone; those that are not here are named', () => {
    const secret_marks = [
      { name: 'agent_key', mark: 'aa' },
      { name: 'pepper', mark: 'bb' },
    ];
    expect(fits({ secret_marks })).toEqual(['agent_key', 'pepper']);
    expect(fits({ secret_marks }, [{ name: 'pepper', mark: 'bb' }])).toEqual(['agent_key']);
    expect(() => fits({ secret_marks }, [{ name: 'pepper', mark: 'cc' }])).toThrow('KIST_SECRET_PEPPER');
  });
});
