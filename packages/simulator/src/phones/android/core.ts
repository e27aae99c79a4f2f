import { businessDate } from '@kist/contract/dates';
import { applyDesired, applyLease } from './desired.ts';
import type { Effect, Enrolment, NewId, PhoneEvent, VerifiedReply } from './events.ts';
import { claimRestEndMs, effectiveLevel, nextLeaseMoment, standingBanners, withReminderShown } from './lease.ts';
import type { LeaseMoment } from './lease.ts';
import { standingMessages } from './messages.ts';
import { takeOrder } from './orders.ts';
import { FREE_POLICY } from './state.ts';
import type { Agent, Phone, Sim } from './state.ts';
import { acknowledge, queueEvent } from './queue.ts';
import { anchoredAtBoot, trustedNow, withServerTime } from './trusted-time.ts';

export interface Step {
  phone: Phone;
  effects: Effect[];
}

/** Android's own threshold for the low-battery warning. */
const LOW_BATTERY_PCT = 15;
const MAX_BANNERS = 8;

const unchanged = (phone: Phone): Step => ({ phone, effects: [] });

/**
 * The phone as a function: what it is, what happens to it → what it is then, and what its shell must do. No clock, no randomness, no
 * network: everything comes in by the event.
 */
export function step(phone: Phone, event: PhoneEvent, newId: NewId): Step {
  switch (event.kind) {
    case 'elapse':
      return elapse(phone, event.ms, newId);
    case 'power_off':
      return phone.isOn ? unchanged(poweredOff(phone)) : unchanged(phone);
    case 'power_on':
      return phone.isOn || phone.batteryPct === 0 ? unchanged(phone) : booted(phone, newId);
    case 'erase':
      return erased(phone);
    case 'network':
      return { phone: { ...phone, isNetworkOn: event.isOn }, effects: event.isOn ? [{ kind: 'contact' }] : [] };
    case 'set_wall_clock':
      return phone.isOn ? clockMoved(phone, event.wallMs, newId) : unchanged(phone);
    case 'battery':
      return batteryChanged(phone, event.pct, newId);
    case 'swap_sim':
      return simsNoticed({ ...phone, sims: simsWith(phone.sims, event.slot, event.sim) }, newId);
    case 'move':
      return unchanged({ ...phone, place: event.place });
    case 'permissions':
      return unchanged({ ...phone, hasPermissions: event.areGranted });
    case 'box': {
      const hardware = { ...phone.hardware, imei: [event.imei], agent: event.agent };
      return unchanged(phone.agent ? phone : { ...phone, hardware });
    }
    case 'enrolled':
      return enrolled(phone, event.enrolment, newId);
    case 'reply':
      return withoutDestroyed(withAgent(phone, (agent) => replied(phone, agent, event.verified)));
    case 'server_forgot':
      return { phone: { ...phone, agent: null }, effects: phone.agent ? [{ kind: 'destroy_key' }] : [] };
    case 'message_seen':
      return withAgent(phone, (agent) => messageSeen(agent, event.id));
    case 'banner_closed':
      return withAgent(phone, (agent) => ({ agent: { ...agent, banners: [] }, effects: [] }));
    case 'dispute':
      return withAgent(phone, (agent) => disputed(phone, agent, event.text, newId));
    case 'dispute_sent':
      return withAgent(phone, (agent) => disputeSent(agent));
    case 'payment_claimed':
      return withAgent(phone, (agent) => paymentClaimed(phone, agent, newId));
  }
}

/** The cards with another one in a slot, or none. */
function simsWith(sims: readonly Sim[], slot: number, sim: Omit<Sim, 'slot'> | null): Sim[] {
  const others = sims.filter((one) => one.slot !== slot);
  return (sim ? [...others, { ...sim, slot }] : others).sort((a, b) => a.slot - b.slot);
}

/** With its key the agent goes. */
function withoutDestroyed(done: Step): Step {
  const isGone = done.effects.some((effect) => effect.kind === 'destroy_key');
  return isGone ? { ...done, phone: { ...done.phone, agent: null } } : done;
}

/** Runs a change of the agent's storage on a phone that is on; tells when the level changed. */
function withAgent(phone: Phone, change: (agent: Agent) => { agent: Agent; effects: Effect[] }): Step {
  if (!phone.agent || !phone.isOn) return unchanged(phone);
  const before = effectiveLevel(phone.agent);
  const { agent, effects } = change(phone.agent);
  const after = effectiveLevel(agent);
  const changed: Effect[] =
    before === after ? [] : [{ kind: 'changed', what: 'level', detail: { from: before, to: after } }];
  const messages = standingMessages(phone.agent, agent, trustedNow(agent, phone.elapsedMs));
  return { phone: { ...phone, agent: { ...agent, messages } }, effects: [...changed, ...effects] };
}

