import type { LockTimeline } from './customers.ts';

type Event = LockTimeline['events'][number];

const OF_LOCK: Record<string, string> = { THEFT_REPORTED: 'theft.said_theft', CUSTOMER_REQUEST: 'theft.said_lost' };

/** @returns the words for a lock at its owner's request, which no debt has to do with; undefined of any other. */
export const ownersLock = ({ reason }: Event['params']): string | undefined => OF_LOCK[reason ?? ''];

/** @returns the words of an event that is nothing but the customer's own word: of a theft, a loss, a payment. */
export function wordOfCustomer({ kind, params }: Pick<Event, 'kind' | 'params'>): string | undefined {
  if (kind === 'level') return ownersLock(params);
  return kind === 'hold' && params['kind'] === 'claim' ? 'bell.payment_claimed' : undefined;
}
