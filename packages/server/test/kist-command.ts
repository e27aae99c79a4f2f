import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { COMMANDS } from '#server/cli/commands.ts';
import { type Desk, type Verbs, carryOut, read } from '#server/cli/verbs.ts';
import { atEnd } from './at-end.ts';
import { type TestDatabase, createTestDatabase } from './database.ts';

/** What `kist` has verbs for, by its own table. */
export const nouns: Record<string, Verbs> = Object.fromEntries(
  Object.entries(COMMANDS).flatMap(([noun, { verbs }]) => (verbs ? [[noun, verbs]] : [])),
);
interface One {
  org_id: number;
  plan_id: number;
  change: string;
}
/** Text, or what `--json` prints: each test says by its use which. */
type Answered = One[] & One & string;

/** Where the installation says that it is. */
export const PUBLIC_URL = 'https://kist.example.in';

/** What a verb works at, on a test's database. */
export const deskOf = (db: TestDatabase): Desk => ({
  database: db,
  openOperator: () => db.operator,
  settings: { publicUrl: PUBLIC_URL },
});

/** The command line on a database of its own, with the organisations that a test makes in it. */
export async function useKist() {
  const db = await createTestDatabase();
  const desk = deskOf(db);
  const folder = mkdtempSync(path.join(tmpdir(), 'kist-verbs-'));
  atEnd(async () => rmSync(folder, { recursive: true }));

  /** As the command line runs it. @returns what `--json` prints; the text of a refusal, of help or of a mistake */
  async function kist<T = Answered>(...typed: string[]): Promise<T> {
    const [noun = '', ...args] = typed;
    try {
      const asked = read(noun, nouns[noun]!, args);
      if (typeof asked === 'string') return asked as T;
      const { lines, data, isInOrder = true } = await carryOut(desk, asked);
      expect(lines.length).toBeGreaterThan(0);
      return (isInOrder ? data : 'not in order') as T;
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}` as T;
    }
  }
  const fileOf = (value: unknown): string => {
    const file = path.join(folder, `${Math.random()}.json`);
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  return { db, kist, fileOf };
}
