import type { CacheSnapshot } from 'virtua';
import type { ShopRow } from '@kist/contract/people';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { onSessionEnd } from '#web/state/session.ts';
import { onClockLeap } from '#web/state/shop-clock.ts';

/** Where somebody stood in the list of shops, to come back to the very pixel: its data, how far it was scrolled, its total. */
export interface Place {
  key: string;
  data: ShopRow[];
  total: number;
  page: number;
  scrollPosition: number;
  /** Rows of a table are not as high as those of a phone's list. */
  isTable: boolean;
  cache: CacheSnapshot | undefined;
  at: number;
}

/** Older than this the list is loaded anew; the position is kept within it. */
const KEPT_MS = 300_000;
let last: Place | undefined;
onSessionEnd(() => (last = undefined));
onClockLeap(() => (last = undefined));

/** Memory only: names and numbers of people are never written to the browser's storage. */
export const keepPlace = (place: Place): void => {
  last = place;
};
export const placeOf = (key: string, nowMs = phoneNowMs()): Place | undefined =>
  last?.key === key && nowMs - last.at < KEPT_MS ? last : undefined;
/** What changed a shop makes the list old. */
export const forgetPlace = (): void => {
  last = undefined;
};
