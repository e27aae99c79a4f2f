import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { LIMITS } from '@kist/contract/limits';
import { UsageError } from './command.ts';

/** No file of ours that is read whole comes near it. */
const MOST_BYTES = 64 * 1024 * 1024;
/** A secret, a key: one line. */
const SECRET_BYTES = 64 * 1024;
const PIECE_BYTES = 64 * 1024;

/**
 * A file that somebody named can be read: it is there, and one with an end.
 * @param isPipe whether it may also be what another program writes
 * @throws UsageError which says what is wrong with it
 */
export function assertNamed(file: string, { most = MOST_BYTES, isPipe = false } = {}): void {
  const found = looked(file, () => statSync(file));
  if (found.isDirectory()) throw new UsageError(`${file} is a folder, not a file`);
  if (!found.isFile() && !(isPipe && found.isFIFO())) throw new UsageError(`${file} is no file, and may have no end`);
  if (found.size > most) throw tooLarge(file, most);
}

const tooLarge = (file: string, most: number): UsageError =>
  new UsageError(`${file} is larger than ${most < 2 ** 20 ? `${most / 2 ** 10} KB` : `${most / 2 ** 20} MB`}`);

/** A file that somebody named can be written: its folder is there. @throws UsageError */
export function assertPlaceFor(file: string): void {
  const folder = path.dirname(path.resolve(file));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`there is no folder ${folder}`);
}

/** The bytes of a file that somebody named. @throws UsageError */
export function bytesOf(file: string, most = MOST_BYTES): Buffer {
  assertNamed(file, { most, isPipe: true });
  return looked(file, () => wholeOf(file, most));
}

/** A file with a secret in it, or what another program writes of one. @throws UsageError */
export const secretTextOf = (file: string): string => bytesOf(file, SECRET_BYTES).toString('utf8');

/** A picture is looked at whole: no pipe, and no more than may be uploaded. @throws UsageError */
export function pictureBytesOf(file: string): Buffer {
  assertNamed(file, { most: LIMITS.uploadBytes });
  return looked(file, () => wholeOf(file, LIMITS.uploadBytes));
}

/** Read to its end, and never on beyond the most: a pipe has no size, and a file may grow. @throws UsageError */
function wholeOf(file: string, most: number): Buffer {
  const at = openSync(file, 'r');
  try {
    return readTo(at, file, most);
  } finally {
    closeSync(at);
  }
}

function readTo(at: number, file: string, most: number): Buffer {
  const pieces: Buffer[] = [];
  const piece = Buffer.alloc(PIECE_BYTES);
  let size = 0;
  for (let count = readSync(at, piece); count > 0; count = readSync(at, piece)) {
    size += count;
    if (size > most) throw tooLarge(file, most);
    pieces.push(Buffer.from(piece.subarray(0, count)));
  }
  return Buffer.concat(pieces);
}

function looked<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof UsageError) throw error;
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
  const text = (from === '-' ? readTo(0, 'standard input', MOST_BYTES) : bytesOf(from)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    const where = line === undefined ? '' : ` (line ${line}, column ${column})`;
    throw new UsageError(`${from === '-' ? 'standard input' : from} holds no JSON that can be read${where}`);
  }
}
