// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Picture } from './picture.tsx';

let links = 0;
let isGone = false;
beforeEach(() => {
  [links, isGone] = [0, false];
  localStorage.setItem('token', 'T');
  URL.createObjectURL = () => 'blob:shown';
  URL.revokeObjectURL = () => undefined;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const url = typeof request === 'string' ? request : request.url;
    if (url.includes('/api/customer/document')) {
      links += 1;
      return Response.json({ status: 200, response: 'success', message: '', data: { url: `/files/${links}` } });
    }
    if (!url.includes('/files/')) return new Response('', { status: 404 });
    if (isGone) return new Response('', { status: 410 });
    return new Response('jpeg', { headers: { 'content-type': 'image/jpeg' } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = () =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Picture documentId="d" alt="Photo" />
      </MemoryRouter>
    </Provider>,
  );

it('a kept picture is shown', async () => {
  show();
  expect(await screen.findByRole('img', { name: 'Photo' })).toHaveAttribute('src', 'blob:shown');
});

it('one that its link did not open is said, and is opened by another link', async () => {
  isGone = true;
  show();
  expect(await screen.findByText('states.error_title')).toBeVisible();
  isGone = false;
  await userEvent.click(screen.getByRole('button', { name: 'common.retry' }));
  expect(await screen.findByRole('img', { name: 'Photo' })).toBeVisible();
  expect(links).toBe(2);
});
