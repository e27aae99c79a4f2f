import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const source = path.join(import.meta.dirname, '../src');
const DOOR_IMPORT = /^import \{([^}]*)\} from '#server\/([a-z]+)\/\2\.ts';$/gm;

/** The functions that a file takes out of another slice's door by name. Types and constants are named, factories are called once by the composition root. */
function takenByName(text: string): string[] {
  return [...text.matchAll(DOOR_IMPORT)]
    .flatMap(([, names = '', slice]) => names.split(',').map((name) => ({ name: name.trim(), slice })))
    .filter(({ name, slice }) => slice !== 'demo' && /^[a-z]\w*$/.test(name) && !/^create[A-Z]/.test(name))
    .map(({ name, slice }) => `${slice}.${name}`);
}

test('a function of another slice is called through the name of its slice', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const taken = files.flatMap((file) =>
    takenByName(readFileSync(path.join(source, file), 'utf8')).map((name) => `${file} takes ${name}`),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(taken).toEqual([]);
});

test.each([
  [`import { record } from '#server/payments/payments.ts';`, ['payments.record']],
  [`import { type Actor, requires, SYSTEM } from '#server/identity/identity.ts';`, ['identity.requires']],
  [`import {\n  open,\n  type Account,\n} from '#server/agreements/agreements.ts';`, ['agreements.open']],
  [`import { createPayments } from '#server/payments/payments.ts';`, []],
  [`import * as payments from '#server/payments/payments.ts';`, []],
])('%j is seen for what it is', (line, names) => expect(takenByName(line)).toEqual(names));
