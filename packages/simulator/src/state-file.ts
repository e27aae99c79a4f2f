import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface StateFile<T> {
  load: () => T | undefined;
  save: (value: T) => void;
}

/**
 * One JSON file that only its owner reads; written aside and renamed, so a kill leaves the old one or the new one.
 * @param dir undefined: nothing survives
 */
export function stateFile<T>(dir: string | undefined, name: string): StateFile<T> {
  if (dir === undefined) return { load: () => undefined, save: () => {} };
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, name);
  return {
    load: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined),
    save: (value) => {
      writeFileSync(`${file}.tmp`, JSON.stringify(value), { mode: 0o600 });
      renameSync(`${file}.tmp`, file);
    },
  };
}
