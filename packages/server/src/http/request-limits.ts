import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { Actor } from '#server/identity/identity.ts';
import { networkOf, siteOf } from '#server/platform/network.ts';
import type { RateCounter } from '#server/platform/rate-counter.ts';
import type { RateRule, RateVerdict } from '#server/platform/rate-limit.ts';
import type { Caller } from './app-types.ts';
import { type Area, areaOf } from './area.ts';

/** A promise only where the other processes have to be asked; it rejects with RATE_LIMITED like the call itself. */
type Counted = void | Promise<void>;

/** How often one address, account and organisation may ask, all processes together. Codes and PINs have their own counts in identity. */
export interface RequestLimits {
  /** Every request, before anything else looks at it. @throws KistError RATE_LIMITED with the seconds to wait */
  address(ip: string, path: string): Counted;
  /** Calls by which one signs in, where guessing happens, or asks for an account. @throws KistError RATE_LIMITED */
  signIn(caller: Pick<Caller, 'ip'>, path: string): Counted;
  /** Requests for an account that a form was rightly filled in for. @throws KistError RATE_LIMITED */
  signupRequest(ip: string): Counted;
  /** The public question about an IMEI, where numbers could be tried one after the other. @throws KistError RATE_LIMITED */
  publicImei(ip: string): Counted;
  /**
   * A link to an agreement's notices, opened or complained by: of a right one by its agreement, of any other by address. Whoever makes links up shuts nobody
   * out who has one, behind the same address neither. @throws KistError RATE_LIMITED
   */
  noticeLink(what: LinkUse, by: { ip: string } | { agreementId: string }): Counted;
  /** @throws KistError RATE_LIMITED */
  account(actor: Actor): Counted;
  /** The public question about this server's key, of which each answer takes a signature. @throws KistError RATE_LIMITED */
  serverKey(ip: string): Counted;
  /** Attempts to prove something that failed. */
  failures: FailureLimits;
  /** One phone, which has proved who it is. @param budget the same under each of its names @throws KistError RATE_LIMITED */
  phone(kind: 'checkin' | 'poll' | 'dispute', budget: string): Counted;
  /** @returns false when this freshness value was used by a changing request before. */
  firstUse(digest: Buffer): Promise<boolean>;
}

export interface FailureLimits {
  /** @returns for how many seconds this address, or whoever names this key, is a suspect: it failed too often lately. 0: it did not */
  suspectForS(ip: string, keyid: string): number;
  /** @param keyid '' where only the address counts */
  failed(ip: string, keyid: string): void;
}

/**
 * A minute each. A shop's counter makes some 100 requests in its busiest minute; a dozen shops may share one address (carrier NAT).
 * At sign-in codes and PINs are guessed, hence far fewer.
 */
const PER_MINUTE = {
  signInAddress: 60,
  account: 900,
  organisation: 60_000,
  /** Thousands of phones share a carrier's address and all may be right: only what fails counts here. */
  failuresOfAddress: 60,
  /** Of an IPv6 site, which is given to one subscriber and has 65,536 networks: ten of them that failed too often are one stranger who moves about. */
  failuresOfSite: 600,
  failuresOfKey: 10,
} as const;

/** Of a network a day: a shop asks once, and a stranger fills no list that somebody has to read. */
const SIGNUPS_PER_DAY = 5;
/** Of an address a minute: a shop that buys used phones asks a few times. */
const IMEIS_PER_MINUTE = 20;
/** Of an address a minute: whoever sets agents up by hand asks once for each. */
const SERVER_KEYS_PER_MINUTE = 60;
/** A right link: one person who reads, and has no more to say about one agreement in an hour. A wrong one: many addresses mistyped by many customers of one carrier. */
const LINK_USES = {
  read: { windowS: 60, agreement: 60, address: 300 },
  complaint: { windowS: 3600, agreement: 10, address: 120 },
} as const;
type LinkUse = keyof typeof LINK_USES;

/** Addresses by what is asked for. Phones check in every few minutes and hold a poll: 60,000 is some ten thousand phones behind one address. */
const ADDRESS_PER_MINUTE: Record<Area, number> = {
  api: 3000,
  agent: 60_000,
  hooks: 6000,
  demo: 1200,
  lab: 6000,
  metrics: 60,
  health: 600,
  files: 6000,
};
const ADDRESS_RULES = Object.fromEntries(
  Object.keys(ADDRESS_PER_MINUTE).map((area) => [area, `http.${area}`]),
) as Record<Area, string>;

function linkRule(what: LinkUse, by: { ip: string } | { agreementId: string }, factor: number): RateRule {
  const [name, subject] =
    'ip' in by ? (['address', networkOf(by.ip)] as const) : (['agreement', by.agreementId] as const);
  const { windowS, [name]: limit } = LINK_USES[what];
  return { name: `link.${what}.${name}`, subject, limit: limit * factor, windowS };
}

