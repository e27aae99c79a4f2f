import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Identity knows shops, and no phones: what its phones say of a shop follows in sales alone. */
test('a shop is suspended, let in again and given another number by no other door', () => {
  const source = path.join(import.meta.dirname, '..');
  const naked = globSync('**/*.ts', { cwd: source })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('identity'))
    .filter((file) =>
      /\bidentity\.(suspendPerson|activatePerson|updatePerson)\(/.test(readFileSync(path.join(source, file), 'utf8')),
    );
  // The command line gives and takes words, which are on no phone.
  expect(naked.toSorted()).toEqual([path.join('cli', 'people-verbs.ts'), path.join('sales', 'shops.ts')]);
});
