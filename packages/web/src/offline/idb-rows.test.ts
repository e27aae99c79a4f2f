// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { store } from '#web/state/storage.ts';
import { deleteDraft, keepOnlyOwnDrafts, loadDraft, saveDraft } from './drafts.ts';
import { dropHandedKeys, idbRows, keepHandedKey } from './idb-rows.ts';

let isAllowed = true;
const drafts = idbRows<{ name: string }>('drafts', () => isAllowed);
const outbox = idbRows<{ amount: number }>('outbox');

/** What lies on the phone's disk, whoever asks. */
async function onDisk() {
  const db = await openDB('shop');
  const [keys, rows] = [await db.getAllKeys('keys'), [...(await db.getAll('drafts')), ...(await db.getAll('outbox'))]];
  const text = new TextDecoder().decode(
    new Uint8Array(rows.flatMap(({ box }: { box: ArrayBuffer }) => [...new Uint8Array(box)])),
  );
  db.close();
  return { keys, ids: rows.map(({ id }: { id: string }) => id), text };
}
/** The session ends while a row is being sealed, and what belongs to nobody is wiped. */
function whileSealing(end: () => Promise<void>): void {
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, 'encrypt').mockImplementationOnce(async (...args) => {
    const box = await encrypt(...args);
    await end();
    return box;
  });
}

beforeEach(async () => {
  isAllowed = true;
  for (const rows of [drafts, outbox]) await rows.keepOnly('');
});

describe('rows on the disk of a phone', () => {
  it('are sealed, come back to their owner, and go with their key when the last one is removed', async () => {
    await drafts.put('sunita', 'd1', { name: 'Meena Pawar' });
    await drafts.put('sunita', 'd2', { name: 'Irfan Shaikh' });
    expect((await onDisk()).text).not.toContain('Meena');
    expect(await drafts.get('sunita', 'd1')).toEqual({ name: 'Meena Pawar' });
    expect([await drafts.get('asha', 'd1'), await drafts.list('asha')]).toEqual([undefined, []]);
    await drafts.remove('d1');
    expect(await drafts.list('sunita')).toEqual([{ name: 'Irfan Shaikh' }]);
    await drafts.remove('d2');
    expect(await onDisk()).toMatchObject({ keys: [], ids: [] });
  });

  it('of others are wiped with the keys that open them; what waits to be sent stays, and opens', async () => {
    for (const owner of ['sunita', 'asha']) {
      await drafts.put(owner, `draft of ${owner}`, { name: owner });
      await outbox.put(owner, `payment of ${owner}`, { amount: 100 });
    }
    await drafts.keepOnly('sunita');
    const { keys, ids } = await onDisk();
    expect(new Set(keys)).toEqual(new Set(['asha', 'drafts/sunita', 'sunita']));
    expect(new Set(ids)).toEqual(new Set(['draft of sunita', 'payment of asha', 'payment of sunita']));
    expect(await drafts.list('sunita')).toEqual([{ name: 'sunita' }]);
    expect(await outbox.list('asha')).toEqual([{ amount: 100 }]);
  });

  it('are not written once their session has ended, not even by a sealing that had begun before', async () => {
    whileSealing(async () => {
      isAllowed = false;
      await drafts.keepOnly('');
    });
    await drafts.put('sunita', 'd1', { name: 'Meena Pawar' });
    expect(await onDisk()).toMatchObject({ keys: [], ids: [] });
    await drafts.put('sunita', 'd2', { name: 'Meena Pawar' });
    expect(await onDisk()).toMatchObject({ keys: [], ids: [] });
  });
});

describe('a payment that waits', () => {
  const KEY = 'k'.repeat(43);
  it('is shut when the session is over, and opens with the key that the next sign-in brings', async () => {
    keepHandedKey('sunita', KEY);
    await outbox.put('sunita', 'p1', { amount: 200 });
    expect(await onDisk()).toMatchObject({ keys: ['handed/sunita'], ids: ['p1'] });
    expect(await outbox.list('sunita')).toEqual([{ amount: 200 }]);
    await dropHandedKeys('');
    expect(await onDisk()).toMatchObject({ keys: [], ids: ['p1'] });
    expect(await outbox.list('sunita')).toEqual([]);
    keepHandedKey('sunita', 'x'.repeat(43));
    expect(await outbox.list('sunita')).toEqual([]);
    keepHandedKey('sunita', KEY);
    expect(await outbox.list('sunita')).toEqual([{ amount: 200 }]);
    await dropHandedKeys('sunita');
    expect(await outbox.list('sunita')).toEqual([{ amount: 200 }]);
    await dropHandedKeys('');
  });
  it('that was sealed before there were such keys still opens', async () => {
    await outbox.put('asha', 'p2', { amount: 100 });
    keepHandedKey('asha', KEY);
    expect(await outbox.list('asha')).toEqual([{ amount: 100 }]);
    await dropHandedKeys('');
    expect(await outbox.list('asha')).toEqual([{ amount: 100 }]);
  });
});

describe('a draft', () => {
  beforeEach(() => store('user_id', ''));

  it('is of who is signed in, and of nobody else: neither read nor written for them', async () => {
    await saveDraft('register', { name: 'Meena Pawar' });
    expect(await onDisk()).toMatchObject({ keys: [], ids: [] });
    store('user_id', 'sunita');
    await saveDraft('register', { name: 'Meena Pawar' });
    expect(await loadDraft('register')).toMatchObject({ value: { name: 'Meena Pawar' } });
    store('user_id', 'asha');
    expect(await loadDraft('register')).toBeUndefined();
  });

  it('of one form stays beside another user’s of the same form', async () => {
    for (const [owner, name] of [
      ['sunita', 'Meena Pawar'],
      ['asha', 'Irfan Shaikh'],
    ] as const) {
      store('user_id', owner);
      await saveDraft('register', { name });
    }
    expect(await loadDraft('register')).toMatchObject({ value: { name: 'Irfan Shaikh' } });
    await deleteDraft('register');
    store('user_id', 'sunita');
    expect(await loadDraft('register')).toMatchObject({ value: { name: 'Meena Pawar' } });
  });

  it.each([
    ['signed out', ''],
    ['gave the phone to somebody else', 'asha'],
  ])('of somebody who %s while it was sealed is not written', async (_what, next) => {
    store('user_id', 'sunita');
    whileSealing(async () => {
      store('user_id', next);
      await keepOnlyOwnDrafts();
    });
    await saveDraft('register', { name: 'Meena Pawar' });
    expect(await onDisk()).toMatchObject({ keys: [], ids: [] });
  });
});