/** Time passes in the order in which things fall due: a jump of a month is worth a month of seconds. */
function elapse(phone: Phone, ms: number, newId: NewId): Step {
  let current: Phone = { ...phone, wallMs: phone.wallMs + ms };
  if (!phone.isOn) return unchanged(current);
  const effects: Effect[] = [];
  const endMs = phone.elapsedMs + ms;
  for (;;) {
    const agent = current.agent;
    const now = agent ? trustedNow(agent, current.elapsedMs) : 0;
    const moment = agent ? nextLeaseMoment(agent, now) : null;
    const inMs = moment ? moment.atMs - now : Infinity;
    if (!moment || current.elapsedMs + inMs > endMs) return { phone: { ...current, elapsedMs: endMs }, effects };
    current = { ...current, elapsedMs: current.elapsedMs + inMs };
    const done = withAgent(current, (held) => momentReached(current, held, moment, newId));
    current = done.phone;
    effects.push(...done.effects);
  }
}

function momentReached(phone: Phone, agent: Agent, moment: LeaseMoment, newId: NewId) {
  const leaseSeq = agent.lease?.seq ?? 0;
  const contact: Effect[] = [{ kind: 'contact' }];
  const banner = (kind: 'notice' | 'reminder', key: string) =>
    [...agent.banners, { kind, key, atMs: moment.atMs }].slice(-MAX_BANNERS);
  if (moment.kind === 'notice') {
    const told = queueEvent(agent, phone.elapsedMs, newId, 'notice_shown', { no: moment.no, lease_seq: leaseSeq });
    const shown = { no: moment.no, plannedAt: moment.plannedAt, shownAtMs: moment.atMs };
    const noticesShown = [...agent.noticesShown, shown].slice(-16);
    return { agent: { ...told, noticesShown, banners: banner('notice', String(moment.no)) }, effects: contact };
  }
  if (moment.kind === 'reminder') {
    const told = queueEvent(agent, phone.elapsedMs, newId, 'reminder_shown', { key: moment.key, lease_seq: leaseSeq });
    return {
      agent: withReminderShown({ ...told, banners: banner('reminder', moment.key) }, moment),
      effects: contact,
    };
  }
  if (moment.kind === 'end') {
    const free = { ...agent, isLockOver: true };
    return { agent: { ...free, banners: standingBanners(free) }, effects: contact };
  }
  if (moment.level <= effectiveLevel(agent)) {
    return { agent: { ...agent, passed: [...agent.passed, { level: moment.level, atMs: null }] }, effects: [] };
  }
  const data = { level: moment.level, from: effectiveLevel(agent), lease_seq: leaseSeq };
  const told = queueEvent(agent, phone.elapsedMs, newId, 'lease_step', data);
  const passed = [...agent.passed, { level: moment.level, atMs: moment.atMs }];
  const stepped = { ...told, passed, leaseLevel: moment.level };
  return { agent: { ...stepped, banners: standingBanners(stepped) }, effects: contact };
}

const poweredOff = (phone: Phone): Phone => ({
  ...phone,
  isOn: false,
  elapsedMs: 0,
  agent: phone.agent && anchoredAtBoot(phone.agent, phone.elapsedMs),
});

function booted(phone: Phone, newId: NewId): Step {
  const on: Phone = { ...phone, isOn: true, bootCount: phone.bootCount + 1, elapsedMs: 0 };
  const told = withAgent(on, (agent) => {
    let next = queueEvent(agent, 0, newId, 'booted', { boot_count: on.bootCount });
    if (agent.rebootFor) {
      const ack = { ...agent.rebootFor, status: 'applied' as const, result: { boot_count: on.bootCount } };
      next = { ...acknowledge(next, ack), rebootFor: null };
    }
    return { agent: next, effects: [{ kind: 'contact' }] };
  });
  const noticed = simsNoticed(told.phone, newId);
  return { phone: noticed.phone, effects: [...told.effects, ...noticed.effects] };
}

/** A factory reset: the agent, its key, its counters and the boot count go; the hardware, the cards and the wall clock stay. */
const erased = (phone: Phone): Step => ({
  phone: { ...phone, agent: null, isOn: true, bootCount: 1, elapsedMs: 0, hasPermissions: true },
  effects: [{ kind: 'destroy_key' }],
});

