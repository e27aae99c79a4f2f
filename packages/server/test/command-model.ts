import type { Ack } from '@kist/contract/agent';
import { COMMANDS, COMMAND_NEXT, type CommandState, type CommandType } from '@kist/contract/commands';
import { familyOf } from '@kist/contract/commands';

/** What the statements of check-ins and orders do to one command, said once more in TypeScript: the tests hold the two against each other. */

/** Whether nothing follows it. */
export const isFinal = (state: CommandState): boolean => COMMAND_NEXT[state].length === 0;

/** The state a command moves to when `to` is wished: there if COMMAND_NEXT knows the step, else it stays. */
export const move = (state: CommandState, to: CommandState): CommandState =>
  COMMAND_NEXT[state].includes(to) ? to : state;

/**
 * What an acknowledgement says. A one-shot that was applied has its result in hand, which is its proof; a message is proven only by
 * the phone's word that it was seen. What was not handed out yet has no answer, whatever a phone says.
 */
export function afterAck(type: CommandType, state: CommandState, status: Ack['status']): CommandState {
  if (state === 'QUEUED') return state;
  if (status === 'delivered') return move(state, 'DELIVERED');
  if (status === 'failed') return move(state, 'FAILED');
  return move(state, status === 'applied' && type === 'emi_alert' ? 'APPLIED' : 'VERIFIED');
}

export interface PhoneState {
  revision: number;
  lockLevel: number;
  toggles: Readonly<Record<string, boolean>>;
  /** False: another document than ours under this number. */
  isOurs?: boolean;
}

/**
 * What a report says of a state order: delivered once the phone is at its revision or beyond, verified once the phone holds the very document and is where it shall
 * be; for what gives back, where it shall be is enough.
 * @param reported the newest report; an older one is thrown away before it comes here
 */
export function afterReport(
  command: { type: CommandType; state: CommandState; revision: number },
  reported: PhoneState,
  desired: PhoneState,
): CommandState {
  // A revision that was never given proves nothing.
  if (reported.revision < command.revision || reported.revision > desired.revision) return command.state;
  const definition = COMMANDS[command.type];
  const isThere =
    'toggle' in definition
      ? reported.toggles[definition.toggle] === desired.toggles[definition.toggle]
      : reported.lockLevel === desired.lockLevel;
  // That a phone is free is never held against its digest.
  const isOurs = reported.isOurs !== false || definition.restricts === 'nothing';
  const isSo = isThere && isOurs && reported.revision === desired.revision;
  return move(command.state, isSo ? 'VERIFIED' : 'DELIVERED');
}

/**
 * Whether `newer` ends `older`. Revisions decide, not arrival: an unlock ends every pending lock before it, and a lock that was decided
 * before a payment's unlock never ends that unlock.
 */
export function supersedes(
  newer: { type: CommandType; revision: number },
  older: { type: CommandType; revision: number; state: CommandState },
): boolean {
  return older.revision < newer.revision && !isFinal(older.state) && familyOf(newer.type).includes(older.type);
}
