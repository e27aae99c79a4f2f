import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { mayKeepOnDisk } from '#web/state/storage.ts';
import { memoryRows, type Rows } from './rows.ts';
import { newSealKey, seal, sealKeyOf, unseal, type Sealed } from './seal.ts';

type StoreName = 'outbox' | 'drafts' | 'reads';
interface Schema extends DBSchema {
  outbox: { key: string; value: Sealed; indexes: { owner: string } };
  drafts: { key: string; value: Sealed; indexes: { owner: string } };
  reads: { key: string; value: Sealed; indexes: { owner: string } };
  keys: { key: string; value: CryptoKey };
}

/** Each by its name and stores. One of its own for what is read: an older build's tab holds the other open, and no payment may wait for it to close. */
const DATABASES = { shop: ['outbox', 'drafts'], 'shop-reads': ['reads'] } as const;
type DatabaseName = keyof typeof DATABASES;
const opening = new Map<DatabaseName, Promise<IDBPDatabase<Schema>>>();
function open(name: DatabaseName): Promise<IDBPDatabase<Schema>> {
  const known = opening.get(name);
  if (known) return known;
  const fresh = openDB<Schema>(name, 1, {
    upgrade(db) {
      for (const store of DATABASES[name]) db.createObjectStore(store, { keyPath: 'id' }).createIndex('owner', 'owner');
      db.createObjectStore('keys');
    },
  });
  opening.set(name, fresh);
  return fresh;
}
const database = (store: StoreName) => open(store === 'reads' ? 'shop-reads' : 'shop');

/** Each store has keys of its own: drafts and reads end with the session, while payments that wait stay sealed for their owner. */
const keyName = (name: StoreName, owner: string) => (name === 'outbox' ? owner : `${name}/${owner}`);
const isKeyOf = (name: StoreName, key: string) => (name === 'outbox' ? !key.includes('/') : key.startsWith(`${name}/`));
/** The key that the server hands out at each sign-in, while that session lasts; the next one brings the same. */
const handedName = (owner: string) => `handed/${owner}`;

let handing: Promise<unknown> = Promise.resolve();

/** Keeps the owner's key of this session. @param text base64url of 32 bytes */
export function keepHandedKey(owner: string, text: string): void {
  if (!('indexedDB' in globalThis) || !mayKeepOnDisk()) return;
  const keep = async () => {
    const key = await sealKeyOf(text);
    await (await open('shop')).put('keys', key, handedName(owner));
  };
  handing = keep().catch(() => undefined);
}

/** The keys of every session that is over go. */
export async function dropHandedKeys(but: string): Promise<void> {
  if (!('indexedDB' in globalThis) || !mayKeepOnDisk()) return;
  await handing;
  const db = await open('shop');
  for (const key of await db.getAllKeys('keys'))
    if (key.startsWith('handed/') && key !== handedName(but)) await db.delete('keys', key);
}

async function handedKey(name: StoreName, owner: string): Promise<CryptoKey | undefined> {
  if (name !== 'outbox') return undefined;
  await handing;
  return (await open('shop')).get('keys', handedName(owner));
}

/** @returns the owner's own key, made when there is none. Another tab may have been first: the stored one counts. */
async function keyFor(name: StoreName, owner: string): Promise<CryptoKey> {
  const db = await database(name);
  const known = await db.get('keys', keyName(name, owner));
  if (known) return known;
  const fresh = await newSealKey();
  const { store, done } = db.transaction('keys', 'readwrite');
  const meanwhile = await store.get(keyName(name, owner));
  if (!meanwhile) await store.put(fresh, keyName(name, owner));
  await done;
  return meanwhile ?? fresh;
}

/** What may open the owner's rows: a row of before the server handed out keys is under the phone's own. */
const keysOf = async (name: StoreName, owner: string) => [
  await handedKey(name, owner),
  await (await database(name)).get('keys', keyName(name, owner)),
];

async function openRow(row: Sealed, keys: readonly (CryptoKey | undefined)[]): Promise<unknown> {
  for (const key of keys) {
    const value = await unseal(row, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** @param mayKeep asked again before each write: sealing takes a moment, in which the session may end and be wiped. */
function sealedRows<Row>(name: StoreName, mayKeep: (owner: string) => boolean): Rows<Row> {
  const transaction = async () => {
    const begun = (await database(name)).transaction([name, 'keys'], 'readwrite');
    return { rows: begun.objectStore(name), keys: begun.objectStore('keys'), done: begun.done };
  };
  const remove = async (id: string): Promise<void> => {
    const { rows, keys, done } = await transaction();
    const owner = (await rows.get(id))?.owner;
    await rows.delete(id);
    if (owner !== undefined && (await rows.index('owner').count(owner)) === 0) await keys.delete(keyName(name, owner));
    await done;
  };
  /** Each row with what is in it; undefined where no key opens it. */
  const opened = async (owner: string) => {
    const rows = await (await database(name)).getAllFromIndex(name, 'owner', owner);
    const keys = await keysOf(name, owner);
    return Promise.all(rows.map(async (row) => ({ id: row.id, row: (await openRow(row, keys)) as Row | undefined })));
  };
  return {
    remove,
    async put(owner, id, row) {
      if (!mayKeep(owner)) return;
      const handed = await handedKey(name, owner);
      const key = handed ?? (await keyFor(name, owner));
      const sealed = await seal(id, owner, row, key);
      const { rows, keys, done } = await transaction();
      const isKept = mayKeep(owner);
      if (isKept) await rows.put(sealed);
      // The last row was removed meanwhile, and its key with it.
      if (isKept && !handed && !(await keys.getKey(keyName(name, owner)))) await keys.put(key, keyName(name, owner));
      if (!isKept && (await rows.index('owner').count(owner)) === 0) await keys.delete(keyName(name, owner));
      await done;
    },
    async get(owner, id) {
      const row = await (await database(name)).get(name, id);
      return row?.owner === owner ? ((await openRow(row, await keysOf(name, owner))) as Row | undefined) : undefined;
    },
    list: async (owner) => (await opened(owner)).flatMap(({ row }) => (row === undefined ? [] : [row])),
    async removeThose(owner, isMeant) {
      for (const { id, row } of await opened(owner)) if (isMeant(id, row)) await remove(id);
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
