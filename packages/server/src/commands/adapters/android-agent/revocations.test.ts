import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRevocations } from './revocations.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kist-revoked-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('certificates that were taken back are known from the file, also when it is fetched anew; a broken one changes nothing and is told', () => {
  const file = path.join(folder, 'status.json');
  const errors: unknown[] = [];
  let day = 0;
  const publish = (text: string) => {
    writeFileSync(file, text);
    utimesSync(file, (day += 1), day);
  };
  const isRevoked = createRevocations(file, (error) => errors.push(error));
  expect([isRevoked('abc'), errors.length]).toEqual([false, 1]);
  publish('{"entries": {"0ABC": {"status": "REVOKED", "reason": "KEY_COMPROMISE"}}}');
  expect([isRevoked('abc'), isRevoked('def')]).toEqual([true, false]);
  publish('{"entries": {"def": {"status": "SUSPENDED"}}}');
  expect([isRevoked('abc'), isRevoked('def'), errors.length]).toEqual([false, true, 1]);
  publish('<html>');
  expect([isRevoked('def'), errors.length]).toEqual([true, 2]);
  publish('{}');
  expect([isRevoked('def'), errors.length]).toEqual([true, 3]);
});

test('without a file none is', () => expect(createRevocations(undefined, () => undefined)('abc')).toBe(false));
