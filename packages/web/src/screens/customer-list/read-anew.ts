import { useCallback, useEffect, useRef, useState } from 'react';
import type { CustomerRow } from '@kist/contract/customers';
import { LIMITS } from '@kist/contract/limits';
import type { LooseInput } from '#web/api/calls.ts';
import { keptAtMs } from '#web/api/kept-at.ts';
import type { useSend } from '#web/api/use-send.ts';
import { onMadeOld } from '#web/state/made-old.ts';
import type { Filters } from './filters.ts';

/** Of rows that are loaded and were made old, so many hundreds are read anew; what lies below them was scrolled past long ago. */
const HUNDREDS_MAX = 10;

export interface Loaded {
  rows: CustomerRow[];
  total: number;
  page: number;
  /** Its first page was kept on this phone then; undefined: the server says so. */
  keptAtMs?: number | undefined;
}
export type FetchPage = ReturnType<typeof useSend<'listCustomers'>>[0];

/** Only the question that was asked last is listened to. */
export class Turns {
  #last = 0;
  isBusy = false;
  /** @returns asked once, when the answer is there: whether nobody asked anything since */
  begin(): () => boolean {
    const turn = (this.#last += 1);
    this.isBusy = true;
    return () => {
      if (turn !== this.#last) return false;
      this.isBusy = false;
      return true;
    };
  }
}

/**
 * After a payment, a lock, a sale or another day the rows that stand here are read anew, and stay where they are until all of them are there.
 * @param shown null while a page is under way.
 * @param wasOld something was written while one was elsewhere.
 */
export function useReadAnew(
  key: string,
  { shown, wasOld, turns }: { shown: Loaded | null; wasOld: boolean; turns: Turns },
  fetchPage: FetchPage,
  take: (anew: Loaded) => void,
): void {
  const [old, setOld] = useState(wasOld ? 1 : 0);
  const done = useRef(0);
  useEffect(() => onMadeOld('listCustomers', () => setOld((count) => count + 1)), []);
  const again = useCallback(
    async (rows: Loaded) => {
      const isLast = turns.begin();
      const anew = await readAnew(fetchPage, JSON.parse(key) as Filters, rows);
      if (isLast() && anew) take(anew);
    },
    [fetchPage, key, take, turns],
  );
  useEffect(() => {
    if (old === done.current || !shown) return;
    done.current = old;
    void again(shown);
  }, [old, shown, again]);
}

/** @returns as many rows as are shown; undefined when the server does not answer: then they stay as they are */
async function readAnew(fetchPage: FetchPage, filters: Filters, shown: Loaded): Promise<Loaded | undefined> {
  const size = shown.page === 1 ? LIMITS.pageSize : LIMITS.pageSizeMax;
  const pages = Math.min(HUNDREDS_MAX, Math.max(1, Math.ceil(shown.rows.length / size)));
  let rows: CustomerRow[] = [];
  let total = 0;
  for (let page = 1; page <= pages; page += 1) {
    const input = { query: { ...filters, page, page_size: size } };
    const answer = await fetchPage(input);
    if (answer.error || keptAtMs({ name: 'listCustomers', input: input as LooseInput }) !== undefined) return undefined;
    rows = merge(rows, answer.data.list);
    total = answer.data.total;
  }
  const fresh = new Set(rows.map((row) => row.customer_id));
  const all = [...rows, ...shown.rows.slice(pages * size).filter((row) => !fresh.has(row.customer_id))];
  return { rows: all, total, page: Math.max(1, Math.floor(all.length / LIMITS.pageSize)) };
}

/** A row that moved between two pages while we scrolled shows once, at its newer place. */
export function merge(before: CustomerRow[], list: CustomerRow[]): CustomerRow[] {
  const fresh = new Set(list.map((row) => row.customer_id));
  return [...before.filter((row) => !fresh.has(row.customer_id)), ...list];
}
