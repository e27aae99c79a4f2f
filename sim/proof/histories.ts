import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@kist/contract/dates';
import { runDay, violations } from '@kist/server/measured';
import { type Acts, type Act, actsIn } from './acts.ts';
import { type Fate, FarPhone } from './far-phone.ts';
import { carryOut } from './hands.ts';
import type { House } from './house.ts';
import { knownOf } from './known.ts';
import type { Tally } from './judge.ts';
import type { Luck } from './random.ts';
import { type Truth, truthOf } from './truths.ts';
import { type Sold, type World, grant, openShop, sell } from './world.ts';

/** Weekly instalments: in this time most lives reach every level and come back. */
const DAYS = 70;
const HOUR_MS = DAY_MS / 24;
/** Steps that the phones take at once: several of them fall into one batch of check-ins. */
const AT_ONCE = 16;
/** Half a year either way. */
const CLOCK_OFF_DAYS = 180;
const ROUNDS_TO_SETTLE = 8;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** What happened how often, over all lives. */
export type Happened = Record<string, number>;

interface Life {
  orgId: number;
  sold: Sold;
  phone: FarPhone;
  /** The shop's books as they stood at some moment since the phone was last given something: a step is allowed by any of them. */
  known: Truth[];
  /** Payments that may be taken back, claims and disputes that wait. */
  paymentIds: string[];
  claimIds: string[];
  /** As it was seen last. */
  level: number;
  /** Ticks until it has a network again. */
  offFor: number;
}

/**
 * Phones on a bad network and customers who pay late live through ten weeks: questions and answers get lost, come twice or late, phones restart and stay
 * off, their clocks are set either way, money comes, is claimed and taken back, things are disputed, shops press every switch. After each step no phone may
 * be held earlier than its policy allows; what is paid for holds nobody; in the end phone and server agree.
 */
export async function liveTogether(
  house: House,
  { orgId, lives: count, luck, tally }: { orgId: number; lives: number; luck: Luck; tally: Tally },
): Promise<Happened> {
  const world = await openShop(house, orgId);
  await grant(house, world, world.retailer, 'paid', count, 'at the start');
  const lives: Life[] = [];
  for (let n = 0; n < count; n += 1) lives.push(await begin(house, world, luck));
  const happened: Happened = {};
  const say = (what: string) => (happened[what] = (happened[what] ?? 0) + 1);
  const breaks = (what: string) => tally.broken.add(`histories, org ${orgId}: ${what}`);
  let passedMs = 0;
  let dayMs = 0;
  while (passedMs < DAYS * DAY_MS) {
    const ms = luck.between(3, 11) * HOUR_MS;
    passedMs += ms;
    await passTime(house, lives, ms);
    if (passedMs - dayMs >= DAY_MS) {
      dayMs = passedMs;
      await runDay({ ...house.services, log: quiet }, orgId);
    } else await house.services.locking.runLadder(house.services.db, orgId);
    const known = await knownOf(house, world);
    const acts = actsIn(world, known, luck);
    const steps = lives.map((life) => stepOf(life, { acts, luck, say }));
    for (let from = 0; from < steps.length; from += AT_ONCE)
      await Promise.all(steps.slice(from, from + AT_ONCE).map((step) => step(house)));
    await look(house, world, lives, { breaks, tally, say });
  }
  await settle(house, world, lives, { breaks, tally, say });
  for (const { phone } of lives) for (const refused of phone.refusals) breaks(`a phone was answered: ${refused}`);
  return happened;
}

async function begin(house: House, world: World, luck: Luck): Promise<Life> {
  let phone: FarPhone | undefined;
  const setUp = async (code: string, imei: string) => {
    phone = new FarPhone(house, imei, Date.now());
    await phone.setUp(code);
  };
  const sold = await sell(house, world, luck, world.retailer, { setUp });
  await phone!.contact('arrives');
  const [truth] = await truthOf(house, world.orgId, [sold.customerId]);
  return {
    orgId: world.orgId,
    sold,
    phone: phone!,
    known: [truth!],
    paymentIds: [],
    claimIds: [],
    level: 0,
    offFor: 0,
  };
}

