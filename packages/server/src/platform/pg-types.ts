import pg from 'pg';
import type { CustomTypesConfig } from 'pg';

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

const { builtins } = pg.types;
const textArrayOid = 1009;
const int8ArrayOid = 1016;
const dateArrayOid = 1182;

/** bigint as a JS number; a value beyond ±2^53−1 throws rather than losing its last digits. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint outside the safe range of a number');
  return value;
}

const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(textArrayOid as TypeId);

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInt8],
  [int8ArrayOid, (text) => parseTextArray(text).map((item) => (item === null ? null : parseInt8(item)))],
  // A calendar date has no instant: as a Date it would move by a day in another time zone.
  [builtins.DATE, (text) => text],
  [dateArrayOid, parseTextArray],
  [builtins.INTERVAL, (text) => text],
]);

/** How column values arrive: int8 number (checked), date 'YYYY-MM-DD', timestamptz Date, numeric and interval text, json parsed. */
export const kistTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ??
    pg.types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
};
