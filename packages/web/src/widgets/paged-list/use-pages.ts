import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import { isNetworkError, type ApiError } from '#web/api/errors.ts';
import { useSyncState } from '#web/offline/sync-state.ts';
import { listPlace, type Place } from './place.ts';
import { type FetchPage, type Loaded, merge, type Source, Turns, useReadAnew, wasKept } from './read-anew.ts';

/** After the server is back: many screens ask at that moment, and one that answers some calls only is not asked without a pause. */
const AGAIN_MS = 1000;

/**
 * A list of the app: how it is read, and where somebody stood in it.
 * @param read the call that its pages come from
 * @param idOf tells its rows apart
 */
export const pagedList = <Row>(read: CallName, idOf: (row: Row) => string) => ({
  read,
  idOf,
  ...listPlace<Row>(read),
});
type PagedList<Row> = ReturnType<typeof pagedList<Row>>;

/** What stands of a list on the screen. */
export interface Pages<Row> {
  loaded: Loaded<Row> | null;
  /** The rows that stand here are those of the question before: the answer to what is asked now is on its way. */
  isStale: boolean;
  error: ApiError | null;
  isLoading: boolean;
  more: () => void;
  retry: () => void;
  refresh: () => Promise<void>;
  /** Where one stood, when one comes back to the same list; until other rows stand there. */
  restored: Place<Row> | undefined;
  keepPlace: (place: Place<Row>) => void;
}

/**
 * A list, page by page as it is scrolled. A changed filter keeps the old rows on the screen until the new ones are there. A page that nobody
 * answered is asked for again as soon as the server is back, as every other read is.
 * @example usePages(customerList, filters, useSend('listCustomers')[0])
 */
export function usePages<Row, Filters extends object>(
  list: PagedList<Row>,
  filters: Filters,
  fetchPage: FetchPage<Row, Filters>,
): Pages<Row> {
  const key = JSON.stringify(filters);
  const { placeOf, keepPlace } = list;
  const [restored] = useState(() => placeOf(key));
  const { loaded, setLoaded, error, isLoading, load, turns } = useLoads(list, { key, restored }, fetchPage);
  const shown = isLoading ? null : loaded;
  useReadAnew(list, { shown, wasOld: restored?.isOld ?? false, turns }, fetchPage, setLoaded);

  const more = useCallback(() => {
    if (loaded?.key === key && loaded.rows.length < loaded.total && !error) void load(loaded.page + 1);
  }, [loaded, key, error, load]);
  const retry = useCallback(() => void load(error?.page ?? 1), [load, error]);
  useAgain(loaded?.keptAtMs !== undefined || (error !== null && isNetworkError(error.why)), retry);
  const refresh = () => load(1);
  const place = loaded?.rows === restored?.data ? restored : undefined;
  return { ...standing(loaded, key, error), isLoading, more, retry, refresh, restored: place, keepPlace };
}

/** @returns what may stand on the screen while `key` is asked for */
function standing<Row>(
  loaded: Loaded<Row> | null,
  key: string,
  error: Failed | null,
): Pick<Pages<Row>, 'loaded' | 'isStale' | 'error'> {
  const isOther = loaded !== null && loaded.key !== key;
  // That nothing was found says nothing about what was asked since; nor do any rows, once one knows that no others come.
  const stands = isOther && (loaded.total === 0 || error) ? null : loaded;
  return { loaded: stands, isStale: isOther && stands !== null, error: error?.why ?? null };
}

/**
 * How many rows there are, for the line below a screen's title. Until what was asked since is answered nobody knows how many those are: the line keeps its
 * place, and says no number of before.
 */
export function countLine(
  { loaded, isStale }: Pick<Pages<unknown>, 'loaded' | 'isStale'>,
  say: (count: number) => string,
): string | undefined {
  if (!loaded) return undefined;
  return isStale ? '\u00a0' : say(loaded.total);
}

/** The page that could not be had, and of which question. */
interface Failed {
  key: string;
  page: number;
  why: ApiError;
}

/** Asks for pages, and keeps what came of them; only the question that was asked last is listened to. */
function useLoads<Row, Filters extends object>(
  list: PagedList<Row>,
  { key, restored }: { key: string; restored: Place<Row> | undefined },
  fetchPage: FetchPage<Row, Filters>,
) {
  const [loaded, setLoaded] = useState<Loaded<Row> | null>(restored ? fromPlace(restored) : null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const [isLoading, setLoading] = useState(false);
  const asked = useRef(restored ? key : '');
  const [turns] = useState(() => new Turns());
  const load = useCallback(
    async (page: number) => {
      const mine = key;
      if (turns.isBusy && asked.current === mine && page > 1) return;
      asked.current = mine;
      const isLast = turns.begin();
      setLoading(true);
      const input = { query: { ...(JSON.parse(mine) as Filters), page, page_size: LIMITS.pageSize } };
      const answer = await fetchPage(input);
      if (!isLast()) return;
      setLoading(false);
      if (answer.error) return setFailed({ key: mine, page, why: answer.error });
      setFailed(null);
      const { list: rows, total } = answer.data;
      const fresh = { key: mine, rows, total, page, ...wasKept(list.read, input) };
      // In slices: drawn in one go, the rows would keep a cheap phone from hearing a thumb for a quarter of a second.
      startTransition(() => setLoaded((before) => withPage(list, before, fresh)));
    },
    [fetchPage, key, list, turns],
  );
  useEffect(() => {
    if (asked.current !== key) void load(1);
  }, [key, load]);
  const error = failed?.key === key ? failed : null;
  return { loaded, setLoaded, error, isLoading, load, turns };
}

const fromPlace = <Row>({ key, data: rows, total, page, keptAtMs, isSearched }: Place<Row>): Loaded<Row> => ({
  key,
  rows,
  total,
  page,
  keptAtMs,
  isSearched,
});

/** The first page stands instead of what was there, a later one below it: together they are as old as the older of them. */
function withPage<Row>(list: Source<Row>, before: Loaded<Row> | null, fresh: Loaded<Row>): Loaded<Row> {
  if (fresh.page === 1 || !before) return fresh;
  const kept = [before.keptAtMs, fresh.keptAtMs].filter((atMs) => atMs !== undefined);
  const keptAtMs = kept.length > 0 ? Math.min(...kept) : undefined;
  return { ...fresh, rows: merge(list, before.rows, fresh.rows), keptAtMs };
}

/** What could not be asked of the server is asked as soon as it is back. */
function useAgain(isWanted: boolean, retry: () => void): void {
  const isWorthAsking = useSyncState().isOnline && isWanted;
  useEffect(() => {
    if (!isWorthAsking) return;
    const timer = setTimeout(retry, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isWorthAsking, retry]);
}
