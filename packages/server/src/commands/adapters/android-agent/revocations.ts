import { readFileSync, statSync } from 'node:fs';
import { plainSerial } from './attestation.ts';

/**
 * Certificates that Google has taken back, from a file as it publishes them (https://android.googleapis.com/attestation/status:
 * `{"entries": {"<serial, hex>": {"status": "REVOKED" | "SUSPENDED"}}}`), read anew whenever it was changed.
 * @param file undefined: none is known
 * @param onError a file that cannot be read or says something else; what was read before goes on counting
 */
export function createRevocations(
  file: string | undefined,
  onError: (error: unknown) => void,
): (serial: string) => boolean {
  if (file === undefined) return () => false;
  let readAtMs = 0;
  let serials: ReadonlySet<string> = new Set();
  return (serial) => {
    try {
      const { mtimeMs } = statSync(file);
      if (mtimeMs !== readAtMs) {
        serials = serialsIn(readFileSync(file, 'utf8'));
        readAtMs = mtimeMs;
      }
    } catch (error) {
      onError(error);
    }
    return serials.has(serial);
  };
}

/** @throws SyntaxError, TypeError where it is no such list */
export function serialsIn(text: string): ReadonlySet<string> {
  const { entries } = JSON.parse(text) as { entries?: unknown };
  if (typeof entries !== 'object' || entries === null)
    throw new TypeError('a list of certificates taken back has entries');
  return new Set(Object.keys(entries).map(plainSerial));
}
