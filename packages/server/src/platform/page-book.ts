import { createHash } from 'node:crypto';
import { KistError } from '@kist/contract/errors';

/**
 * Page numbers over keyset paging: the last key of every page that was read is kept for a while, so page n + 1 starts where page n ended and
 * page 5,000 costs what page 1 costs. A page nobody has come to yet is found by skipping from the nearest known one, once, on the index alone.
 */
export interface KnownPage<Key> {
  page: number;
  key: Key;
}

/** Skipping further than this from a known page is refused: nobody turns to page 40,000 by hand. */
const SKIP_MAX_ROWS = 200_000;

/** @returns the name of a list: the same for the same owners, day and filter, whatever order the owners stand in */
export const listName = (asked: unknown): string => createHash('sha256').update(JSON.stringify(asked)).digest('base64');

interface Entry<Key> {
  at: number;
  total: number;
  ends: Map<number, Key>;
}

/** How long a boundary may be believed; a list that changes meanwhile shows a row twice or late, never a wrong row. */
const KEPT_MS = 120_000;
const KEPT_LISTS = 500;

export class PageBook<Key> {
  readonly #lists = new Map<string, Entry<Key>>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns the end of the nearest page before `page` that is known; undefined: start at the beginning. */
  before(list: string, page: number): KnownPage<Key> | undefined {
    const entry = this.#fresh(list);
    if (!entry) return undefined;
    let best: KnownPage<Key> | undefined;
    for (const [known, key] of entry.ends) if (known < page && known > (best?.page ?? 0)) best = { page: known, key };
    return best;
  }

  /**
   * From where to read a page, and how many rows to leave out from there.
   * @throws KistError PAGE_TOO_FAR for a page that nobody could have come to
   */
  start(list: string, page: number, pageSize: number): { after: Key | null; skip: number } {
    const known = this.before(list, page);
    const skip = (page - 1 - (known?.page ?? 0)) * pageSize;
    if (skip > SKIP_MAX_ROWS) throw new KistError('PAGE_TOO_FAR', { fields: [{ path: 'page', key: 'field.page' }] });
    return { after: known?.key ?? null, skip };
  }

  /** @returns the total counted when the list was first opened. */
  total(list: string): number | undefined {
    return this.#fresh(list)?.total;
  }

  open(list: string, total: number): void {
    if (this.#lists.size >= KEPT_LISTS) this.#lists.delete(this.#lists.keys().next().value!);
    this.#lists.set(list, { at: this.#now(), total, ends: new Map() });
  }

  ended(list: string, page: number, key: Key): void {
    this.#fresh(list)?.ends.set(page, key);
  }

  #fresh(list: string): Entry<Key> | undefined {
    const entry = this.#lists.get(list);
    if (entry && this.#now() - entry.at > KEPT_MS) {
      this.#lists.delete(list);
      return undefined;
    }
    return entry;
  }
}
