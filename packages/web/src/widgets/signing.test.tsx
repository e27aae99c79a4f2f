// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useRead } from '#web/api/use-call.ts';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Signing } from './signing.tsx';

class FakeImage {
  naturalWidth = 720;
  naturalHeight = 240;
  onload?: () => void;
  src = '';
  constructor() {
    setTimeout(() => this.onload?.());
  }
}
let isRefused = false;
let reads: string[] = [];
let sent: string[] = [];
beforeEach(() => {
  [isRefused, reads, sent] = [false, [], []];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('Image', FakeImage);
  const pen = {
    drawImage: () => undefined,
    fillRect: () => undefined,
    fillText: () => undefined,
    measureText: () => ({ width: 100 }),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['small'], { type: 'image/png' })),
  );
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const call = new URL(request.url).pathname.split('/').at(-1)!;
    const isUpload = request.method === 'POST';
    (isUpload ? sent : reads).push(call);
    if (isUpload && isRefused)
      return Response.json(
        { status: 409, response: 'failure', code: 'STATE_CONFLICT', message: 'Not now.' },
        { status: 409 },
      );
    return Response.json({ status: 200, response: 'success', message: '', data: isUpload ? { document_id: 'd' } : [] });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

function Beside() {
  useRead('getCustomerProfile', { query: { customer_id: 'c' } });
  useRead('getCustomerDocuments', { query: { customer_id: 'c', document_type: 'witness_signature' } });
  return null;
}
async function signAs(of: 'customer' | 'witness', name: string) {
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Beside />
        <Signing customerId="c" of={of} documentId={null} />
      </MemoryRouter>
    </Provider>,
  );
  await waitFor(() => expect(reads).toHaveLength(2));
  reads.length = 0;
  fireEvent.click(screen.getByRole('button', { name: 'signature.new' }));
  fireEvent.click(screen.getByRole('tab', { name: 'signature.type' }));
  fireEvent.change(screen.getByRole('textbox'), { target: { value: name } });
  fireEvent.click(screen.getByRole('button', { name: 'signature.save' }));
}

it.each([
  ['customer', 'signature', 'getCustomerProfile'],
  ['witness', 'witness_signature', 'customer_document'],
] as const)('a signature of the %s that was saved is the one that is shown from then on', async (of, call, read) => {
  await signAs(of, 'Asha Kale');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'signature.save' })).toBeNull());
  expect(sent).toEqual([call]);
  expect(toast.current()?.text).toBe('signature.saved');
  await waitFor(() => expect(reads).toContain(read));
});

it('a name of blanks is no signature', async () => {
  await signAs('customer', '   ');
  expect(screen.getByRole('textbox')).toHaveAccessibleDescription(/field.required/);
  expect(sent).toEqual([]);
});

it('one that was refused is said, and the name stands there to be sent again', async () => {
  isRefused = true;
  await signAs('customer', 'Asha Kale');
  await waitFor(() => expect(toast.current()?.text).toBe('Not now.'));
  expect(screen.getByRole('textbox')).toHaveValue('Asha Kale');
});

it('what was wrong is said no more once a name is typed', async () => {
  await signAs('customer', '');
  expect(screen.getByRole('textbox')).toHaveAccessibleDescription(/field.required/);
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'A' } });
  expect(screen.getByRole('textbox')).not.toHaveAccessibleDescription(/field.required/);
});

it('who changes their mind is back at what is on file', async () => {
  await signAs('customer', '');
  fireEvent.click(screen.getByRole('button', { name: 'common.cancel' }));
  expect(screen.getByRole('button', { name: 'signature.new' })).toBeVisible();
});
