import { KistError } from '@kist/contract/errors';
import type { BatchStop } from '@kist/contract/commands';
import * as commands from '#server/commands/commands.ts';
import * as identity from '#server/identity/identity.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { carryOut } from './batch-part.ts';
import { hasGoneWrong } from './canary.ts';
import type { LockingDeps } from './deps.ts';
import { assertMayBulk } from './policy.ts';
import { ringAsker } from './second-bell.ts';

/** A part of a lock of many that failed so often stops the rest: what is wrong with it may be wrong with them. An unlock goes on. */
const TRIES = 3;

/** The rest of a lock of many is not carried out. */
class StopError extends Error {
  override readonly name = 'StopError';
  readonly why: BatchStop;
  constructor(why: BatchStop) {
    super(`stopped: ${why}`);
    this.why = why;
  }
}

/**
 * Carries out the next part of an order to many, in a transaction of its own that also says that it is done: whoever is killed leaves it to the next, and
 * nobody carries it out twice. Each phone is judged as it stands then; the person who asked must still be allowed to lock.
 * @returns whether there was a part to carry out now
 * @throws whatever a part failed of; it comes again later
 */
export async function carryPart(db: Database, deps: LockingDeps, batch: commands.OpenBatch): Promise<boolean> {
  const { orgId } = batch;
  if (batch.isUnapproved) {
    await stop(db, batch, 'NOT_APPROVED');
    return true;
  }
  if (!batch.isBegun) await db.transaction(orgId, (tx) => commands.beginBatch(tx, batch));
  let taken: commands.Part | undefined;
  try {
    await db.transaction(orgId, async (tx) => {
      taken = await commands.takePart(tx, batch);
      if (taken) await commands.finishPart(tx, taken, await carryOutPart(tx, deps, taken));
    });
  } catch (error) {
    if (error instanceof StopError) {
      await stop(db, batch, error.why);
      return true;
    }
    if (taken) await putBack(db, batch, taken);
    throw error;
  }
  if (taken) return true;
  return db.transaction(orgId, async (tx) => {
    const hasGrown = await commands.goOnAfterCanary(tx, batch);
    await commands.finishBatch(tx, batch);
    return hasGrown;
  });
}

async function carryOutPart(tx: Tx, deps: LockingDeps, part: commands.Part): Promise<commands.PartResult> {
  const { batchId, command, reason, customerIds, askedAt, room } = part;
  const asker = await identity.actorOfUser(tx, { userId: part.requestedBy, ...part.askedIn });
  if (command === 'lock') {
    if (!asker.isActive) throw new StopError('NOT_ALLOWED');
    try {
      assertMayBulk(asker.actor, command, false);
    } catch (error) {
      throw error instanceof KistError ? new StopError('NOT_ALLOWED') : error;
    }
    if (part.isWatched && (await hasGoneWrong(tx, batchId))) throw new StopError('ANOMALY');
  }
  return carryOut(tx, deps, asker.actor, {
    batchId,
    command,
    reason,
    customerIds,
    askedAt,
    mayAllow: (wanted) => {
      if (wanted > room) throw new StopError('CAP');
    },
  });
}

/** It stops by itself: whoever ordered it hears why. */
const stop = (db: Database, { orgId, batchId }: commands.OpenBatch, why: BatchStop): Promise<void> =>
  db.transaction(orgId, async (tx) => {
    const stopped = await commands.stopBatch(tx, { batchId }, why);
    const data = { batch_id: batchId, why };
    if (stopped) await ringAsker(tx, stopped.askedBy, undefined, { kind: 'batch_stopped', data, customerId: null });
  });

async function putBack(db: Database, batch: commands.OpenBatch, part: commands.Part): Promise<void> {
  const tries = await db.transaction(batch.orgId, (tx) => commands.postponePart(tx, part));
  if (tries >= TRIES) await stop(db, batch, 'FAILED');
}
