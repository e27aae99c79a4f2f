import { businessDate, type IsoDate } from '@kist/contract/dates';
import type { AgreementFacts, ConsentFacts, GateFacts } from './facts.ts';

/** The delay that days and notices are about. */
export interface Delay {
  /** The oldest unpaid instalment: what its notices speak of. */
  dueOn: IsoDate;
  /** Days count from here: the later of its due date and the day the customer agreed. */
  countsFrom: IsoDate;
  /** Notices of before this instant count for nothing. */
  noticesFromMs: number;
}

/** @returns the due date of the oldest instalment with something unpaid. */
export const unpaidSince = (agreement: AgreementFacts | null): IsoDate | null =>
  agreement !== null && agreement.oldestUnpaidPaise > 0 ? agreement.oldestUnpaidDueOn : null;

/** @returns when the first consent that counts was given; null when there is none. */
export function consentAtMs(consents: readonly ConsentFacts[]): number | null {
  const counting = consents.filter(({ textVersion, hash }) => textVersion !== '' && hash !== '');
  return counting.length === 0 ? null : Math.min(...counting.map((one) => one.acceptedAtMs));
}

/** What was reckoned last of an agreement: one decision asks for it some fifty times, level by level and day by day, of the same facts. */
const reckoned = new WeakMap<AgreementFacts, { consents: readonly ConsentFacts[]; delay: Delay | null }>();

/** @returns null when nothing is unpaid. Without a consent the due date stands alone: another rule refuses then. */
export function delayOf({ agreement, consents }: Pick<GateFacts, 'agreement' | 'consents'>): Delay | null {
  if (agreement === null) return null;
  const known = reckoned.get(agreement);
  if (known?.consents === consents) return known.delay;
  const dueOn = unpaidSince(agreement);
  const delay = dueOn === null ? null : delayFrom(dueOn, consentAtMs(consents), agreement.noticesFromMs);
  reckoned.set(agreement, { consents, delay });
  return delay;
}

/** @param consentMs when the customer agreed; null: not yet. */
export function delayFrom(dueOn: IsoDate, consentMs: number | null, noticesFromMs: number | null): Delay {
  const consentOn = consentMs === null ? dueOn : businessDate(consentMs);
  return { dueOn, countsFrom: consentOn > dueOn ? consentOn : dueOn, noticesFromMs: noticesFromMs ?? -Infinity };
}
