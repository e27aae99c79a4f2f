/** What outbox and drafts need of a store: rows of one user. IndexedDB in the app, a map in tests. */
export interface Rows<Row> {
  put(owner: string, id: string, row: Row): Promise<void>;
  remove(id: string): Promise<void>;
  get(owner: string, id: string): Promise<Row | undefined>;
  list(owner: string): Promise<Row[]>;
  /** Removes those of the owner's that are meant. @param isMeant of each its id, and what is in it where that can be opened */
  removeThose(owner: string, isMeant: (id: string, row: Row | undefined) => boolean): Promise<void>;
  /** Removes what belongs to anybody else, with what could open it. */
  keepOnly(owner: string): Promise<void>;
}

/** Rows in memory: where nothing may be kept on disk, and the way out where IndexedDB is refused (private mode of some WebViews). */
export function memoryRows<Row>(): Rows<Row> {
  const rows = new Map<string, { owner: string; row: Row }>();
  return {
    put: async (owner, id, row) => void rows.set(id, { owner, row: structuredClone(row) }),
    remove: async (id) => void rows.delete(id),
    get: async (owner, id) => {
      const found = rows.get(id);
      return found?.owner === owner ? structuredClone(found.row) : undefined;
    },
    list: async (owner) =>
      [...rows.values()].filter((kept) => kept.owner === owner).map((kept) => structuredClone(kept.row)),
    removeThose: async (owner, isMeant) => {
      for (const [id, kept] of rows) if (kept.owner === owner && isMeant(id, kept.row)) rows.delete(id);
    },
    keepOnly: async (owner) => {
      for (const [id, kept] of rows) if (kept.owner !== owner) rows.delete(id);
    },
  };
}
