import type { DesiredPolicy, LeaseTerms } from '@kist/contract/agent';
import { KistError } from '@kist/contract/errors';
import type { Tx } from '#server/platform/database.ts';
import { type DesiredPatch, patchDesired } from './store.ts';

/** What is to become different; what is absent stays. */
export interface DesiredChange {
  lock?: DesiredPolicy['lock'];
  toggles?: Partial<DesiredPolicy['toggles']>;
  wallpaperText?: string | null;
  released?: boolean;
  /** Replaces the lease under the next number; alone it leaves the revision as it is. */
  lease?: LeaseTerms;
}

/** Phones in one statement: its parameter stays a few megabytes even when each has its own lock screen. */
const CHUNK = 5000;

/**
 * Writes the desired state of many phones, one UPDATE for every 5,000. The caller decides (the gate is the locking slice's) and
 * wakes the phones afterwards.
 * @returns the new revision of each, in the order given
 * @throws KistError NOT_FOUND when one of them is no phone of this organisation
 * @throws RangeError when a phone is named twice
 */
export async function setDesiredMany(
  tx: Tx,
  changes: readonly (DesiredChange & { deviceId: string })[],
): Promise<number[]> {
  const revisions = new Map<string, number>();
  if (new Set(changes.map((change) => change.deviceId)).size !== changes.length)
    throw new RangeError('a phone is named twice');
  for (let at = 0; at < changes.length; at += CHUNK) {
    const rows = await patchDesired(tx, changes.slice(at, at + CHUNK).map(toPatch));
    for (const row of rows) revisions.set(row.deviceId, row.revision);
  }
  return changes.map(({ deviceId }) => {
    const revision = revisions.get(deviceId);
    if (revision === undefined) throw new KistError('NOT_FOUND');
    return revision;
  });
}

/** The same document once more, under a new revision: for a phone that says it has the last one and does not do what it asks. @throws KistError NOT_FOUND */
export const sendAgain = (tx: Tx, deviceId: string): Promise<{ revision: number }> =>
  setDesired(tx, deviceId, { toggles: {} });

/** @returns the revision that holds the change. @throws KistError NOT_FOUND */
export async function setDesired(tx: Tx, deviceId: string, change: DesiredChange): Promise<{ revision: number }> {
  const [revision] = await setDesiredMany(tx, [{ deviceId, ...change }]);
  return { revision: revision! };
}

function toPatch({
  deviceId,
  lock,
  toggles,
  wallpaperText,
  released,
  lease,
}: DesiredChange & { deviceId: string }): DesiredPatch {
  const patch: Partial<DesiredPolicy> = {
    ...(lock && { lock }),
    ...(wallpaperText !== undefined && { wallpaper_text: wallpaperText }),
    ...(released !== undefined && { released }),
  };
  const isChange = toggles !== undefined || Object.keys(patch).length > 0;
  return {
    device_id: deviceId,
    patch: isChange ? patch : null,
    toggles: toggles ?? null,
    level: lock?.level ?? null,
    lease: lease ?? null,
  };
}
