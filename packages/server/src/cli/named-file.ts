import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { LIMITS } from '@kist/contract/limits';
import { UsageError } from './command.ts';

/** No file of ours that is read whole comes near it. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * A file that somebody named can be read: it is there, and one with an end.
 * @param isPipe whether it may also be what another program writes
 * @throws UsageError which says what is wrong with it
 */
export function assertNamed(file: string, { most = MOST_BYTES, isPipe = false } = {}): void {
  const found = looked(file, () => statSync(file));
  if (found.isDirectory()) throw new UsageError(`${file} is a folder, not a file`);
  if (!found.isFile() && !(isPipe && found.isFIFO())) throw new UsageError(`${file} is no file, and may have no end`);
  if (found.size > most) throw new UsageError(`${file} is larger than ${most / 2 ** 20} MB`);
}

/** A file that somebody named can be written: its folder is there. @throws UsageError */
export function assertPlaceFor(file: string): void {
  const folder = path.dirname(path.resolve(file));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder ${folder}`);
}

/** The bytes of a file that somebody named. @throws UsageError */
export function bytesOf(file: string, most = MOST_BYTES): Buffer {
  assertNamed(file, { most, isPipe: true });
  return looked(file, () => readFileSync(file));
}

/** A picture is looked at whole: no pipe, and no more than may be uploaded. @throws UsageError */
export function pictureBytesOf(file: string): Buffer {
  assertNamed(file, { most: LIMITS.uploadBytes });
  return looked(file, () => readFileSync(file));
}

function looked<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageError(`there is no file ${file}`);
    throw new UsageError(`${file} cannot be read (${code})`);
  }
}

/**
 * What a file of JSON holds ("-": standard input).
 * @throws UsageError with the place where it breaks off, never with what stands there: it may be a secret
 */
export function jsonOf(from: string): unknown {
  const text = from === '-' ? readFileSync(0, 'utf8') : bytesOf(from).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    const where = line === undefined ? '' : ` (line ${line}, column ${column})`;
    throw new UsageError(`${from === '-' ? 'standard input' : from} holds no JSON that can be read${where}`);
  }
}
