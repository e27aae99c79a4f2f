import { capabilityAmong } from '@kist/contract/capabilities';
import { COMMANDS, type CommandType } from '@kist/contract/commands';
import { KistError } from '@kist/contract/errors';
import type { Feature, FeatureCell } from '@kist/contract/features';
import { isOffered } from '@kist/contract/offered';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';

/** Where a phone stands in the matrix, with the organisation's own list for its type, if it has one. */
export interface Place {
  cell: FeatureCell;
  allowed: readonly Feature[] | undefined;
}

/** The matrix binds what shops ask for: orders of the server itself and a customer's own requests pass. */
export const mayAsk = (actor: Actor, type: CommandType, { cell, allowed }: Place): boolean =>
  actor.userType === 'system' || actor.userType === 'customer' || isOffered(type, cell, allowed);

/** The refusal names the cell that refuses. */
export const notOffered = (type: CommandType, { provisioning, lockState, status }: FeatureCell): KistError =>
  new KistError('FEATURE_NOT_OFFERED', {
    details: { feature: COMMANDS[type].feature, provisioning, lock_state: lockState, status },
  });

/** @throws KistError FEATURE_NOT_OFFERED when section 6 does not offer this to shops for the phone as it stands */
export async function assertOffered(tx: Tx, actor: Actor, deviceId: string, type: CommandType): Promise<void> {
  const cell = await devices.featureCell(tx, deviceId);
  const allowed = (await organisations.allowedFeatures(tx))[cell.provisioning];
  if (!mayAsk(actor, type, { cell, allowed })) throw notOffered(type, cell);
}

/** Nothing but the phone itself stands in the way. @throws KistError UNSUPPORTED_ON_DEVICE (details.why: the locale key of the reason, `needs` fills it) */
export async function assertCan(tx: Tx, deviceId: string, type: CommandType): Promise<void> {
  const capability = capabilityAmong(type, await devices.channels(tx, deviceId));
  if (capability.strength !== 'no') return;
  const { why, needs, onlyIn } = capability;
  // No order of the shop puts a phone into its vendor's lost mode, so until one does the way there is all that can be said.
  throw new KistError('UNSUPPORTED_ON_DEVICE', {
    details: { why, ...(needs !== undefined && { needs }), ...(onlyIn && { only_in: onlyIn }) },
  });
}

/** Which of these phones section 6 offers this order for, as they stand: for whoever orders for many and leaves out the rest. */
export async function offeredPhones(
  tx: Tx,
  actor: Actor,
  deviceIds: readonly string[],
  type: CommandType,
): Promise<Set<string>> {
  const cells = await devices.featureCells(tx, deviceIds);
  const lists = await organisations.allowedFeatures(tx);
  const isOfferedIn = (cell: FeatureCell) => mayAsk(actor, type, { cell, allowed: lists[cell.provisioning] });
  return new Set([...cells].filter(([, cell]) => isOfferedIn(cell)).map(([deviceId]) => deviceId));
}
