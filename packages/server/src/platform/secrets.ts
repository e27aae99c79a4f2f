import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import path from 'node:path';
import type { KeyRing } from './crypto.ts';

const secretBytes = 32;
/** 32 random bytes hold 30 different values on average; fewer than 16 happens once in 10^15. Words and repetition do not pass. */
const leastDifferentBytes = 16;

/** Makes the data folder: closed to others, except that as root they may walk through it to the database's own folder. */
export function makeDataDir(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
}

/** 32 random bytes, base64. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64');
}

/**
 * A secret given as base64 or hex.
 * @throws Error saying what is wrong, without the value
 */
export function parseSecret(text: string): Buffer {
  const trimmed = text.trim();
  const isHex = /^[0-9a-f]{64,}$/i.test(trimmed);
  if (!isHex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(trimmed)) throw new Error('neither base64 nor hex.');
  const bytes = Buffer.from(trimmed, isHex ? 'hex' : 'base64');
  if (bytes.length < secretBytes) throw new Error(`shorter than ${secretBytes} bytes.`);
  assertRandomBytes(bytes);
  return bytes;
}

/** Words, zeros and repetition are no secret and no hash. @throws Error without the value */
export function assertRandomBytes(bytes: Uint8Array): void {
  if (new Set(bytes).size < leastDifferentBytes) throw new Error('not random.');
}

/** Whether any account but the owner's may open this file. */
export const isReadableByOthers = ({ mode }: Pick<Stats, 'mode'>): boolean => (mode & 0o077) !== 0;

/**
 * Keys as `2:<base64>,1:<base64>`: the first seals, all open. A lone value is version 1.
 * @throws Error saying what is wrong, without the value
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.split(',').map((entry): [number, Buffer] => {
    const [, version = '1', secret = ''] = /^\s*(?:(\d{1,9}):)?(.*)$/s.exec(entry) ?? [];
    const key = parseSecret(secret);
    if (key.length !== secretBytes) throw new Error(`a key has exactly ${secretBytes} bytes.`);
    return [Number(version), key];
  });
  const keys = new Map(entries);
  if (keys.size < entries.length) throw new Error('two keys have the same version.');
  return { current: entries[0]?.[0] ?? 1, keys };
}

/** The text of a file that only this account reads; made when missing. Two processes that make it at once end with the same. */
export function readOrMake(file: string, make: () => string): string {
  if (!existsSync(file)) {
    mkdirSync(path.dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, make(), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readFileSync(file, 'utf8');
}
