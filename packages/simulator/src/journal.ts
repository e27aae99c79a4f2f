import { Refused } from './phones/android/server-link.ts';

/** Every field a line of the log may carry, and what its value looks like. Whatever else there is (a name, a number, a text) is people's and stays out. */
const FIELDS = {
  what: /^[a-z_]{1,40}$/,
  /** The lab's own id of a phone. */
  phone: /^[0-9a-f]{8}-[0-9a-f-]{27}$/,
  port: /^\d{1,5}$/,
  from: /^\d$/,
  to: /^\d$/,
  level: /^\d$/,
  revision: /^\d{1,9}$/,
  have: /^\d{1,9}$/,
  seq: /^\d{1,9}$/,
  reason: /^[a-z_]{1,40}$/,
  valid_until: /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/,
  error: /^[A-Za-z_]{1,40}$/,
  code: /^[\w]{1,40}$/,
  status: /^\d{3}$/,
  places: /^(?: {4}at [^\n]{1,300}\n?){0,10}$/,
} as const satisfies Record<string, RegExp>;

/** Prints what happened; for the log. */
export type Journal = (entry: Record<string, unknown>) => void;

/** @param write takes one line of JSON */
export function createJournal(write: (line: string) => void): Journal {
  return (entry) => {
    const kept = Object.entries(entry).filter(([name, value]) => isHarmless(name, value));
    write(`${JSON.stringify({ at: new Date().toISOString(), ...Object.fromEntries(kept) })}\n`);
  };
}

const isHarmless = (name: string, value: unknown): boolean =>
  Object.hasOwn(FIELDS, name) &&
  (typeof value === 'string' || typeof value === 'number') &&
  FIELDS[name as keyof typeof FIELDS].test(String(value));

/** What a log may say of an error: an error's own words quote what they choked on. */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (error instanceof Refused) return { error: 'Refused', status: error.status, code: error.code };
  if (!(error instanceof Error)) return { error: 'unknown' };
  const places = error.stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 10)
    .join('\n');
  return { error: error.name, code: (error as { code?: unknown }).code, places };
}