/** For everybody, whether on or off; a phone that is off does not count it. */
async function passTime(house: House, lives: readonly Life[], ms: number): Promise<void> {
  await house.owner((client) =>
    client.query(`update clock_offset set shift = shift + make_interval(secs => $1)`, [ms / 1000]),
  );
  for (const { phone } of lives) phone.happen({ kind: 'elapse', ms });
}

const FATES: readonly Fate[] = [
  'arrives',
  'arrives',
  'arrives',
  'question lost',
  'answer lost',
  'told twice',
  'answer late',
];

/** What one life does next: something a person, the network or the phone does. */
function stepOf(
  life: Life,
  { acts, luck, say }: { acts: Acts; luck: Luck; say: (what: string) => void },
): (house: House) => Promise<void> {
  const { phone, sold } = life;
  if (life.offFor > 0) {
    life.offFor -= 1;
    if (life.offFor === 0) phone.happen({ kind: 'power_on' });
    return async () => undefined;
  }
  const told = (what: string, act: Act) => async (house: House) => {
    const { outcome } = await carryOut(house, act);
    say(`${what}: ${outcome}`);
    if (outcome === 'done' && act.effect.kind === 'pay') life.paymentIds.push(act.effect.paymentId);
    if (outcome === 'done' && act.effect.kind === 'claim') life.claimIds.push(act.effect.paymentId);
  };
  const from = <T>(list: T[], make: (one: T) => Act, what: string) =>
    list.length > 0 ? told(what, make(list.splice(luck.between(0, list.length - 1), 1)[0]!)) : undefined;
  const contact = async () => {
    const fate = luck.pick(FATES);
    say(`contact, ${fate}`);
    if (fate === 'arrives' && luck.next() < 0.5) phone.hearLate();
    if (await phone.contact(fate)) life.known = life.known.slice(-1);
  };
  const holder = (what: string, event: Parameters<FarPhone['happen']>[0]) => async () => {
    say(what);
    phone.happen(event);
  };
  const order = (command: string) => told(`order ${command}`, acts.order(sold, command));
  const options: [weight: number, make: () => ((house: House) => Promise<void>) | undefined][] = [
    [50, () => contact],
    [5, () => told('part paid', acts.pay(sold, { back: 0 }))],
    [4, () => told('paid', acts.pay(sold, { back: 0, paise: sold.emiPaise * luck.between(1, 3) }))],
    [3, () => from(life.paymentIds, acts.reverse, 'taken back')],
    [2, () => told('claimed', acts.claim(sold))],
    [3, () => from(life.claimIds, (id) => acts.answer(id), 'claim answered')],
    [1, () => holder('disputed on the phone', { kind: 'dispute', text: 'I have paid this' })],
    [1, () => told('disputed at the counter', acts.dispute(sold))],
    [3, () => closing(life, acts, say)],
    [8, () => order(luck.pick(['lock', 'unlock', 'camera_lock', 'camera_unlock', 'app_lock', 'app_unlock', 'reboot']))],
    [2, () => holder('restarted', { kind: 'power_off' })],
    [2, () => off(life, luck, say)],
    [3, () => holder('clock set', { kind: 'set_wall_clock', wallMs: phone.wallMs + clockOff(luck) })],
    [2, () => holder('said to have paid', { kind: 'payment_claimed' })],
  ];
  const total = options.reduce((sum, [weight]) => sum + weight, 0);
  let at = luck.next() * total;
  const chosen = options.find(([weight]) => (at -= weight) < 0)!;
  const done = chosen[1]() ?? contact;
  return async (house) => {
    await done(house);
    if (!phone.isOn && life.offFor === 0) phone.happen({ kind: 'power_on' });
  };
}

const clockOff = (luck: Luck): number => luck.between(-CLOCK_OFF_DAYS, CLOCK_OFF_DAYS) * DAY_MS;

function off(life: Life, luck: Luck, say: (what: string) => void) {
  return async () => {
    say('off for some time');
    life.phone.happen({ kind: 'power_off' });
    life.offFor = luck.between(1, 12);
  };
}

/** The open dispute of a life is closed, if there is one. */
const closing = (life: Life, acts: Acts, say: (what: string) => void) => async (house: House) => {
  const [truth] = await truthOf(house, life.orgId, [life.sold.customerId]);
  if (!truth?.disputeId) return;
  const { outcome } = await carryOut(house, acts.closeDispute(truth.disputeId));
  say(`dispute closed: ${outcome}`);
};

