import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COLUMNS } from './import-columns.ts';

it('the runbook has the columns of a book as they are read', () => {
  const page = readFileSync(new URL('../../../../docs/runbook.md', import.meta.url), 'utf8');
  const rows = Object.entries(COLUMNS).map(
    ([name, { isNeeded, says }]) => `| \`${name}\` | ${isNeeded ? 'yes' : ''} | ${says} |`,
  );
  expect(page).toContain(rows.join('\n'));
});
