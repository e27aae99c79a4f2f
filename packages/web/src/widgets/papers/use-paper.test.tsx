// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { store } from '#web/state/storage.ts';
import { makeStore } from '#web/state/store.ts';
import { outbox } from '#web/offline/app-outbox.ts';
import { idbRows } from '#web/offline/idb-rows.ts';
import { toast } from '#web/ui/toast.ts';
import { WHOLE } from './parts.ts';
import { usePaper } from './use-paper.ts';

/** Black boxes that were painted, in pixels of the file. */
let painted: number[][] = [];
class FakeImage {
  naturalWidth = 1000;
  naturalHeight = 500;
  onload?: () => void;
  src = '';
  constructor() {
    setTimeout(() => this.onload?.());
  }
}
let answer: () => Response;
let sent: { url: string }[] = [];
const ok = () =>
  Response.json({ status: 200, response: 'success', message: '', data: { document_id: crypto.randomUUID() } });
/** What waits of a customer, in the app and on this phone's disk. */
async function waitingOf(customerId: string): Promise<string[]> {
  const kept = await idbRows<{ about: string; picture: string }>('outbox').list('savita');
  const shown = outbox.entries().filter(({ about }) => about === customerId);
  expect(shown.map(({ picture }) => picture)).toEqual(
    kept.filter(({ about }) => about === customerId).map(({ picture }) => picture),
  );
  return shown.map(({ picture = '' }) => picture);
}
beforeEach(async () => {
  [sent, painted] = [[], []];
  vi.stubGlobal('Image', FakeImage);
  const pen = {
    fillStyle: '',
    drawImage: () => undefined,
    fillRect: (...place: number[]) => void (pen.fillStyle === '#000' && painted.push(place)),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['small'], { type: 'image/jpeg' })),
  );
  answer = ok;
  localStorage.setItem('token', 'T');
  store('user_id', 'savita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    sent.push({ url: new URL(request.url).pathname });
    return answer();
  });
});
afterEach(async () => {
  for (const { id } of outbox.entries()) await outbox.discard(id);
  vi.unstubAllGlobals();
});

const saved = vi.fn<() => void>();
beforeEach(() => saved.mockClear());
const open = (customerId: string, type: 'aadhaar' | 'photo' | 'invoice' = 'aadhaar') =>
  renderHook(
    () => usePaper(customerId, type === 'aadhaar' ? { type, name: 'front' } : { type }, `${type}, Asha`, saved),
    {
      wrapper: ({ children }: { children: ReactNode }) => <Provider store={makeStore()}>{children}</Provider>,
    },
  );
const file = new File(['x'], 'IMG.jpg', { type: 'image/jpeg' });
async function save({ result }: ReturnType<typeof open>) {
  act(() => result.current.choose(file));
  await waitFor(() => expect(result.current.chosen).toBeDefined());
  const boxes = [{ x: 0.1, y: 0.6, width: 0.3, height: 0.1 }];
  act(() => result.current.setEdit({ ...result.current.edit, boxes }));
  act(() => result.current.save());
  await waitFor(() => expect(sent.length).toBeGreaterThan(0));
  await waitFor(() => expect(result.current.isBusy).toBe(false));
}

it('what was painted over is drawn in before anything is kept or sent; sent, nothing is kept', async () => {
  const paper = open('c1');
  await save(paper);
  expect(painted).toEqual([[100, 300, 300, 50]]);
  expect(await waitingOf('c1')).toEqual([]);
  expect(saved).toHaveBeenCalledOnce();
  expect(sent.map(({ url }) => url)).toEqual(['/api/customer/customer_document']);
  expect(paper.result.current.chosen).toBeUndefined();
});

const away = () =>
  Response.json({ status: 503, response: 'failure', code: 'UNAVAILABLE', message: '' }, { status: 503 });

it('without an answer it waits among all that is not sent yet, is found again in its place, and goes when it is sent again', async () => {
  answer = away;
  const first = open('c2');
  await save(first);
  expect(await waitingOf('c2')).toEqual([expect.stringMatching(/^data:image\/jpeg;base64,/)]);
  expect(outbox.entries()).toMatchObject([{ label: 'aadhaar, Asha', state: 'queued' }]);
  expect(first.result.current.chosen).toBeUndefined();
  expect(first.result.current.waiting).toBeDefined();
  expect(open('c2', 'photo').result.current.waiting).toBeUndefined();
  const later = open('c2');
  expect(later.result.current.waiting).toBeDefined();
  answer = ok;
  act(() => later.result.current.sendAgain());
  await waitFor(() => expect(later.result.current.waiting).toBeUndefined());
  expect(await waitingOf('c2')).toEqual([]);
  expect(sent.at(-1)?.url).toBe('/api/customer/customer_document');
});

it('what is sent again is said to be saved, and to nobody where whoever sent it has left meanwhile', async () => {
  const said = vi.spyOn(toast, 'ok');
  answer = away;
  await save(open('c8'));
  const again = open('c8');
  answer = ok;
  act(() => again.result.current.sendAgain());
  await waitFor(() => expect(said.mock.calls).toEqual([['documents.saved']]));
  answer = away;
  await save(open('c9'));
  const left = open('c9');
  let say: (() => void) | undefined;
  const isSaid = new Promise<void>((resolve) => (say = resolve));
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    await isSaid;
    return ok();
  });
  act(() => left.result.current.sendAgain());
  await waitFor(() => expect(outbox.entries()).toMatchObject([{ state: 'sending' }]));
  left.unmount();
  await act(async () => say?.());
  await waitFor(() => expect(outbox.entries()).toEqual([]));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(said).toHaveBeenCalledOnce();
});

it('what is refused is kept no longer, and the picture stays open to be put right', async () => {
  answer = () =>
    Response.json({ status: 409, response: 'failure', code: 'DOCUMENT_QUOTA', message: 'full' }, { status: 409 });
  const paper = open('c3');
  await save(paper);
  expect(await waitingOf('c3')).toEqual([]);
  expect(paper.result.current.chosen).toBeDefined();
});

it.each([
  ['photo', '/upload/update_customer_details'],
  ['invoice', '/upload/invoice'],
] as const)('a %s goes by its own call', async (type, url) => {
  await save(open(`c-${type}`, type));
  expect(sent.map((one) => one.url)).toEqual([url]);
});

it('what waits of one customer is shown at no other', async () => {
  answer = away;
  await save(open('c5'));
  expect(open('c5').result.current.waiting).toBeDefined();
  expect(open('c6').result.current.waiting).toBeUndefined();
});

it('nothing of what was done to a picture that was put aside is done to the next one', async () => {
  const { result } = open('c7');
  act(() => result.current.choose(file));
  await waitFor(() => expect(result.current.chosen).toBeDefined());
  const cut = { crop: { x: 0, y: 0, width: 0.5, height: 0.5 }, boxes: [{ x: 0.1, y: 0.6, width: 0.3, height: 0.1 }] };
  act(() => result.current.setEdit(cut));
  act(() => result.current.forget());
  expect(result.current.chosen).toBeUndefined();
  act(() => result.current.choose(file));
  await waitFor(() => expect(result.current.chosen).toBeDefined());
  expect(result.current.edit).toEqual({ crop: WHOLE, boxes: [] });
});
