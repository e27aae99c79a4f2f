import type { CacheSnapshot } from 'virtua';
import type { CustomerRow } from '@kist/contract/customers';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { onSessionEnd } from '#web/state/session.ts';
import { onMadeOld } from '#web/state/made-old.ts';
import { onClockLeap } from '#web/state/shop-clock.ts';

/** Where somebody stood in a list, to come back to the very pixel: its data, how far it was scrolled, its total. */
export interface Place {
  key: string;
  data: CustomerRow[];
  total: number;
  page: number;
  scrollPosition: number;
  /** Rows of a table are not as high as those of a phone's list. */
  isTable: boolean;
  cache: CacheSnapshot | undefined;
  at: number;
  /** Something was written since: the rows are shown where they stood, and read anew. */
  isOld?: boolean;
}

/** Older than this the list is loaded anew; the position is kept within it. */
const KEPT_MS = 300_000;
let last: Place | undefined;
onSessionEnd(() => (last = undefined));
onClockLeap(() => (last = undefined));
onMadeOld('listCustomers', () => {
  if (last) last = { ...last, isOld: true };
});

/** Memory only: names and numbers of people are never written to the browser's storage. */
export const keepPlace = (place: Place): void => {
  last = place;
};
export const placeOf = (key: string, nowMs = phoneNowMs()): Place | undefined =>
  last?.key === key && nowMs - last.at < KEPT_MS ? last : undefined;
