import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { CHART, JOURNAL_KINDS } from './chart.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/ledger.md'), 'utf8');

test('docs/ledger.md lists each account as the chart has it, with what posts to it', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \| (debit|credit) \| (organisation|user) \| (INR|KEY) \| (.+) \|$/gm)];
  expect(Object.fromEntries(listed.map(([, code, side, owner, unit]) => [code, { side, owner, unit }]))).toEqual(
    Object.fromEntries(Object.entries(CHART).map(([code, { side, owner, unit }]) => [code, { side, owner, unit }])),
  );
  for (const [, , , , , posts] of listed) expect(posts!.length).toBeGreaterThan(10);
});

test('docs/ledger.md lists each kind of journal, and the database knows the names that its journals bear', async () => {
  const journals = /^## Journals\n([^]*?)\n\n/m.exec(page)![1]!;
  const listed = [...journals.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, kinds]) => kinds!.match(/\w+/g) ?? []);
  // Told with what it takes back, and two of a migration.
  expect(new Set([...listed, 'refund_withdrawn'])).toEqual(
    new Set([...JOURNAL_KINDS, 'dimensions_given', 'lots_given']),
  );
  const db = await createTestDatabase();
  const kindsIn = async (name: string) => {
    const [{ body }] = (await db.asOwner<{ body: string }>(`select prosrc as body from pg_proc where proname = $1`, [
      name,
    ])) as [{ body: string }];
    return new Set(Array.from(body.matchAll(/when '(\w+)' then/g), ([, kind]) => kind));
  };
  expect(await kindsIn('journal_is_named')).toEqual(new Set(JOURNAL_KINDS));
  expect(await kindsIn('journal_moves')).toEqual(new Set(JOURNAL_KINDS));
});
