import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { mayKeepOnDisk } from '#web/state/storage.ts';
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

/** Drafts have keys of their own: they end with the session, while payments that wait stay sealed for their owner. */
const keyName = (name: StoreName, owner: string) => (name === 'outbox' ? owner : `drafts/${owner}`);
const isKeyOf = (name: StoreName, key: string) => key.startsWith('drafts/') === (name === 'drafts');

/** @returns the owner's key, made when there is none. Another tab may have been first: the stored one counts. */
async function keyFor(name: StoreName, owner: string): Promise<CryptoKey> {
  const db = await database();
  const known = await db.get('keys', keyName(name, owner));
  if (known) return known;
  const fresh = await newSealKey();
  const { store, done } = db.transaction('keys', 'readwrite');
  const meanwhile = await store.get(keyName(name, owner));
  if (!meanwhile) await store.put(fresh, keyName(name, owner));
  await done;
  return meanwhile ?? fresh;
}

/** @param mayKeep asked again before each write: sealing takes a moment, in which the session may end and be wiped. */
function sealedRows<Row>(name: StoreName, mayKeep: (owner: string) => boolean): Rows<Row> {
  const transaction = async () => {
    const open = (await database()).transaction([name, 'keys'], 'readwrite');
    return { rows: open.objectStore(name), keys: open.objectStore('keys'), done: open.done };
  };
  const keyOf = async (owner: string) => (await database()).get('keys', keyName(name, owner));
  return {
    async put(owner, id, row) {
      if (!mayKeep(owner)) return;
      const key = await keyFor(name, owner);
      const sealed = await seal(id, owner, row, key);
      const { rows, keys, done } = await transaction();
      const isKept = mayKeep(owner);
      if (isKept) await rows.put(sealed);
      // The last row was removed meanwhile, and its key with it.
      if (isKept && !(await keys.getKey(keyName(name, owner)))) await keys.put(key, keyName(name, owner));
      if (!isKept && (await rows.index('owner').count(owner)) === 0) await keys.delete(keyName(name, owner));
      await done;
    },
    async remove(id) {
      const { rows, keys, done } = await transaction();
      const owner = (await rows.get(id))?.owner;
      await rows.delete(id);
      if (owner !== undefined && (await rows.index('owner').count(owner)) === 0)
        await keys.delete(keyName(name, owner));
      await done;
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
    async keepOnly(owner) {
      const { rows, keys, done } = await transaction();
      const others = new Set((await rows.getAll()).map((row) => row.owner).filter((other) => other !== owner));
      for (const other of others) for (const id of await rows.index('owner').getAllKeys(other)) await rows.delete(id);
      for (const key of await keys.getAllKeys())
        if (isKeyOf(name, key) && key !== keyName(name, owner)) await keys.delete(key);
      await done;
    },
  };
}

/**
 * Rows in IndexedDB, sealed to their owner; they survive a cleared local storage. In memory where nothing personal may be kept on disk, and
 * where there is no IndexedDB.
 * @param mayKeep whether a row of this owner may be written now.
 */
export const idbRows = <Row>(name: StoreName, mayKeep: (owner: string) => boolean = () => true): Rows<Row> =>
  'indexedDB' in globalThis && mayKeepOnDisk() ? sealedRows<Row>(name, mayKeep) : memoryRows<Row>();
