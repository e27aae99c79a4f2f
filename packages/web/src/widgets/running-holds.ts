import type { LockTimeline } from '@kist/contract/customers';
import { businessDate } from '@kist/contract/dates';
import { useShopNowMs } from '#web/state/shop-clock.ts';

/** The time that is given and not over yet, today: a page that was kept tells of days that have passed meanwhile. */
export function useRunningHolds(timeline: Pick<LockTimeline, 'holds'> | null): LockTimeline['holds'] {
  const today = businessDate(useShopNowMs());
  return (timeline?.holds ?? []).filter(({ until_on }) => until_on >= today);
}
