// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useRead } from '#web/api/use-call.ts';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Picture } from './picture.tsx';

class FakeImage {
  naturalWidth = 400;
  naturalHeight = 300;
  onload?: () => void;
  src = '';
  constructor() {
    setTimeout(() => this.onload?.());
  }
}
/** What the server has of each kind: how often one was put. */
let kept: Record<string, number> = {};
let asked: string[] = [];
let isRefused = false;
beforeEach(() => {
  [kept, asked, isRefused] = [{ qr: 0, signature: 0 }, [], false];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('Image', FakeImage);
  const pen = { fillStyle: '', drawImage: () => undefined, fillRect: () => undefined };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['small'], { type: 'image/png' })),
  );
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, searchParams } = new URL(request.url);
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (request.method === 'POST' && isRefused)
      return Response.json(
        { status: 415, response: 'failure', code: 'FILE_UNREADABLE', message: 'Odd.' },
        { status: 415 },
      );
    if (request.method === 'POST') {
      kept[pathname.split('_').at(-1)!]! += 1;
      return ok({});
    }
    if (pathname.endsWith('getRetailerProfile'))
      return ok({ user_id: 'm1', has_qr: kept['qr']! > 0, has_signature: kept['signature']! > 0 });
    const kind = searchParams.get('kind')!;
    asked.push(kind);
    return ok({ data_url: `data:image/png;base64,${kind}${kept[kind]}` });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

function Profile({ kind }: { kind: 'qr' | 'signature' }) {
  const { data } = useRead('getRetailerProfile', { query: { user_id: 'm1' } });
  return data ? <Picture shop={data} kind={kind} /> : null;
}
async function show(kind: 'qr' | 'signature') {
  render(
    <Provider store={makeStore()}>
      <Profile kind={kind} />
    </Provider>,
  );
  return screen.findByLabelText(`retailers.${kind}`, { selector: 'input' });
}
const put = (input: HTMLElement) =>
  fireEvent.change(input, { target: { files: [new File(['x'], 'a.png', { type: 'image/png' })] } });
const shown = () => screen.queryByRole('img')?.getAttribute('src');

it.each(['qr', 'signature'] as const)(
  'a new %s of the shop is shown in the place of the one before, and the first one as soon as there is one',
  async (kind) => {
    const input = await show(kind);
    expect(screen.getByRole('button', { name: 'retailers.upload' })).toBeInTheDocument();
    expect(asked).toEqual([]);
    put(input);
    await waitFor(() => expect(shown()).toBe(`data:image/png;base64,${kind}1`));
    expect(screen.getByRole('button', { name: 'retailers.replace' })).toBeInTheDocument();
    put(input);
    await waitFor(() => expect(shown()).toBe(`data:image/png;base64,${kind}2`));
    expect(kept).toEqual({ qr: 0, signature: 0, [kind]: 2 });
  },
);

it('a picture that the server did not take is said, and never that it was saved', async () => {
  isRefused = true;
  put(await show('qr'));
  await waitFor(() => expect(toast.current()?.text).toBe('Odd.'));
  expect(screen.getByRole('button', { name: 'retailers.upload' })).toBeInTheDocument();
});
