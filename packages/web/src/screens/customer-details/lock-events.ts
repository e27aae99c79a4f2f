import type { TFunction } from 'i18next';
import type { LockTimeline } from '@kist/contract/customers';
import { wordOfCustomer } from '@kist/contract/lock-events';
import { formatDate } from '#web/i18n/formats.ts';

type LockEvent = LockTimeline['events'][number];

/** Told by channel is one thing told: the SMS and the phone's own notice of the same number and day are one line. */
const sameAs = (event: LockEvent): string =>
  `${event.kind} ${event.params['no'] ?? ''} ${event.params['due_on'] ?? ''} ${event.params['level'] ?? event.params['taken'] ?? ''}`;
const SHOWN = 12;
/** A late fee locks no phone: what was said of one does not tell why it is held. */
const OF_FEES = /^penal_/;

/** What is told after the end still belongs to it. */
const AFTERWARDS = /^unlocked_/;

/** @returns the events of what is over, up to the phone's own word that it opened (or to the payment, where it was never held), and those since then. */
export function byEpisode(timeline: Pick<LockTimeline, 'events' | 'level' | 'cure'>): {
  past: LockEvent[];
  now: LockEvent[];
} {
  const { events, level, cure } = timeline;
  const isOpen = level > 0 || (cure !== null && cure.confirmed_at === null);
  const ends = (kind: string) => kind === 'unlock_confirmed' || (!isOpen && kind === 'cured');
  let end = events.findLastIndex(({ kind }) => ends(kind)) + 1;
  while (end > 0 && end < events.length && AFTERWARDS.test(events[end]!.kind)) end += 1;
  return { past: events.slice(0, end), now: events.slice(end) };
}

/**
 * @returns the events that get a line: each once, none of late fees, reminders only while nothing heavier happened, the newest last.
 */
export function shownEvents(events: readonly LockEvent[]): LockEvent[] {
  const seen = new Set<string>();
  const ofLock = events.filter(({ kind }) => !OF_FEES.test(kind));
  const once = ofLock.filter((event) => !seen.has(sameAs(event)) && seen.add(sameAs(event)));
  const heavier = once.filter((event) => !event.kind.startsWith('reminder'));
  return (heavier.length > 0 ? heavier : once).slice(-SHOWN);
}

/** @returns the sentence of one event in the user's language. */
export function eventText(event: LockEvent, t: TFunction): string {
  const said = wordOfCustomer(event);
  if (said) return t(said);
  const { level, until_on: untilOn, days_past_due: daysPastDue, taken, ...params } = event.params;
  const words = {
    ...params,
    count: Number(daysPastDue ?? 0),
    ...(level === undefined ? {} : { level: t(`lock.level_short_${level}`) }),
    ...(taken === undefined ? {} : { what: t(`feature.${taken}`) }),
    ...(typeof untilOn === 'string' ? { until_on: formatDate(untilOn) } : {}),
  };
  return t(event.kind === 'lock_refused' ? 'lock_timeline.lock_refused' : `lock_timeline.${event.kind}`, words);
}