/** The highest level that the policy knows for a debt of that day, so many days later; proofs, disputes and holds only make it less. */
const mostOn = ({ dueDay, steps }: Truth, today: number): number =>
  Math.max(0, ...steps.filter(({ fromDpd }) => dueDay !== null && today - dueDay >= fromDpd).map(({ level }) => level));

/** A phone that was given back. */
const FREE = { level: 0, toggles: {} };

interface Judging {
  breaks: (what: string) => void;
  say: (what: string) => void;
  tally: Tally;
}

/** Nobody is held early, and nobody whom the shop's books hold free is wanted held. */
async function look(house: House, { orgId }: World, lives: Life[], { breaks, say, tally }: Judging): Promise<void> {
  const truths = new Map((await truthOf(house, orgId, null)).map((truth) => [truth.customerId, truth]));
  for (const life of lives) {
    const truth = truths.get(life.sold.customerId)!;
    life.known.push(truth);
    const { level, toggles } = life.phone.state ?? FREE;
    const isRaised = level > life.level;
    life.level = level;
    const allowed = Math.max(...life.known.map((known) => mostOn(known, truth.today)));
    if (level > 0) say(`seen at level ${level}`);
    const isHeld = level > 0 || Object.values(toggles).some(Boolean);
    if (isRaised && level > allowed)
      breaks(`${truth.deviceId} took level ${level}, ${allowed} is the most that any day since its last word allowed`);
    else if (isHeld && !life.known.some(({ dueDay }) => dueDay !== null && dueDay < truth.today))
      breaks(`${truth.deviceId} is held (${JSON.stringify(toggles)}) though nothing was late since its last word`);
    else if (truth.isWantedHeld && !truth.isLate)
      breaks(`${truth.deviceId} is wanted held (level ${truth.wantedLevel}) though nothing is late`);
    else tally.held += 1;
  }
}

/** The network is well again: after some contacts phone and server say the same, nothing waits, and nothing is that must never be. */
async function settle(house: House, { orgId }: World, lives: Life[], { breaks, tally }: Judging): Promise<void> {
  for (const { phone } of lives) {
    phone.happen({ kind: 'power_on' });
    phone.hearLate();
  }
  for (let round = 0; round < ROUNDS_TO_SETTLE; round += 1) {
    await house.services.locking.runLadder(house.services.db, orgId);
    for (const { phone } of lives) {
      phone.happen({ kind: 'elapse', ms: 60_000 });
      await phone.contact('arrives');
      if (!phone.isOn) phone.happen({ kind: 'power_on' });
    }
  }
  const truths = new Map((await truthOf(house, orgId, null)).map((truth) => [truth.customerId, truth]));
  for (const { sold, phone } of lives) {
    const truth = truths.get(sold.customerId)!;
    if (phone.state === undefined) {
      if (truth.isReleased) tally.held += 1;
      else breaks(`${truth.deviceId} gave itself back though its agreement runs`);
      continue;
    }
    const { level, toggles, revision, events, acks } = phone.state;
    const wanted = { revision: truth.revision, level: truth.wantedLevel, toggles: truth.wantedToggles };
    const is = { revision, level, toggles };
    if (!isDeepStrictEqual(is, wanted))
      breaks(`${truth.deviceId} is ${JSON.stringify(is)} in the end, wanted ${JSON.stringify(wanted)}`);
    else if (truth.reportedRevision !== revision || truth.reportedLevel !== level)
      breaks(
        `${truth.deviceId} is at ${revision}, level ${level}; the server believes ${truth.reportedRevision}, level ${truth.reportedLevel}`,
      );
    else if (events + acks > 0) breaks(`${truth.deviceId} still has ${events} events and ${acks} answers to tell`);
    else tally.held += 1;
  }
  const found = await house.owner(async (client) => {
    await client.query(`select set_config('kist.org_id', $1, false)`, [String(orgId)]);
    return violations(client);
  });
  for (const { invariant, id, detail } of found) breaks(`${invariant}: ${id} ${detail}`);
  tally.held += 1;
}
