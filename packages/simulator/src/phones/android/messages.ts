import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import { lockCause } from './desired.ts';
import { effectiveLevel, nextLockMs } from './lease.ts';
import type { Agent, Message } from './state.ts';

/** What tells of a debt, and is no longer true once that is paid. */
const OF_DEBT = ['reminder', 'notice', 'alert'];
/** What was told is of this very lock: held by a debt, as the ladder or as two people had it. */
const FOR_MONEY = ['debt', 'override'];

/** What an order to show something says of it, and no more than that: what is not known stays until it is closed. */
export function aboutOf(args: Record<string, unknown>): Pick<Message, 'kind' | 'dueOn'> {
  const { kind, due_on: dueOn } = args;
  return { ...(typeof kind === 'string' && { kind }), ...(typeof dueOn === 'string' && { dueOn }) };
}

/** @returns whether the instalment that a message speaks of is paid, by what the phone knows: its lease names a later one, or none */
export function isPaid({ lease, policy }: Agent, { kind = '', dueOn }: Pick<Message, 'kind' | 'dueOn'>): boolean {
  if (!OF_DEBT.includes(kind)) return false;
  if (policy.released) return true;
  if (!lease || dueOn === undefined) return false;
  return lease.screen === null || (lease.screen.due_since !== null && dueOn < lease.screen.due_since);
}

/**
 * What is still true of what nobody closed yet. What a notice told of is over once the phone is held less for the debt than it was, or is locked and nothing
 * more is to come: then the lock speaks for itself. What came with this very word is newer than that.
 */
export function standingMessages(before: Agent, after: Agent, nowMs: number): Message[] {
  const [was, is] = [effectiveLevel(before), effectiveLevel(after)];
  const isLess = is < was && FOR_MONEY.includes(lockCause(before) ?? '');
  const isTaken = is > was && is >= LOCKED_FROM_LEVEL && nextLockMs(after, nowMs) === null;
  const isOver = (message: Message): boolean =>
    isPaid(after, message) ||
    ((isLess || isTaken) &&
      (message.kind === 'notice' || message.kind === 'alert') &&
      before.messages.some(({ id }) => id === message.id));
  return after.messages.filter((message) => message.isSeen || !isOver(message));
}
