import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { LIMITS } from '@kist/contract/limits';
import type { LooseInput } from '#web/api/calls.ts';
import { useSend } from '#web/api/use-send.ts';
import { isNetworkError, type ApiError } from '#web/api/errors.ts';
import { keptAtMs } from '#web/api/kept-at.ts';
import { useSyncState } from '#web/offline/sync-state.ts';
import type { Filters } from './filters.ts';
import { placeOf } from './place.ts';
import { type Loaded, merge, Turns, useReadAnew } from './read-anew.ts';

/** After the server is back: many screens ask at that moment, and one that answers some calls only is not asked without a pause. */
const AGAIN_MS = 1000;
/**
 * The list, page by page as it is scrolled. A changed filter keeps the old rows on the screen until the new ones are there. A page that nobody
 * answered is asked for again as soon as the server is back, as every other read is.
 * @returns `restored`: where one stood, when one comes back to the same list.
 */
export function useCustomers(filters: Filters) {
  const key = JSON.stringify(filters);
  const [fetchPage] = useSend('listCustomers');
  const [restored] = useState(() => placeOf(key));
  const [loaded, setLoaded] = useState<Loaded | null>(
    restored ? { rows: restored.data, total: restored.total, page: restored.page } : null,
  );
  const [error, setError] = useState<{ page: number; why: ApiError } | null>(null);
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
      if (answer.error) return setError({ page, why: answer.error });
      const { list, total } = answer.data;
      setError(null);
      const atMs = keptAtMs({ name: 'listCustomers', input: input as LooseInput });
      // In slices: drawn in one go, the rows would keep a cheap phone from hearing a thumb for a quarter of a second.
      startTransition(() =>
        setLoaded((before) =>
          page === 1
            ? { rows: list, total, page, keptAtMs: atMs }
            : { rows: merge(before?.rows ?? [], list), total, page, keptAtMs: before?.keptAtMs ?? atMs },
        ),
      );
    },
    [fetchPage, key, turns],
  );
  useEffect(() => {
    if (asked.current !== key) void load(1);
  }, [key, load]);

  useReadAnew(key, { shown: isLoading ? null : loaded, wasOld: restored?.isOld ?? false, turns }, fetchPage, setLoaded);

  const more = useCallback(() => {
    if (loaded && loaded.rows.length < loaded.total && !error) void load(loaded.page + 1);
  }, [loaded, error, load]);
  const retry = useCallback(() => void load(error?.page ?? 1), [load, error]);
  useAgain(loaded?.keptAtMs !== undefined || (error !== null && isNetworkError(error.why)), retry);
  return { key, loaded, error: error?.why ?? null, isLoading, more, retry, refresh: () => load(1), restored };
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
