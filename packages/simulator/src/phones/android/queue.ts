import type { Ack } from '@kist/contract/agent';
import type { EventKind, NewId } from './events.ts';
import type { Agent } from './state.ts';
import { trustedNow } from './trusted-time.ts';

/** A phone that is out of contact for months keeps the newest of what it has to tell. */
const MAX_EVENTS = 256;
const MAX_DONE = 256;

/** Queues an event for the server, stamped with trusted time. */
export function queueEvent(
  agent: Agent,
  elapsedMs: number,
  newId: NewId,
  kind: EventKind,
  data: Record<string, unknown>,
): Agent {
  const at = new Date(trustedNow(agent, elapsedMs)).toISOString();
  return { ...agent, events: [...agent.events, { id: newId(), kind, at, data }].slice(-MAX_EVENTS) };
}

/** Queues the word on an order; a newer word on the same order replaces the older one. */
export function acknowledge(agent: Agent, ack: Ack): Agent {
  const others = (list: Ack[]) => list.filter((one) => one.id !== ack.id);
  return {
    ...agent,
    acks: [...others(agent.acks), ack],
    done: [...others(agent.done), ack].slice(-MAX_DONE),
    highestSeq: Math.max(agent.highestSeq, ack.seq),
  };
}
