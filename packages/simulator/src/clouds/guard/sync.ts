import type { GuardBooks, GuardDevice } from './books.ts';
import type { GuardEvent, GuardSim, SyncAnswer, SyncCall } from './protocol.ts';

type Said = Omit<GuardEvent, 'event_id' | 'at'>;
const NOTHING: SyncAnswer = { target: null, completed: false, reminder_at: null };

/** One question of a phone. What it says it applied is taken over; what it shall be is answered. @param tell hears what its tenant learns of it */
export function syncPhone(
  books: GuardBooks,
  said: SyncCall,
  nowMs: number,
  tell: (device: GuardDevice, event: Said) => void,
): SyncAnswer {
  const { imei, serial } = said;
  const device = books.guarding({ imei, serial });
  if (!device || device.state === 'pending') return { ...NOTHING, completed: said.is_freed ?? false };
  // A phone that was freed obeys nobody until it is set up anew.
  if (said.is_freed && device.state !== 'completed') return NOTHING;
  const at = new Date(nowMs).toISOString();
  Object.assign(device, { imei, serial, last_seen_at: at });
  if (device.state === 'completed') return release(device, said, (event) => tell(device, event));
  if (device.state === 'approved') {
    device.state = 'enrolled';
    tell(device, { type: 'device.enrolled', device_id: device.device_id });
  }
  noteSims(device, said.sims, (event) => tell(device, event));
  noteApplied(device, said, at, (event) => tell(device, event));
  return { target: device.target, completed: false, reminder_at: device.reminder_at };
}

/** The phone hears of its release first and confirms it with its next question: only then the cloud calls it removed. */
function release(device: GuardDevice, said: SyncCall, tell: (event: Said) => void): SyncAnswer {
  device.is_told = true;
  if (said.is_freed) {
    device.state = 'removed';
    tell({ type: 'device.completed', device_id: device.device_id });
  }
  return { ...NOTHING, completed: true };
}

const inOrder = (sims: readonly GuardSim[]): string => JSON.stringify(sims.toSorted((a, b) => a.slot - b.slot));

function noteSims(device: GuardDevice, sims: GuardSim[], tell: (event: Said) => void): void {
  const isOther = device.sims !== null && inOrder(device.sims) !== inOrder(sims);
  device.sims = sims;
  if (isOther) tell({ type: 'device.sim_changed', device_id: device.device_id });
}

function noteApplied(device: GuardDevice, { applied }: SyncCall, at: string, tell: (event: Said) => void): void {
  const { target, applied: before, device_id } = device;
  // A version that was never sent is not believed.
  if (!applied || !target || applied.version > target.version) return;
  if (before?.version === applied.version && before.locked === applied.locked) return;
  device.applied = { ...applied, at };
  const isByItself = applied.locked && applied.version === target.version && !target.locked;
  tell({ type: isByItself ? 'device.relocked' : 'device.applied', device_id, applied: device.applied });
}
