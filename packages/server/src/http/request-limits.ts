import { KistError } from '@kist/contract/errors';
import type { Actor } from '#server/identity/actor.ts';
import type { RateCounter } from '#server/platform/rate-counter.ts';
import type { RateRule, RateVerdict } from '#server/platform/rate-limit.ts';
import type { Caller } from './app-types.ts';

/** How often one address, account and organisation may ask, all processes together. Codes and PINs have their own counts in identity. */
export interface RequestLimits {
  /** @throws KistError RATE_LIMITED with the seconds to wait; a promise only where the other processes have to be asked */
  address(caller: Pick<Caller, 'ip'>, path: string): void | Promise<void>;
  /** @throws KistError RATE_LIMITED */
  account(actor: Actor): void | Promise<void>;
  /** @returns false when this freshness value was used by a changing request before. */
  firstUse(digest: Buffer): Promise<boolean>;
}

/**
 * A minute each. A shop's counter makes some 100 requests in its busiest minute; a dozen shops may share one address (carrier NAT).
 * Sign-in is the guesser's door, hence far narrower.
 */
const PER_MINUTE = { address: 3000, signInAddress: 60, account: 900, organisation: 60_000 } as const;

const NAMES = {
  address: 'http.address',
  signInAddress: 'http.signInAddress',
  account: 'http.account',
  organisation: 'http.organisation',
} as const satisfies Record<keyof typeof PER_MINUTE, string>;

/** @param options.factor multiplies every limit: benchmarks and load tests come from one address. */
export function createRequestLimits(options: {
  counter: RateCounter;
  firstUse: (digest: Buffer) => Promise<boolean>;
  factor: number;
}): RequestLimits {
  const { counter, firstUse, factor } = options;
  const rule = (kind: keyof typeof PER_MINUTE, subject: string): RateRule => ({
    name: NAMES[kind],
    subject,
    limit: PER_MINUTE[kind] * factor,
    windowS: 60,
  });
  const judge = ({ allowed, retryAfterS }: RateVerdict): void => {
    if (!allowed) throw new KistError('RATE_LIMITED', { retryAfterS });
  };
  const check = (rules: RateRule[]): void | Promise<void> => {
    const verdict = counter.hit(rules);
    return verdict instanceof Promise ? verdict.then(judge) : judge(verdict);
  };
  return {
    address(caller, path) {
      const rules = [rule('address', caller.ip)];
      if (path.startsWith('/api/auth/')) rules.push(rule('signInAddress', caller.ip));
      return check(rules);
    },
    account(actor) {
      return check([rule('account', actor.userId), rule('organisation', String(actor.orgId))]);
    },
    firstUse,
  };
}
