import { KistError } from '@kist/contract/errors';
import * as devices from '#server/devices/devices.ts';
import { reserveAt as noteReserved } from '#server/devices/enrolment.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Database } from '#server/platform/database.ts';
import type { Adapter, Offer } from './adapter.ts';

/**
 * Asks a vendor to keep this phone for us from the moment it is switched on. Harmless to repeat, as one must where the vendor says 'later'.
 * @throws KistError NOT_FOUND, STATE_CONFLICT (nobody's phone, let go, or a vendor whose phones bring a code of ours)
 * @internal no plan of such a vendor is sold yet; the suite brings its phones this way
 */
export async function reserveAt({
  db,
  adapter,
  actor,
  deviceId,
}: {
  db: Pick<Database, 'transaction'>;
  adapter: Pick<Adapter, 'vendor' | 'offer'>;
  actor: Actor;
  deviceId: string;
}): Promise<Offer> {
  if (!adapter.offer) throw new KistError('STATE_CONFLICT');
  const { imei1, serial } = await db.transaction(actor.orgId, (tx) => devices.get(tx, deviceId));
  // Not inside a transaction: a vendor may take its time.
  const offer = await adapter.offer({ orgId: actor.orgId, deviceId, imei: imei1, serial });
  if (offer.offer === 'reserved')
    await db.transaction(actor.orgId, (tx) =>
      noteReserved(tx, actor, { deviceId, vendor: adapter.vendor, handle: offer.handle }),
    );
  return offer;
}
