import { useCallback, useEffect, useRef, useState } from 'react';
import { LIMITS } from '@kist/contract/limits';
import type { CallName } from '@kist/contract/paths';
import type { LooseInput } from '#web/api/calls.ts';
import { howKept } from '#web/api/kept-at.ts';
import type { WriteResult } from '#web/api/use-send.ts';
import { onMadeOld } from '#web/state/made-old.ts';

/** Of rows that are loaded and were made old, so many hundreds are read anew; what lies below them was scrolled past long ago. */
const HUNDREDS_MAX = 10;

export interface Loaded<Row> {
  /** What they were asked by; what is asked now may be something else, whose answer is on its way. */
  key: string;
  rows: Row[];
  total: number;
  page: number;
  /** When the oldest of its pages that were kept on this phone came; undefined: the server said all of it. */
  keptAtMs?: number | undefined;
  /** They were looked for among what this phone has. */
  isSearched?: boolean | undefined;
}
/** One page of the list. */
export type FetchPage<Row, Filters> = (input: {
  query: Filters & { page: number; page_size: number };
}) => Promise<WriteResult<{ list: Row[]; total: number }>>;
/** The call that the pages come from, and what tells its rows apart. */
export interface Source<Row> {
  read: CallName;
  idOf: (row: Row) => string;
}

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
export function useReadAnew<Row, Filters>(
  source: Source<Row>,
  { shown, wasOld, turns }: { shown: Loaded<Row> | null; wasOld: boolean; turns: Turns },
  fetchPage: FetchPage<Row, Filters>,
  take: (anew: Loaded<Row>) => void,
): void {
  const [old, setOld] = useState(wasOld ? 1 : 0);
  const done = useRef(0);
  useEffect(() => onMadeOld(source.read, () => setOld((count) => count + 1)), [source]);
  const again = useCallback(
    async (rows: Loaded<Row>) => {
      const isLast = turns.begin();
      const anew = await readAnew(source, fetchPage, rows);
      if (isLast() && anew) take(anew);
    },
    [source, fetchPage, take, turns],
  );
  useEffect(() => {
    if (old === done.current || !shown) return;
    done.current = old;
    void again(shown);
  }, [old, shown, again]);
}

/** @returns as many rows as are shown; undefined when the server does not answer: then they stay as they are */
async function readAnew<Row, Filters>(
  source: Source<Row>,
  fetchPage: FetchPage<Row, Filters>,
  shown: Loaded<Row>,
): Promise<Loaded<Row> | undefined> {
  const { key } = shown;
  const filters = JSON.parse(key) as Filters;
  const size = shown.page === 1 ? LIMITS.pageSize : LIMITS.pageSizeMax;
  const pages = Math.min(HUNDREDS_MAX, Math.max(1, Math.ceil(shown.rows.length / size)));
  let rows: Row[] = [];
  let total = 0;
  for (let page = 1; page <= pages; page += 1) {
    const input = { query: { ...filters, page, page_size: size } };
    const answer = await fetchPage(input);
    if (answer.error || wasKept(source.read, input).keptAtMs !== undefined) return undefined;
    rows = merge(source, rows, answer.data.list);
    total = answer.data.total;
  }
  const all = [...rows, ...without(source, shown.rows.slice(pages * size), rows)];
  return { key, rows: all, total, page: Math.max(1, Math.floor(all.length / LIMITS.pageSize)) };
}

/** When the answer to this question was kept on this phone, and how it was found there; nothing where the server said so. */
export function wasKept(name: CallName, input: object): Pick<Loaded<unknown>, 'keptAtMs' | 'isSearched'> {
  const how = howKept({ name, input: input as LooseInput });
  return { keptAtMs: how?.atMs, isSearched: how?.isSearched };
}

function without<Row>({ idOf }: Source<Row>, rows: Row[], others: Row[]): Row[] {
  const ids = new Set(others.map(idOf));
  return rows.filter((row) => !ids.has(idOf(row)));
}

/** A row that moved between two pages while we scrolled shows once, at its newer place. */
export const merge = <Row>(source: Source<Row>, before: Row[], list: Row[]): Row[] => [
  ...without(source, before, list),
  ...list,
];
