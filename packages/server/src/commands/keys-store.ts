import type { Database } from '#server/platform/database.ts';
import type { EnrolledKey, KeyHolder, Named } from './adapter.ts';
import { isHolder, namedAs } from './callers.ts';
import { ENROLMENT_KEY_SQL, KEY_SQL } from './checkin-sql.ts';

/** Numbers and hexadecimal alone: the lists are written as the database reads them, and nothing has to be looked through for what must be escaped. */
const byKey = (holders: readonly KeyHolder[]) => ({
  name: 'device_key',
  text: KEY_SQL,
  values: [
    `{${holders.map(({ orgId }) => orgId).join(',')}}`,
    `{${holders.map(({ keySha256 }) => `"\\\\x${keySha256}"`).join(',')}}`,
  ],
});
const byEnrolment = (named: readonly Named[]) => ({
  name: 'device_key_enrolment',
  text: ENROLMENT_KEY_SQL,
  values: [JSON.stringify(named.map((one, n) => ({ n, ...namedAs(one) })))],
});

/** @returns the keys that these names were enrolled with, in their order; undefined for one that is not listened to. */
export async function keysOf(
  { devicePool }: Pick<Database, 'devicePool'>,
  named: readonly Named[],
): Promise<(EnrolledKey | undefined)[]> {
  const found = Array.from<EnrolledKey | undefined>({ length: named.length });
  const look = async (places: readonly number[], asked: ReturnType<typeof byKey | typeof byEnrolment>) => {
    if (places.length === 0) return;
    const { rows } = await devicePool.query<EnrolledKey & { n: number }>(asked);
    for (const { n, ...key } of rows) found[places[n]!] ??= key;
  };
  const places = named.map((_one, at) => at);
  const [holders, others] = [places.filter((at) => isHolder(named[at]!)), places.filter((at) => !isHolder(named[at]!))];
  await Promise.all([
    look(holders, byKey(holders.map((at) => named[at] as KeyHolder))),
    look(others, byEnrolment(others.map((at) => named[at]!))),
  ]);
  return found;
}
