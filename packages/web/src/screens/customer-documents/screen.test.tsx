// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { CUSTOMER_STATUS, type EditAction } from '@kist/contract/codes';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

afterEach(() => vi.unstubAllGlobals());

async function shown(status: number, edit_actions: EditAction[], active_deactive = '1', more = ''): Promise<void> {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const { pathname } = new URL(typeof request === 'string' ? request : request.url, 'http://localhost');
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('customer_document')) return ok([]);
    if (pathname.endsWith('getCustomerProfile'))
      return ok({ customer: { customer_id: 'c', status, first_name: 'Nitin', last_name: 'S' }, edit_actions });
    return ok({ user_type: 'retailer', active_deactive });
  });
  render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={[`/customer-documents?customer_id=c${more}`]}>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
  await screen.findByRole('group', { name: 'documents.title' });
}

it.each([CUSTOMER_STATUS.inactive, CUSTOMER_STATUS.install])(
  'whether pictures are added of a customer of the status %i is what the server says, and not worked out here',
  async (status) => {
    await shown(status, ['EDIT_DOCUMENTS']);
    expect(screen.getByText('documents.another')).toBeInTheDocument();
  },
);
it.each([CUSTOMER_STATUS.inactive, CUSTOMER_STATUS.install])(
  'none of the status %i where it offers none',
  async (status) => {
    await shown(status, ['IMEI_EDIT', 'EDIT_SIGNATURE']);
    expect(screen.queryByText('documents.another')).toBeNull();
  },
);

it('whoever may not activate customers adds no picture, whatever the server offers of this customer, and is told whom to ask', async () => {
  await shown(CUSTOMER_STATUS.inactive, ['EDIT_DOCUMENTS'], '0');
  expect(await screen.findByText(/documents.not_yours/)).toBeInTheDocument();
  expect(screen.queryByText('documents.another')).toBeNull();
});

it('the place that the address names is open: the side of the paper with it', async () => {
  await shown(CUSTOMER_STATUS.inactive, ['EDIT_DOCUMENTS'], '1', '&document_type=AADHAAR&image_name=back');
  expect(screen.getByRole('dialog', { name: 'my_data.type.aadhaar · documents.back' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'documents.camera' })).toBeVisible();
});

it('an empty place that is open to look at has no camera for whoever may add nothing there', async () => {
  await shown(CUSTOMER_STATUS.inactive, [], '1', '&document_type=pan');
  expect(screen.getByRole('dialog', { name: 'my_data.type.pan' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'documents.camera' })).toBeNull();
});
