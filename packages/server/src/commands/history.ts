import type { z } from 'zod';
import { NEEDS } from '@kist/contract/access';
import type { deviceEndpoints } from '@kist/contract/devices';
import { KistError } from '@kist/contract/errors';
import type { AllowedFeatures } from '@kist/contract/features';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { canDecideBatch } from './policy.ts';
import { findBatch } from './batch-store.ts';
import { findRecent } from './store.ts';
import { type TimelineEntry, findTimeline } from './timeline-store.ts';

const RECENT = 20;

/** A phone is seen by who may see its customer. @throws KistError FEATURE_NOT_ALLOWED; NOT_FOUND, the same for a foreign phone and for none */
async function authorizeDevice(tx: Tx, actor: Actor, deviceId: string): Promise<void> {
  identity.requires(actor, NEEDS.read);
  const { customerId } = await devices.get(tx, deviceId);
  if (!customerId) throw new KistError('NOT_FOUND');
  await customers.authorize(tx, actor, { customer_id: customerId });
}

/** Desired and reported state with the latest orders. @throws KistError NOT_FOUND */
export async function getDevice(
  tx: Tx,
  actor: Actor,
  deviceId: string,
  allowed?: AllowedFeatures,
): Promise<z.input<typeof deviceEndpoints.getDevice.reply>> {
  await authorizeDevice(tx, actor, deviceId);
  return { ...(await devices.view(tx, deviceId, allowed)), commands: await findRecent(tx, deviceId, RECENT) };
}

/** The phone's history with reasons, newest first. @throws KistError NOT_FOUND */
export async function timeline(
  tx: Tx,
  actor: Actor,
  deviceId: string,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ list: TimelineEntry[]; total: number; page: number; page_size: number }> {
  await authorizeDevice(tx, actor, deviceId);
  return { ...(await findTimeline(tx, deviceId, page_size, (page - 1) * page_size)), page, page_size };
}

const REFUSALS_SHOWN = 1000;

/** Progress of a bulk order. @throws KistError NOT_FOUND */
export async function batch(
  tx: Tx,
  actor: Actor,
  batchId: string,
): Promise<z.input<typeof deviceEndpoints.getBatch.reply>> {
  identity.requires(actor, NEEDS.read);
  const found = await findBatch.first(tx, { batch_id: batchId, most: REFUSALS_SHOWN });
  if (!found || !canDecideBatch(actor, found.requested_by)) throw new KistError('NOT_FOUND');
  const { requested_by: _asker, asked_by, ...progress } = found;
  return { batch_id: batchId, asked_by: asked_by ?? '', ...progress };
}
