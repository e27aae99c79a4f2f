import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { memoryRows, type Rows } from './rows.ts';
import { newSealKey, seal, unseal, type Sealed } from './seal.ts';

interface Schema extends DBSchema {
  outbox: { key: string; value: Sealed; indexes: { owner: string } };
  drafts: { key: string; value: Sealed; indexes: { owner: string } };
  keys: { key: string; value: CryptoKey };
}
type StoreName = 'outbox' | 'drafts';

let opening: Promise<IDBPDatabase<Schema>> | undefined;
const database = () =>
  (opening ??= openDB<Schema>('shop', 1, {
    upgrade(db) {
      for (const name of ['outbox', 'drafts'] as const)
        db.createObjectStore(name, { keyPath: 'id' }).createIndex('owner', 'owner');
      db.createObjectStore('keys');
    },
  }));

async function keyOf(owner: string): Promise<CryptoKey | undefined> {
  const db = await database();
  const known = await db.get('keys', owner);
  if (known) return known;
  const fresh = await newSealKey();
  if (!fresh) return undefined;
  // Another tab may have been first: the stored one counts.
  const transaction = db.transaction('keys', 'readwrite');
  const meanwhile = await transaction.store.get(owner);
  if (!meanwhile) await transaction.store.put(fresh, owner);
  await transaction.done;
  return meanwhile ?? fresh;
}

function sealedRows<Row>(name: StoreName): Rows<Row> {
  return {
    async put(owner, id, row) {
      const sealed = await seal(id, owner, row, await keyOf(owner));
      await (await database()).put(name, sealed);
    },
    async remove(id) {
      await (await database()).delete(name, id);
    },
    async get(owner, id) {
      const row = await (await database()).get(name, id);
      return row?.owner === owner ? ((await unseal(row, await keyOf(owner))) as Row | undefined) : undefined;
    },
    async list(owner) {
      const rows = await (await database()).getAllFromIndex(name, 'owner', owner);
      const key = await keyOf(owner);
      const opened = await Promise.all(rows.map((row) => unseal(row, key)));
      return opened.filter((row) => row !== undefined) as Row[];
    },
  };
}

/** Rows in IndexedDB, sealed to their owner; they survive a cleared local storage. Falls back to memory where there is no IndexedDB. */
export const idbRows = <Row>(name: StoreName): Rows<Row> =>
  'indexedDB' in globalThis ? sealedRows<Row>(name) : memoryRows<Row>();
