import type { Actor } from '#server/identity/identity.ts';
import * as notices from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';
import type { LockingDeps } from './deps.ts';
import { factsChanged } from './dues.ts';
import { phonesShowing } from './taking-store.ts';

/** Nobody chooses a template any more, and phones that show it get the house's own words. @throws KistError NOT_FOUND */
export async function endTemplate(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { name }: { name: string },
): Promise<{ name: string; phones: number }> {
  const { template_id } = await notices.endTemplate(tx, actor, { name });
  const phones = (await phonesShowing.all(tx, { template_id })).map(({ device_id }) => device_id);
  await factsChanged(tx, deps, phones);
  return { name, phones: phones.length };
}
