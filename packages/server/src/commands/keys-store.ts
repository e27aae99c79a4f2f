import type { Database } from '#server/platform/database.ts';
import type { EnrolledKey, Named } from './adapter.ts';
import { namedAs } from './callers.ts';
import { KEY_SQL } from './checkin-sql.ts';

/** @returns the keys that these names were enrolled with, in their order; undefined for one that is not listened to. */
export async function keysOf(
  { devicePool }: Pick<Database, 'devicePool'>,
  named: readonly Named[],
): Promise<(EnrolledKey | undefined)[]> {
  const input = named.map((one, n) => ({ n, ...namedAs(one) }));
  const { rows } = await devicePool.query<EnrolledKey & { n: number }>({
    name: 'device_key',
    text: KEY_SQL,
    values: [JSON.stringify(input)],
  });
  const found = Array.from<EnrolledKey | undefined>({ length: named.length });
  for (const { n, ...key } of rows) found[n] ??= key;
  return found;
}