/** @param options.factor multiplies every limit: benchmarks and load tests come from one address. */
export function createRequestLimits(options: {
  counter: RateCounter;
  firstUse: (digest: Buffer) => Promise<boolean>;
  factor: number;
}): RequestLimits {
  const { counter, firstUse, factor } = options;
  const rule = (name: string, subject: string, perMinute: number): RateRule => ({
    name,
    subject,
    limit: perMinute * factor,
    windowS: 60,
  });
  const check = (rules: RateRule[]): Counted => {
    const verdict = counter.hit(rules);
    return verdict instanceof Promise ? verdict.then(judge) : judge(verdict);
  };
  const takeBurst = createBursts(LIMITS.agentCallsAtOnce * factor, LIMITS.agentCallsPerMinute * factor);
  return {
    address(ip, path) {
      const area = areaOf(path);
      return check([rule(ADDRESS_RULES[area], networkOf(ip), ADDRESS_PER_MINUTE[area])]);
    },
    signIn({ ip }, path) {
      if (!path.startsWith('/api/auth/') && path !== '/api/user/signup_request') return undefined;
      return check([rule('http.signInAddress', networkOf(ip), PER_MINUTE.signInAddress)]);
    },
    signupRequest: (ip) =>
      check([{ name: 'signup.network', subject: networkOf(ip), limit: SIGNUPS_PER_DAY * factor, windowS: 86_400 }]),
    publicImei: (ip) => check([rule('public.imei', networkOf(ip), IMEIS_PER_MINUTE)]),
    serverKey: (ip) => check([rule('agent.key', networkOf(ip), SERVER_KEYS_PER_MINUTE)]),
    noticeLink: (what, by) => check([linkRule(what, by, factor)]),
    account: (actor) =>
      check([
        rule('http.account', actor.userId, PER_MINUTE.account),
        rule('http.organisation', String(actor.orgId), PER_MINUTE.organisation),
      ]),
    failures: failureLimits(counter, rule),
    phone(kind, budget) {
      takeBurst(`${kind} ${budget}`);
      return check([rule(`agent.${kind}`, budget, LIMITS.agentCallsPerMinute)]);
    },
    firstUse,
  };
}

function failureLimits(
  counter: RateCounter,
  rule: (name: string, subject: string, perMinute: number) => RateRule,
): FailureLimits {
  const there = (ip: string): RateRule[] => {
    const network = networkOf(ip);
    const address = rule('failures.address', network, PER_MINUTE.failuresOfAddress);
    return network.includes(':') ? [address, rule('failures.site', siteOf(ip), PER_MINUTE.failuresOfSite)] : [address];
  };
  const of = (keyid: string): RateRule[] =>
    keyid === '' ? [] : [rule('failures.key', keyid, PER_MINUTE.failuresOfKey)];
  return {
    suspectForS: (ip, keyid) => counter.peek([...there(ip), ...of(keyid)]).retryAfterS,
    failed(ip, keyid) {
      const rules = there(ip);
      // One who is suspect already makes none of the neighbours suspect by going on.
      const isSuspect = counter.peek(rules).retryAfterS > 0;
      void counter.hit(isSuspect ? of(keyid) : [...rules, ...of(keyid)]);
    },
  };
}

/** @throws KistError RATE_LIMITED with the seconds to wait */
function judge({ allowed, retryAfterS }: RateVerdict): void {
  if (!allowed) throw new KistError('RATE_LIMITED', { retryAfterS });
}

const MINUTE_MS = 60_000;

/**
 * So many at once, then at the pace of so many a minute; in this process, as a phone speaks with one at a time. Only those that asked within the last
 * minute are remembered, by minutes: nothing has to be searched for what is old.
 */
function createBursts(burst: number, perMinute: number): (subject: string) => void {
  const paceMs = MINUTE_MS / perMinute;
  /** When a subject's last request would have come, had each kept the pace. */
  let present = new Map<string, number>();
  let before = new Map<string, number>();
  let turnsAtMs = 0;
  return (subject) => {
    const nowMs = performance.now();
    if (nowMs >= turnsAtMs) {
      [before, present] = [present, new Map()];
      turnsAtMs = nowMs + MINUTE_MS;
    }
    const dueMs = Math.max(nowMs, present.get(subject) ?? before.get(subject) ?? 0);
    const waitMs = dueMs - nowMs - (burst - 1) * paceMs;
    if (waitMs > 0) throw new KistError('RATE_LIMITED', { retryAfterS: Math.ceil(waitMs / 1000) });
    present.set(subject, dueMs + paceMs);
  };
}