function clockMoved(phone: Phone, wallMs: number, newId: NewId): Step {
  const from = new Date(phone.wallMs).toISOString();
  const to = new Date(wallMs).toISOString();
  const data = { from, to, by_s: Math.round((wallMs - phone.wallMs) / 1000) };
  return withAgent({ ...phone, wallMs }, (agent) => ({
    agent: queueEvent(agent, phone.elapsedMs, newId, 'clock_moved', data),
    effects: [{ kind: 'contact' }],
  }));
}

function batteryChanged(phone: Phone, pct: number, newId: NewId): Step {
  const batteryPct = Math.min(100, Math.max(0, Math.round(pct)));
  const charged = { ...phone, batteryPct };
  if (batteryPct === 0) return unchanged(phone.isOn ? poweredOff(charged) : charged);
  return withAgent(charged, (agent) => {
    const isLow = batteryPct <= LOW_BATTERY_PCT;
    if (!isLow || agent.lowBatteryTold) return { agent: { ...agent, lowBatteryTold: isLow }, effects: [] };
    const told = queueEvent(agent, phone.elapsedMs, newId, 'low_battery', { battery: batteryPct });
    return { agent: { ...told, lowBatteryTold: true }, effects: [{ kind: 'contact' }] };
  });
}

/** Compares the cards with those seen last; a change made while the phone was off shows at boot. */
function simsNoticed(phone: Phone, newId: NewId): Step {
  return withAgent(phone, (agent) => {
    let next = agent;
    for (const slot of [0, 1, 2, 3]) {
      const old = agent.knownSims.find((sim) => sim.slot === slot);
      const now = phone.sims.find((sim) => sim.slot === slot);
      if (old?.iccid === now?.iccid) continue;
      next = queueEvent(next, phone.elapsedMs, newId, 'sim_changed', { slot, old: old ?? null, new: now ?? null });
    }
    return { agent: { ...next, knownSims: phone.sims }, effects: next === agent ? [] : [{ kind: 'contact' }] };
  });
}

function enrolled(phone: Phone, enrolment: Enrolment, newId: NewId): Step {
  const { serverTimeMs, ...names } = enrolment;
  const fresh: Agent = {
    ...names,
    anchor: { atMs: serverTimeMs, elapsedMs: phone.elapsedMs },
    serverHighMs: serverTimeMs,
    revision: 0,
    policy: FREE_POLICY,
    lease: null,
    leaseLevel: 0,
    passed: [],
    noticesShown: [],
    remindersShown: [],
    banners: [],
    highestSeq: 0,
    done: [],
    acks: [],
    events: [],
    messages: [],
    rebootFor: null,
    knownSims: phone.sims,
    dispute: null,
    claimedPaidAtMs: null,
    lowBatteryTold: false,
  };
  const agent = queueEvent(fresh, phone.elapsedMs, newId, 'booted', {
    boot_count: phone.bootCount,
    after: 'enrolment',
  });
  return { phone: { ...phone, agent }, effects: [{ kind: 'contact' }] };
}

function replied(phone: Phone, before: Agent, { reply, lease, sentAcks, sentEventIds }: VerifiedReply) {
  const wasSent = new Set(sentAcks.map((ack) => `${ack.id} ${ack.status}`));
  const isSent = before.dispute !== null && sentEventIds.includes(before.dispute.eventId);
  const told: Agent = {
    ...before,
    acks: before.acks.filter((ack) => !wasSent.has(`${ack.id} ${ack.status}`)),
    events: before.events.filter((event) => !sentEventIds.includes(event.id)),
    dispute: isSent && before.dispute ? { ...before.dispute, isSent: true } : before.dispute,
  };
  if (before.policy.released && reply.desired === null) {
    // Restrictions went first, the server knows: now the key and the agent go.
    return { agent: told, effects: [{ kind: 'destroy_key' }] satisfies Effect[] };
  }
  const serverMs = Date.parse(reply.server_time);
  let agent = claimTold(before, withServerTime(told, serverMs, phone.elapsedMs), serverMs);
  const effects: Effect[] = [];
  const take = (changed: { agent: Agent; effects: Effect[] }) => {
    agent = changed.agent;
    effects.push(...changed.effects);
  };
  if (reply.desired) take(applyDesired(agent, reply.desired, trustedNow(agent, phone.elapsedMs)));
  if (lease)
    take(
      applyLease(agent, lease, { isDisputeKnown: before.dispute?.isSent ?? false, isClaimKnown: isClaimHeard(before) }),
    );
  // Let go: whatever it was allowed to do alone is over.
  if (agent.policy.released) agent = { ...agent, lease: null, leaseLevel: 0 };
  for (const order of [...reply.commands].sort((a, b) => a.seq - b.seq)) take(takeOrder(phone, agent, order));
  return { agent, effects };
}

