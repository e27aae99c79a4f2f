import * as devices from '#server/devices/devices.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { inLanes, inParts } from '#server/platform/lanes.ts';
import { lookAtPhones } from './facts.ts';
import { heldPhones } from './silence-store.ts';
import { tellShop } from './tell.ts';

/** Phones of one transaction, and those that one look finds. */
const CHUNK = 2000;
const LOOK = 20_000;

/**
 * Tells the shops of held phones that said nothing for longer than their agreements' policies allow, in transactions of its own. A silence is told once, however
 * often this runs; a phone that spoke and fell silent again is told of again. @returns how many were told
 */
export async function tellOfSilences(db: Pick<Database, 'transaction'>, orgId: number): Promise<number> {
  let told = 0;
  const look = (after: string | undefined, limit: number) =>
    db.transaction(orgId, async (tx) => {
      const rows = await heldPhones.all(tx, { after: after ?? null, limit });
      return rows.map(({ device_id }) => device_id);
    });
  await inLanes(inParts(look, { found: LOOK, part: CHUNK }), async (ids) => {
    const count = await db.transaction(orgId, (tx) => tell(tx, ids));
    told += count;
  });
  return told;
}

/** The line and that it was told are of one transaction: neither is without the other. */
async function tell(tx: Tx, ids: readonly string[]): Promise<number> {
  const phones = await lookAtPhones(tx, await devices.takeSilences(tx, ids));
  await tellShop(
    tx,
    phones.map((phone) => ({ phone, kind: 'phone_silent', data: {} })),
  );
  return phones.length;
}
