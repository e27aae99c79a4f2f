import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Phone } from './state.ts';

/** What survives the simulator: a phone with its key. `worldMs`: when it was written, so that the time between counts. */
export interface PhoneFile {
  id: string;
  name: string;
  /** Whether its name was given to it; absent in files from before that was kept. */
  isNamed?: boolean;
  phone: Phone;
  /** PKCS#8, base64url; null before enrolment and after an erase. */
  key: string | null;
  /** It was managed once and is not any more: a plain phone, not one fresh from its box. */
  wasManaged: boolean;
  /** Its place on the wall. */
  place: number;
  worldMs: number;
}

/** A folder of phones, one file each. */
export interface PhoneFolder {
  load: () => PhoneFile[];
  save: (file: PhoneFile) => void;
  remove: (id: string) => void;
}

/** Keeps nothing: for tests and for a phone in a terminal without a state folder. */
export const NO_FOLDER: PhoneFolder = { load: () => [], save: () => {}, remove: () => {} };

/** Files hold private keys: readable by their owner only; written aside and renamed, so a kill leaves the old one or the new one. */
export function phoneFolder(dir: string): PhoneFolder {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const fileOf = (id: string) => path.join(dir, `${id}.json`);
  return {
    load: () =>
      readdirSync(dir)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => JSON.parse(readFileSync(path.join(dir, name), 'utf8')) as PhoneFile),
    save: (file) => {
      const draft = `${fileOf(file.id)}.tmp`;
      writeFileSync(draft, JSON.stringify(file), { mode: 0o600 });
      renameSync(draft, fileOf(file.id));
    },
    remove: (id) => rmSync(fileOf(id), { force: true }),
  };
}
