// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, renderHook, waitFor } from '@testing-library/react';
import { openDB } from 'idb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

interface Person {
  first_name: string;
  pan: string;
}
const UNKEPT = ['pan'];

/** A page that was loaded anew: of the one before nothing is in memory. */
async function newPage() {
  vi.resetModules();
  const [{ useTyped, forgetTypedOf }, { endSession }, { keepOnlyOwn, keepOnlyOwnFrom }] = await Promise.all([
    import('./typed.ts'),
    import('./session.ts'),
    import('#web/offline/keep-own.ts'),
  ]);
  const form = (name: string) => renderHook(() => useTyped<Person>(name, UNKEPT)).result;
  return { form, forgetTypedOf, endSession, keepOnlyOwn, keepOnlyOwnFrom };
}
const lying = async () => (await openDB('shop')).getAll('drafts') as Promise<{ box: ArrayBuffer }[]>;
/** As long as a busy machine takes to seal a row. */
const settled = () => new Promise((done) => setTimeout(done, 200));
/** Typed on one page. */
async function typed(name = 'person/c'): Promise<void> {
  const result = (await newPage()).form(name);
  await act(settled);
  act(() => result.current[1]({ first_name: 'Asha', pan: 'ABCDE1234F' }));
  await act(settled);
}
/** What stands in the form of another. */
async function standing(name = 'person/c'): Promise<Partial<Person>> {
  const result = (await newPage()).form(name);
  await act(settled);
  return result.current[0];
}

beforeEach(async () => {
  localStorage.setItem('user_id', 'sunita');
  localStorage.setItem('token', 'T');
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  if ((await indexedDB.databases()).some(({ name }) => name === 'shop')) await (await openDB('shop')).clear('drafts');
});

it('what was typed is there on a page that was loaded anew, without what may lie on no disk', async () => {
  await typed();
  expect(await standing()).toEqual({ first_name: 'Asha' });
});

it('what was typed lies on the phone sealed, and nowhere else', async () => {
  await typed();
  const rows = await lying();
  expect(rows).toHaveLength(1);
  expect(new TextDecoder().decode(rows[0]!.box)).not.toContain('Asha');
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain('Asha');
});

it('what was sent or given up does not come back', async () => {
  await typed();
  const result = (await newPage()).form('person/c');
  await waitFor(() => expect(result.current[0]).toEqual({ first_name: 'Asha' }));
  act(() => result.current[2]());
  await act(settled);
  expect(await standing()).toEqual({});
  expect(await lying()).toEqual([]);
});

it('what was begun an hour ago does not go along with what is changed now', async () => {
  await typed();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
  expect(await standing()).toEqual({});
});

it('what was begun an hour ago goes with the next page, whether its form is opened or not; a sale that was begun stays', async () => {
  await typed();
  const { saveDraft } = await import('#web/offline/drafts.ts');
  await saveDraft('add-customer', { first_name: 'Asha' });
  await (await newPage()).keepOnlyOwn();
  expect(await lying()).toHaveLength(2);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
  await (await newPage()).keepOnlyOwn();
  expect(await lying()).toHaveLength(1);
  const { loadDraft } = await import('#web/offline/drafts.ts');
  expect(await loadDraft('add-customer')).toMatchObject({ value: { first_name: 'Asha' } });
});

it('what was sent while the older was still read is not brought back by that', async () => {
  await typed();
  const result = (await newPage()).form('person/c');
  act(() => result.current[2]());
  await act(settled);
  expect(result.current[0]).toEqual({});
  expect(await standing()).toEqual({});
});

it('what is typed while the older is still read stands over it', async () => {
  await typed();
  const result = (await newPage()).form('person/c');
  act(() => result.current[1]({ first_name: 'Usha' }));
  await act(settled);
  expect(result.current[0]).toEqual({ first_name: 'Usha' });
});

it('what was typed ends with a log-out, and another user reads none of it', async () => {
  await typed();
  localStorage.setItem('user_id', 'irfan');
  expect(await standing()).toEqual({});
  localStorage.setItem('user_id', 'sunita');
  const { endSession, keepOnlyOwn } = await newPage();
  endSession();
  await keepOnlyOwn();
  localStorage.setItem('user_id', 'sunita');
  expect(await standing()).toEqual({});
  expect(await lying()).toEqual([]);
});

it('of somebody who was erased nothing that was typed stays on the phone, of others all of it', async () => {
  for (const name of ['person/c', 'lift/c/hold-1', 'person/d']) await typed(name);
  const { form, forgetTypedOf } = await newPage();
  const begun = form('hold/c');
  act(() => begun.current[1]({ first_name: 'Usha' }));
  await act(settled);
  forgetTypedOf('c');
  await act(settled);
  expect(form('hold/c').current[0]).toEqual({});
  expect(await lying()).toHaveLength(1);
  expect(await standing('person/d')).toEqual({ first_name: 'Asha' });
});

it('a request for an account is nobody’s yet: it is kept for an hour, and until somebody signs in', async () => {
  localStorage.clear();
  await typed('signup');
  expect(await standing('signup')).toEqual({ first_name: 'Asha' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
  expect(await standing('signup')).toEqual({});
  vi.useRealTimers();
  await typed('signup');
  localStorage.setItem('user_id', 'sunita');
  await (await newPage()).keepOnlyOwnFrom('sunita', 'A'.repeat(43));
  localStorage.clear();
  expect(await standing('signup')).toEqual({});
  expect(await lying()).toEqual([]);
});

it('over plain http, where nothing can be sealed, nothing is kept', async () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes, randomUUID: () => 'id' });
  await typed();
  expect(await standing()).toEqual({});
});
