import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CHART } from './chart.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/ledger.md'), 'utf8');

test('docs/ledger.md lists each account as the chart has it, with what posts to it', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \| (debit|credit) \| (organisation|user) \| (INR|KEY) \| (.+) \|$/gm)];
  expect(Object.fromEntries(listed.map(([, code, side, owner, unit]) => [code, { side, owner, unit }]))).toEqual(
    Object.fromEntries(Object.entries(CHART).map(([code, { side, owner, unit }]) => [code, { side, owner, unit }])),
  );
  for (const [, , , , , posts] of listed) expect(posts!.length).toBeGreaterThan(10);
});
