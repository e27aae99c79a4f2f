import * as commands from '#server/commands/commands.ts';
import * as audit from '#server/audit/audit.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { applyDecisions } from './apply.ts';
import type { LockingDeps } from './deps.ts';
import { seizePhones } from './facts.ts';
import { heldButForTheft } from './ladder-store.ts';
import { unlockAllButTheft } from './unlocking.ts';
import { releasePaid } from './release.ts';
import { ringAsker } from './second-bell.ts';

/**
 * Frees every phone of the organisation of everything that is held for any cause but its owner's own theft report: levels, switches, wallpapers, tests,
 * holds at a customer's request. One transaction that needs the database and nothing else: no queue, no message, no vendor. A phone that is paid off and
 * was only held at its owner's request is let go. The ladder of what is still unpaid rests to the end of tomorrow: time to find out what went wrong.
 * @returns how many phones
 */
export async function unlockFleet(tx: Tx, deps: Pick<LockingDeps, 'waker' | 'onReleased'>): Promise<number> {
  const actor = SYSTEM(tx.orgId ?? 0);
  // First, so that nothing is locked behind what is freed here.
  const stopped = await commands.stopLocks(tx, 'FLEET_UNLOCK');
  const decisions = await unlockAllButTheft(tx, await seizePhones(tx, await heldButForTheft(tx)), actor);
  await applyDecisions(tx, deps.waker, decisions, { actor, command: 'unlock', note: 'fleet unlock' });
  await releasePaid(tx, deps, actor, decisions);
  // Somebody waits for phones to be locked, or for a second person's word: neither comes any more.
  for (const { batch_id, requested_by } of stopped) {
    const data = { batch_id, why: 'FLEET_UNLOCK' };
    await ringAsker(tx, requested_by, undefined, { kind: 'batch_stopped', data, customerId: null });
  }
  await commands.noteStopped(tx, stopped);
  // Every verdict with an id below this one is of before, whatever the clock does: the nightly check knows by it what must be gone.
  const data = { phones: decisions.length, mark: newId() };
  await audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action: 'fleet_unlocked', data });
  return decisions.length;
}
