import { useCallback, useEffect, useRef, useState } from 'react';
import { LIMITS } from '@kist/contract/limits';
import type { ShopRow } from '@kist/contract/people';
import type { ApiError } from '#web/api/errors.ts';
import { useSend } from '#web/api/use-send.ts';
import { onMadeOld } from '#web/state/made-old.ts';
import { placeOf } from './place.ts';

/** What the list is narrowed by; it lives in the address. */
export interface Filters {
  search: string;
  state: 'all' | 'active' | 'suspended';
}

interface Loaded {
  rows: ShopRow[];
  total: number;
  page: number;
}

/** The shops below, page by page as they are scrolled. @returns `restored`: where one stood, when one comes back to the same list. */
export function useShops(filters: Filters) {
  const { search, state } = filters;
  const key = JSON.stringify([search, state]);
  const [fetchPage] = useSend('listUsers');
  const [restored] = useState(() => placeOf(key));
  const [loaded, setLoaded] = useState<Loaded | null>(
    restored ? { rows: restored.data, total: restored.total, page: restored.page } : null,
  );
  const [error, setError] = useState<ApiError | null>(null);
  const [isLoading, setLoading] = useState(false);
  const asked = useRef(restored && !restored.isOld ? key : '');
  const busy = useRef(false);

  const load = useCallback(
    async (page: number) => {
      if (busy.current && asked.current === key && page > 1) return;
      asked.current = key;
      busy.current = true;
      setLoading(true);
      const answer = await fetchPage({ query: { search, state, page, page_size: LIMITS.pageSize } });
      if (asked.current !== key) return;
      busy.current = false;
      setLoading(false);
      if (answer.error) return setError(answer.error);
      const { list, total } = answer.data;
      setError(null);
      setLoaded((before) => ({ rows: page === 1 ? list : merge(before?.rows ?? [], list), total, page }));
    },
    [fetchPage, key, search, state],
  );
  useEffect(() => {
    if (asked.current !== key) void load(1);
  }, [key, load]);
  // A write, or another day: what came in today is of that one then.
  useEffect(() => onMadeOld('listUsers', () => void load(1)), [load]);

  const more = useCallback(() => {
    if (loaded && loaded.rows.length < loaded.total && !error) void load(loaded.page + 1);
  }, [loaded, error, load]);
  const retry = useCallback(() => void load(loaded ? loaded.page + 1 : 1), [load, loaded]);
  return { key, loaded, error, isLoading, more, retry, refresh: () => load(1), restored };
}

/** A shop that moved between two pages while we scrolled shows once, at its newer place. */
function merge(before: ShopRow[], list: ShopRow[]): ShopRow[] {
  const fresh = new Set(list.map((row) => row.user_id));
  return [...before.filter((row) => !fresh.has(row.user_id)), ...list];
}
