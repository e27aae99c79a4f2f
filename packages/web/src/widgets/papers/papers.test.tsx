// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outbox } from '#web/offline/app-outbox.ts';
import { store } from '#web/state/storage.ts';
import { appStore, makeStore } from '#web/state/store.ts';
import { Papers } from './papers.tsx';
import type { Slot } from './slots.ts';

class FakeImage {
  naturalWidth = 1000;
  naturalHeight = 500;
  onload?: () => void;
  src = '';
  constructor() {
    setTimeout(() => this.onload?.());
  }
}

let isAway = false;
let kept: object[] = [];
let uploads = 0;
beforeEach(() => {
  isAway = false;
  kept = [];
  uploads = 0;
  vi.stubGlobal('Image', FakeImage);
  const pen = { fillStyle: '', drawImage: () => undefined, fillRect: () => undefined };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['small'], { type: 'image/jpeg' })),
  );
  localStorage.setItem('token', 'T');
  store('user_id', 'savita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const isUpload = request.method === 'POST';
    if (isUpload && isAway)
      return Response.json({ status: 503, response: 'failure', code: 'UNAVAILABLE', message: '' }, { status: 503 });
    uploads += Number(isUpload);
    const isList = request.url.includes('customer_document');
    const data = isUpload ? { document_id: 'd' } : isList ? kept : { url: '/nowhere' };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(async () => {
  for (const { id } of outbox.entries()) await outbox.discard(id);
  vi.unstubAllGlobals();
});

/** The sheets that were opened and closed. */
const seen: (Slot | undefined)[] = [];
function Screen() {
  const [slot, setSlot] = useState<Slot>();
  const show = (next: Slot | undefined) => (seen.push(next), setSlot(next));
  return <Papers customerId="c" isOpen whose="Asha Kale" slot={slot} onSlot={show} />;
}
/** @returns a function that leaves the screen */
async function addPaper(shownBy = makeStore()): Promise<() => void> {
  const { container, unmount } = render(
    <Provider store={shownBy}>
      <Screen />
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'documents.another' }));
  fireEvent.change(screen.getByLabelText(/documents.name/), { target: { value: 'Light bill' } });
  const picker = container.querySelector('[data-pick=file]') as HTMLInputElement;
  fireEvent.change(picker, { target: { files: [new File(['x'], 'a.jpg')] } });
  fireEvent.click(await screen.findByRole('button', { name: 'documents.save' }));
  return unmount;
}

it('a further paper that was saved is not said to be missing: its sheet leads back to the list', async () => {
  await addPaper();
  await waitFor(() => expect(screen.queryByLabelText(/documents.name/)).toBeNull());
  expect(screen.queryByRole('button', { name: 'documents.save' })).toBeNull();
  expect(outbox.entries()).toEqual([]);
});

it('what waits for the network stands in the list, by its name and whose it is, and is not dropped without a question', async () => {
  isAway = true;
  await addPaper();
  const row = await screen.findByRole('button', { name: /Light bill\s*shell.not_sent/ });
  expect(outbox.entries()).toMatchObject([{ label: 'my_data.type.other · Light bill, Asha Kale', about: 'c' }]);
  fireEvent.click(row);
  expect(await screen.findByText(/shell.saved_(offline|server_away)/)).toBeInTheDocument();
  fireEvent.click(screen.getByRole('button', { name: 'documents.discard' }));
  const asked = screen.getByRole('dialog', { name: 'documents.remove_ask' });
  fireEvent.click(within(asked).getByRole('button', { name: 'common.cancel' }));
  expect(outbox.entries()).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'documents.discard' }));
  fireEvent.click(within(asked).getByRole('button', { name: 'documents.discard' }));
  await waitFor(() => expect(screen.queryByText(/shell.not_sent/)).toBeNull());
  expect(outbox.entries()).toEqual([]);
});

it('who leaves while a picture is sent is left there: its end opens and closes nothing', async () => {
  const { fetch: quick } = globalThis;
  let answer: () => void = () => undefined;
  const held = new Promise<void>((done) => (answer = done));
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'POST') await held;
    return quick(request);
  });
  const unmount = await addPaper();
  await waitFor(() => expect(outbox.entries()).toHaveLength(1));
  seen.length = 0;
  unmount();
  answer();
  await waitFor(() => expect(outbox.entries()).toEqual([]));
  expect(seen).toEqual([]);
});

