import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { CacheSnapshot, WindowVirtualizerHandle } from 'virtua';
import type { CallName } from '@kist/contract/paths';
import { onMadeOld } from '#web/state/made-old.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { onSessionEnd } from '#web/state/session.ts';
import { onClockLeap } from '#web/state/shop-clock.ts';

/** Where somebody stood in a list, to come back to the very pixel: its data, how far it was scrolled, its total. */
export interface Place<Row> {
  key: string;
  data: Row[];
  total: number;
  page: number;
  /** As of `Loaded`: rows that were kept on this phone are not the server's by being come back to. */
  keptAtMs?: number | undefined;
  isSearched?: boolean | undefined;
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

/**
 * Keeps the place in one list, in memory only: names and numbers of people are never written to the browser's storage.
 * @param read the call that the list's pages come from
 */
export function listPlace<Row>(read: CallName) {
  let last: Place<Row> | undefined;
  onSessionEnd(() => (last = undefined));
  onClockLeap(() => (last = undefined));
  onMadeOld(read, () => {
    if (last) last = { ...last, isOld: true };
  });
  return {
    keepPlace: (place: Place<Row>): void => {
      last = place;
    },
    placeOf: (key: string, nowMs = phoneNowMs()): Place<Row> | undefined =>
      last?.key === key && nowMs - last.at < KEPT_MS ? last : undefined,
  };
}

interface Shown<Row> {
  loaded: (Pick<Place<Row>, 'key' | 'total' | 'page' | 'keptAtMs' | 'isSearched'> & { rows: Row[] }) | null;
  restored: Place<Row> | undefined;
}

/** Opens a list where it was left, and notes the place when it is left again. @returns the list's handle */
export function usePlace<Row>(
  list: Shown<Row>,
  isTable: boolean,
  keepPlace: (place: Place<Row>) => void,
): RefObject<WindowVirtualizerHandle | null> {
  const restored = list.restored?.isTable === isTable ? list.restored : undefined;
  const handle = useRef<WindowVirtualizerHandle>(null);
  const latest = useRef(list);
  useLayoutEffect(() => {
    latest.current = list;
  });
  useLayoutEffect(() => {
    if (restored) window.scrollTo(0, restored.scrollPosition);
  }, [restored]);
  // Before the screen that comes next begins at its top.
  useLayoutEffect(() => {
    const now = handle;
    return () => {
      const { loaded } = latest.current;
      const place = { scrollPosition: window.scrollY, isTable, cache: now.current?.cache, at: phoneNowMs() };
      if (!loaded) return;
      const { key, rows: data, total, page, keptAtMs, isSearched } = loaded;
      keepPlace({ key, data, total, page, keptAtMs, isSearched, ...place });
    };
  }, [isTable, keepPlace]);
  return handle;
}
