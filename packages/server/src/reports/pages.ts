import type { PageKey } from './customer-list-sql.ts';

declare module '#server/platform/ports.ts' {
  interface Ports {
    /** Where pages of the customer list ended: one memory a process. */
    reports: { pages: PageBook<PageKey> };
  }
}

/**
 * Page numbers over keyset paging: the last key of every page that was read is kept for a while, so page n + 1 starts where page n ended and
 * page 5,000 costs what page 1 costs. A page nobody has come to yet is found by skipping from the nearest known one, once, on the index alone.
 */
export interface KnownPage<Key> {
  page: number;
  key: Key;
}

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
