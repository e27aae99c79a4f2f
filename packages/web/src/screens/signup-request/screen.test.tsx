// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toast } from '#web/ui/toast.ts';
import { Screen } from './screen.tsx';

let answer: { status: number; code?: string; errors?: { path: string; message: string }[] };
const sent: Record<string, unknown>[] = [];
beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    sent.push((await request.json()) as Record<string, unknown>);
    const { status } = answer;
    const response = status === 200 ? 'success' : 'failure';
    return Response.json({ response, message: 'said', data: {}, ...answer }, { status });
  });
});
afterEach(() => {
  while (toast.current()) toast.close();
  vi.unstubAllGlobals();
});

const field = (name: string) => screen.getByRole('textbox', { name: new RegExp(name) });
const send = () => userEvent.click(screen.getByRole('button', { name: 'signup.send' }));
const show = () =>
  render(
    <MemoryRouter>
      <Screen />
    </MemoryRouter>,
  );
/** Of a form that was not sent what was typed stands there still. */
async function fill() {
  for (const name of ['retailers.shop_name', 'add.first_name', 'auth.mobile']) await userEvent.clear(field(name));
  await userEvent.type(field('retailers.shop_name'), 'Komal Gallery');
  await userEvent.type(field('add.first_name'), 'Komal');
  await userEvent.type(field('auth.mobile'), '98123 45678');
}

it('asks for what is missing, leads to the first of it, and sends nothing without it', async () => {
  show();
  await send();
  expect(field('retailers.shop_name')).toHaveAccessibleDescription('field.required');
  expect(field('auth.mobile')).toHaveAccessibleDescription(/field.required/);
  expect(field('retailers.shop_name')).toHaveFocus();
  await userEvent.type(field('retailers.shop_name'), 'Komal Gallery');
  await send();
  expect(field('add.first_name')).toHaveFocus();
  expect(sent).toEqual([]);
});

it('sends the request, and says with which number to log in later', async () => {
  answer = { status: 200 };
  show();
  await fill();
  await send();
  expect(await screen.findByText('signup.sent')).toBeInTheDocument();
  expect(sent).toEqual([
    {
      shop_name: 'Komal Gallery',
      first_name: 'Komal',
      last_name: '',
      mobile: '+919812345678',
      city: '',
      pincode: '',
      note: '',
    },
  ]);
});

it('says by its field what the server did not take, and leads there', async () => {
  answer = { status: 400, code: 'INVALID_INPUT', errors: [{ path: 'pincode', message: 'six digits' }] };
  show();
  await fill();
  await send();
  await waitFor(() => expect(field('add.pincode')).toHaveAccessibleDescription('six digits'));
  expect(field('add.pincode')).toHaveFocus();
});

it('of a request that was sent nothing is left in the form for whoever comes next', async () => {
  answer = { status: 200 };
  const { unmount } = show();
  await fill();
  await send();
  await screen.findByText('signup.sent');
  unmount();
  show();
  expect(field('retailers.shop_name')).toHaveValue('');
  expect(field('auth.mobile')).toHaveValue('');
});

it('what was refused for no field is said, and what was typed stays to be sent again', async () => {
  answer = { status: 429, code: 'RATE_LIMITED' };
  show();
  await fill();
  await send();
  await waitFor(() => expect(toast.current()?.text).toBe('said'));
  expect(field('retailers.shop_name')).toHaveValue('Komal Gallery');
  answer = { status: 200 };
  await send();
  expect(await screen.findByText('signup.sent')).toBeInTheDocument();
});

it('a number that is not whole is asked for before anything is sent; of a pincode six digits are taken, and the note goes along', async () => {
  answer = { status: 200 };
  show();
  await fill();
  await userEvent.clear(field('auth.mobile'));
  await userEvent.type(field('auth.mobile'), '98123');
  await send();
  expect(field('auth.mobile')).toHaveAccessibleDescription(/field.mobile/);
  expect(sent).toEqual([]);
  await userEvent.type(field('auth.mobile'), '45678');
  await userEvent.type(field('add.pincode'), '411 0015');
  await userEvent.type(field('signup.note'), 'By the bridge');
  await send();
  await screen.findByText('signup.sent');
  expect(sent).toMatchObject([{ mobile: '+919812345678', pincode: '411001', note: 'By the bridge' }]);
});
