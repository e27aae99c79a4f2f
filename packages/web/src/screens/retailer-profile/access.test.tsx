// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LOCK_ACCESS_WORDS, USER_ACCESS_WORDS } from '@kist/contract/access';
import { useRead } from '#web/api/use-call.ts';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Access } from './access.tsx';

const all = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, '1']));
/** The words of the shop, as the server has them. */
let shop: { access: Record<string, string>; lock_access: Record<string, string> };
let sent: object[] = [];
let isRefused = false;
beforeEach(() => {
  shop = { access: all(USER_ACCESS_WORDS), lock_access: all(LOCK_ACCESS_WORDS) };
  [sent, isRefused] = [[], false];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (request.url.endsWith('/user_access'))
      return ok({ user_type: 'retailer', user_id: 'own', ...all(USER_ACCESS_WORDS) });
    if (request.method === 'GET') return ok({ user_id: 'm1', user_access: shop.access, lock_access: shop.lock_access });
    const body = (await request.json()) as Partial<typeof shop>;
    sent.push(body);
    if (isRefused)
      return Response.json(
        { status: 403, response: 'failure', code: 'FORBIDDEN', message: 'Not yours.' },
        { status: 403 },
      );
    shop = {
      access: { ...shop.access, ...body.access },
      lock_access: { ...shop.lock_access, ...body.lock_access },
    };
    return ok({ user_id: 'm1' });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

function Profile() {
  const { data } = useRead('getRetailerProfile', { query: { user_id: 'm1' } });
  return data ? <Access shop={data} /> : null;
}
async function press(word: string) {
  const one = await screen.findByRole('switch', { name: `retailers.word_${word}` });
  await waitFor(() => expect(one).toBeEnabled());
  await userEvent.click(one);
  return one;
}
const show = () =>
  render(
    <Provider store={makeStore()}>
      <Profile />
    </Provider>,
  );

it.each([
  ['feature_access', 'access'],
  ['unlock', 'lock_access'],
] as const)('%s is taken and given alone, and the switch then says what the shop has', async (word, part) => {
  show();
  const one = await press(word);
  await waitFor(() => expect(one).not.toBeChecked());
  await press(word);
  await waitFor(() => expect(one).toBeChecked());
  expect(sent).toEqual([
    { user_id: 'm1', [part]: { [word]: '0' } },
    { user_id: 'm1', [part]: { [word]: '1' } },
  ]);
  for (const other of screen.getAllByRole('switch')) expect(other).toBeChecked();
});

it('a word that could not be taken is said, and the switch says that the shop has it still', async () => {
  isRefused = true;
  show();
  const one = await press('lock');
  await waitFor(() => expect(toast.current()?.text).toBe('Not yours.'));
  expect(one).toBeChecked();
});
