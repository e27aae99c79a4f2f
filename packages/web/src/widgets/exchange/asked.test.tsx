// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { Asked } from './asked.tsx';

const ACCESS = { user_type: 'retailer', feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1' };
let said: object = {};
let refusal = '';
beforeEach(() => {
  refusal = '';
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    if (refusal && new URL(request.url).pathname.endsWith('/update_customer_detailsV3'))
      return Response.json({ status: 409, response: 'failure', message: '', code: refusal }, { status: 409 });
    const isAccess = new URL(request.url).pathname === '/api/user/user_access';
    return Response.json({ status: 200, response: 'success', message: '', data: isAccess ? ACCESS : said });
  });
});
afterEach(() => vi.unstubAllGlobals());

const PROFILE = {
  customer: { customer_id: 'c', status: 1 },
  agreement: { state: 'active' },
  device: { brand: 'Vivo', model: 'Y28' },
  edit_actions: ['IMEI_EDIT'],
} as unknown as CustomerProfile;
async function linesOf(preview: object, profile = PROFILE): Promise<string[]> {
  said = { agreement_no: 'A-7', keys_left: 4, refused: null, ...preview };
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Asked profile={profile} />
      </MemoryRouter>
    </Provider>,
  );
  return (await screen.findAllByRole('listitem')).map((line) => line.textContent);
}

it('asks for the new phone’s number where one was set up', async () => {
  expect(await linesOf({ kind: 'EXCHANGED', channel: 'ENDS_WHEN_FREE', key: 'NEW', consent: 'ANEW' })).toEqual([
    'exchanging.old',
    'exchanging.key_NEW',
    'exchanging.consent',
  ]);
  expect(screen.getByLabelText('exchanging.imei_new')).toBeInTheDocument();
});

it('asks for the right number of the same phone else, and says once that it is not set up', async () => {
  expect(await linesOf({ kind: 'CORRECTED', channel: 'NEVER_OPENED', key: 'KEPT', consent: 'KEPT' })).toEqual([
    'exchanging.qr_new',
    'exchanging.key_KEPT',
  ]);
  expect(screen.getByText('exchanging.intro_CORRECTED')).toBeInTheDocument();
  expect(screen.getByLabelText('exchanging.imei')).toBeInTheDocument();
});

it('says that the customer agrees anew as soon as the right number is of another model', async () => {
  const lines = await linesOf({ kind: 'CORRECTED', channel: 'NEVER_OPENED', key: 'KEPT', consent: 'KEPT' });
  const type = (model: string) =>
    fireEvent.change(screen.getByLabelText('exchanging.model'), { target: { value: model } });
  const now = () => screen.getAllByRole('listitem').map((line) => line.textContent);
  type(' y28 ');
  expect(now()).toEqual(lines);
  type('Y29');
  expect(now()).toEqual([...lines, 'exchanging.consent']);
});

it('asks for another phone where the one before was let go', async () => {
  const gone = { ...PROFILE, device: { ...PROFILE.device, released_at: '2026-05-10T05:30:00Z' } } as CustomerProfile;
  expect(await linesOf({ kind: 'CORRECTED', channel: 'NONE', key: 'NEW', consent: 'KEPT' }, gone)).toEqual([
    'exchanging.key_NEW',
  ]);
  expect(screen.getByText('exchanging.intro_EXCHANGED')).toBeInTheDocument();
  expect(screen.getByLabelText('exchanging.imei_new')).toBeInTheDocument();
});

it('what was typed is still there when the sheet was pushed away, and after a refusal', async () => {
  said = { agreement_no: 'A-7', keys_left: 4, refused: null, kind: 'CORRECTED', channel: 'NEVER_OPENED', key: 'KEPT' };
  const open = () =>
    render(
      <Provider store={makeStore()}>
        <MemoryRouter>
          <Asked profile={PROFILE} />
        </MemoryRouter>
      </Provider>,
    );
  const first = open();
  fireEvent.change(await screen.findByLabelText('exchanging.imei'), { target: { value: '35' } });
  fireEvent.change(screen.getByLabelText('cancel.reason'), { target: { value: 'The box was read wrongly' } });
  first.unmount();
  said = { ...said, refused: { code: 'LOST' } };
  const held = open();
  expect(await screen.findByText('exchange.held')).toBeInTheDocument();
  held.unmount();
  said = { ...said, refused: null };
  open();
  expect(await screen.findByLabelText('exchanging.imei')).toHaveValue('35');
  expect(screen.getByLabelText('cancel.reason')).toHaveValue('The box was read wrongly');
  expect(screen.getByLabelText('exchanging.brand')).toHaveValue('Vivo');
});

it('of a phone that comes in the place of another that was typed, the second number is asked anew', async () => {
  const phone = { ...PROFILE, customer: { ...PROFILE.customer, customer_id: 'second' } } as CustomerProfile;
  await linesOf({ kind: 'EXCHANGED', channel: 'ENDS_WHEN_FREE', key: 'NEW', consent: 'ANEW' }, phone);
  const [first, second] = [screen.getByLabelText('exchanging.imei_new'), screen.getByLabelText(/exchanging.imei2/)];
  const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
  type(first, '356938035643809');
  type(second, '490154203237518');
  // A digit put right is the same phone.
  type(first, '35693803564380');
  type(first, '356938035643809');
  expect(second).toHaveValue('490154203237518');
  type(first, '352099001761481');
  expect(second).toHaveValue('');
});

it('a phone that no key is left for: whom to ask stands there until it is sent again', async () => {
  const phone = { ...PROFILE, customer: { ...PROFILE.customer, customer_id: 'third' } } as CustomerProfile;
  await linesOf({ kind: 'EXCHANGED', channel: 'ENDS_WHEN_FREE', key: 'NEW', consent: 'ANEW' }, phone);
  fireEvent.change(screen.getByLabelText('exchanging.imei_new'), { target: { value: '356938035643809' } });
  fireEvent.change(screen.getByLabelText('exchanging.brand'), { target: { value: 'Vivo' } });
  fireEvent.change(screen.getByLabelText('exchanging.model'), { target: { value: 'Y28' } });
  fireEvent.change(screen.getByLabelText('cancel.reason'), { target: { value: 'The screen is broken' } });
  refusal = 'INSUFFICIENT_KEYS';
  fireEvent.click(screen.getByRole('button', { name: 'exchange.title' }));
  expect(await screen.findByText(/states\.keys_distributor/)).toBeInTheDocument();
});