function messageSeen(agent: Agent, id: string): { agent: Agent; effects: Effect[] } {
  const message = agent.messages.find((one) => one.id === id && !one.isSeen);
  if (!message) return { agent, effects: [] };
  const messages = agent.messages.map((one) => (one.id === id ? { ...one, isSeen: true } : one));
  const seen = acknowledge(agent, { id, seq: message.seq, status: 'seen' });
  return { agent: { ...seen, messages }, effects: [{ kind: 'contact' }] };
}

/** The words wait as an event until the server has them, by their own call or with the next contact. */
function disputed(phone: Phone, agent: Agent, text: string, newId: NewId): { agent: Agent; effects: Effect[] } {
  const told = queueEvent(agent, phone.elapsedMs, newId, 'dispute', { text });
  const eventId = told.events.at(-1)!.id;
  // Nothing more is locked until the shop replies, so no notice of it stands any longer.
  const banners = agent.banners.filter(({ kind }) => kind !== 'notice');
  return {
    agent: { ...told, banners, dispute: { eventId, isSent: false } },
    effects: [{ kind: 'send_dispute', text }],
  };
}

/** The dispute reached the server by its own call: the event need not carry it again. */
function disputeSent(agent: Agent): { agent: Agent; effects: Effect[] } {
  if (!agent.dispute) return { agent, effects: [] };
  const { eventId } = agent.dispute;
  const events = agent.events.filter((event) => event.id !== eventId);
  return { agent: { ...agent, events, dispute: { eventId, isSent: true } }, effects: [] };
}

/** The server has what was said to be paid. It was said then at the latest, whatever the phone's clock says: what is answered after that is its answer. */
function claimTold(before: Agent, after: Agent, serverMs: number): Agent {
  const agent = restTold(before, after, serverMs);
  const waits = ({ events }: Agent) => events.some(({ kind }) => kind === 'payment_claimed');
  if (!waits(before) || waits(agent) || agent.claimedPaidAtMs === null) return agent;
  return { ...agent, claimedPaidAtMs: Math.min(agent.claimedPaidAtMs, serverMs), claimToldAtMs: serverMs };
}

/** The server has the word that the ladder waits for: it rests for it from that day on, and the phone as long. */
function restTold(before: Agent, agent: Agent, serverMs: number): Agent {
  const { claimRest } = agent;
  const waits = ({ events }: Agent) => events.some(({ id }) => id === claimRest?.eventId);
  if (!claimRest || !waits(before) || waits(agent)) return agent;
  return { ...agent, claimRest: { ...claimRest, untilMs: claimRestEndMs(serverMs) } };
}

/** The word that the ladder waits for was answered by the server once: it is in no report any more. */
const isClaimHeard = ({ claimRest, events }: Agent): boolean =>
  !!claimRest && !events.some(({ id }) => id === claimRest.eventId);

const MAX_RESTED = 24;

/**
 * The ladder waits from now on for what the server makes of it, once for an instalment and as long as the server would: said again it stops nothing, and said
 * before that is due neither, and the wait is still there when it is late.
 */
function paymentClaimed(phone: Phone, agent: Agent, newId: NewId): { agent: Agent; effects: Effect[] } {
  const told = queueEvent(agent, phone.elapsedMs, newId, 'payment_claimed', { lock_level: effectiveLevel(agent) });
  const claimedPaidAtMs = trustedNow(agent, phone.elapsedMs);
  const claimed: Agent = { ...told, claimedPaidAtMs, claimToldAtMs: null };
  const { restedFor = [] } = agent;
  const instalment = agent.lease?.screen?.due_since ?? '';
  if (instalment <= businessDate(claimedPaidAtMs) && !restedFor.includes(instalment)) {
    claimed.claimRest = { eventId: told.events.at(-1)!.id, untilMs: claimRestEndMs(claimedPaidAtMs) };
    claimed.restedFor = [...restedFor, instalment].slice(-MAX_RESTED);
  }
  return { agent: claimed, effects: [{ kind: 'contact' }] };
}
