import { createHash } from 'node:crypto';
import { type PhoneKey, generateKey } from '@kist/simulator/measured';
import { asOwner } from './database.ts';
import { idOf } from './plant.ts';

export interface OwnKey {
  keyid: string;
  key: PhoneKey;
}

const hashOf = ({ publicKeySpki }: PhoneKey): string =>
  createHash('sha256').update(Buffer.from(publicKeySpki, 'base64url')).digest('base64url');

/** A key of nobody's, and its name there. */
export function strangeKey(orgId: number): OwnKey {
  const key = generateKey();
  return { keyid: `${orgId}.${hashOf(key)}`, key };
}

/** Gives planted phones, which share one key, each a key of its own: one is named by it. @returns the keys, in the order of the phones' numbers */
export async function giveKeys(dataDir: string, orgId: number, numbers: readonly number[]): Promise<OwnKey[]> {
  const own = numbers.map(() => strangeKey(orgId));
  const rows = own.map(({ key }, at) => ({
    id: idOf(orgId, 'enrolment', numbers[at]!),
    spki: `\\x${Buffer.from(key.publicKeySpki, 'base64url').toString('hex')}`,
  }));
  await asOwner(dataDir, (client) =>
    client.query(
      `update enrolments e set public_key_spki = g.spki, key_sha256 = sha256(g.spki) from jsonb_to_recordset($2::jsonb) as g(id uuid, spki bytea)
       where e.org_id = $1 and e.enrolment_id = g.id`,
      [orgId, JSON.stringify(rows)],
    ),
  );
  return own;
}
