import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atEnd } from './at-end.ts';

/** A new folder, gone after the test file. */
export function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'kist-test-'));
  atEnd(() => rmSync(made, { recursive: true }));
  return made;
}