it('a picture in the place of one that is kept asks first; no leaves both as they were', async () => {
  kept = [{ document_id: 'k', document_type: 'photo', image_name: null, created_at: '2026-11-01T10:00:00Z' }];
  const { container } = render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: /my_data.type.photo/ }));
  const picker = container.querySelector('[data-pick=file]') as HTMLInputElement;
  fireEvent.change(picker, { target: { files: [new File(['x'], 'a.jpg')] } });
  fireEvent.click(await screen.findByRole('button', { name: 'documents.save' }));
  const asked = screen.getByRole('dialog', { name: 'documents.replace_ask' });
  fireEvent.click(within(asked).getByRole('button', { name: 'common.cancel' }));
  expect(uploads).toBe(0);
  fireEvent.click(screen.getByRole('button', { name: 'documents.save' }));
  fireEvent.click(within(asked).getByRole('button', { name: 'retailers.replace' }));
  await waitFor(() => expect(uploads).toBe(1));
});

const other = (image_name: string) => ({
  document_id: image_name,
  document_type: 'other',
  image_name,
  created_at: '2026-11-01T20:00:00Z',
});

it('a paper that was saved stands in the list, with the day in India on which it came', async () => {
  const { fetch: known } = globalThis;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'POST') kept = [other('Light bill')];
    return known(request);
  });
  await addPaper(appStore);
  expect(await screen.findByRole('button', { name: /Light bill\s*02-11-2026 01:30 AM/ })).toBeVisible();
});

it('another further paper takes the place of none that is kept', async () => {
  kept = [other('Light bill')];
  await addPaper();
  expect(screen.queryByRole('dialog', { name: 'documents.replace_ask' })).toBeNull();
  await waitFor(() => expect(uploads).toBe(1));
  await waitFor(() => expect(outbox.entries()).toEqual([]));
});

/** Picks a picture for the front of an Aadhaar, and nothing more. */
async function pickAadhaar() {
  const { container } = render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: /documents.front/ }));
  const picker = container.querySelector('[data-pick=file]') as HTMLInputElement;
  fireEvent.change(picker, { target: { files: [new File(['x'], 'a.jpg')] } });
  return { save: await screen.findByRole('button', { name: 'documents.save' }) };
}
const askedHidden = () => screen.getByRole('dialog', { name: 'documents.hidden_ask' });
const answer = (name: string) => fireEvent.click(within(askedHidden()).getByRole('button', { name }));

it('an Aadhaar on which nothing is painted over is not kept before somebody says that its number is hidden', async () => {
  const { save } = await pickAadhaar();
  fireEvent.click(screen.getByRole('tab', { name: 'documents.crop' }));
  fireEvent.click(save);
  answer('documents.hide_first');
  // Back where it is hidden, with the picture as it was.
  expect(screen.getByRole('tab', { name: 'documents.hide' })).toHaveAttribute('aria-selected', 'true');
  expect(uploads).toBe(0);
  fireEvent.click(save);
  answer('documents.hidden_already');
  await waitFor(() => expect(uploads).toBe(1));
});

it('an Aadhaar with its number painted over is kept without a question', async () => {
  const { save } = await pickAadhaar();
  fireEvent.click(screen.getByRole('button', { name: 'documents.add_box' }));
  fireEvent.click(save);
  expect(screen.queryByRole('dialog', { name: 'documents.hidden_ask' })).toBeNull();
  await waitFor(() => expect(uploads).toBe(1));
});

it('in the place of another it is asked of both, one after the other, and a second time of neither', async () => {
  kept = [{ document_id: 'k', document_type: 'aadhaar', image_name: 'front', created_at: '2026-11-01T10:00:00Z' }];
  const { save } = await pickAadhaar();
  fireEvent.click(save);
  answer('documents.hidden_already');
  const replacing = screen.getByRole('dialog', { name: 'documents.replace_ask' });
  fireEvent.click(within(replacing).getByRole('button', { name: 'common.cancel' }));
  expect(uploads).toBe(0);
  fireEvent.click(save);
  expect(screen.queryByRole('dialog', { name: 'documents.hidden_ask' })).toBeNull();
  fireEvent.click(within(replacing).getByRole('button', { name: 'retailers.replace' }));
  await waitFor(() => expect(uploads).toBe(1));
});
