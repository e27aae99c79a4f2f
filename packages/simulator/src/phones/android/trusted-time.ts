import type { Agent, Phone } from './state.ts';

/**
 * Trusted time: the last signed server time plus what the elapsed clock grew since. The wall clock has no part in it, and time while the
 * phone was off does not count: it can only be behind the truth, so it can delay a lock and never cause one.
 * @returns Unix milliseconds
 */
export const trustedNow = (agent: Agent, elapsedMs: number): number =>
  agent.anchor.atMs + Math.max(0, elapsedMs - agent.anchor.elapsedMs);

/**
 * Takes the time of a fresh signed answer. One below the highest seen (a server whose clock was moved back) changes nothing; one at or above
 * it wins even over our own reckoning, because a quartz that runs fast must not bring a step early.
 */
export function withServerTime(agent: Agent, serverMs: number, elapsedMs: number): Agent {
  if (serverMs < agent.serverHighMs) return agent;
  return { ...agent, serverHighMs: serverMs, anchor: { atMs: serverMs, elapsedMs } };
}

/** The elapsed clock starts at 0 again: trusted time goes on from where the phone went off. */
export const anchoredAtBoot = (agent: Agent, elapsedAtOffMs: number): Agent => ({
  ...agent,
  anchor: { atMs: trustedNow(agent, elapsedAtOffMs), elapsedMs: 0 },
});

/** Trusted time of a whole phone; undefined before enrolment. */
export const trustedTimeOf = (phone: Phone): number | undefined =>
  phone.agent ? trustedNow(phone.agent, phone.elapsedMs) : undefined;
