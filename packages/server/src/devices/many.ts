import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { FREE_POLICY, isAdvisory } from './rules.ts';
import * as store from './many-store.ts';

export type NewPhone = Omit<store.NewPhoneRow, 'is_strong'>;

/** Which of these numbers phones in use have. */
export async function numbersInUse(tx: Tx, numbers: readonly string[]): Promise<Set<string>> {
  const rows = await store.numbersInUse.all(tx, { numbers });
  return new Set(rows.map((row) => row.number));
}

/** Registers many phones as `create` does one: free and not enrolled. Whose numbers are taken must have been asked before: the database refuses them all then. */
export async function createMany(tx: Tx, actor: Actor, phones: readonly NewPhone[]): Promise<void> {
  const rows = phones.map((phone) => ({ ...phone, is_strong: !isAdvisory(phone.provisioning_type) }));
  await store.insertPhones.one(tx, { rows, document: FREE_POLICY });
  const ids = phones.map(({ device_id }) => device_id);
  const datas = phones.map(({ customer_id, provisioning_type }) => ({ customer_id, provisioning_type }));
  await audit.appendMany(tx, 'device', ids, actor, 'device_registered', datas);
}
