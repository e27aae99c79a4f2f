// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { Screen } from './screen.tsx';

let asked: string[] = [];
let types: (string | null)[] = [];
beforeEach(() => {
  [asked, types] = [[], []];
  localStorage.setItem('token', 'T');
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const shown = (isAsked: boolean) => {
  vi.stubGlobal('fetch', async (request: Request | string) => {
    const { pathname, searchParams } = new URL(typeof request === 'string' ? request : request.url, 'http://localhost');
    asked.push(pathname);
    types.push(searchParams.get('document_type'));
    const ok = (data: unknown) => Response.json({ status: 200, response: 'success', message: '', data });
    if (pathname.endsWith('get_org_app_config')) return ok({ flags: { witness_signature_layout: isAsked } });
    if (pathname.endsWith('customer_document')) return ok([]);
    if (pathname.endsWith('getCustomerProfile'))
      return ok({ customer: { customer_id: 'c', status: 1, first_name: 'Nitin', last_name: 'S' } });
    return ok({ user_type: 'retailer', active_deactive: '1' });
  });
  return render(
    <Provider store={makeStore()}>
      <MemoryRouter initialEntries={['/witness-signature?customer_id=c']}>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
};

it('has a place to sign where the organisation asks for a witness', async () => {
  shown(true);
  expect(await screen.findByRole('button', { name: 'signature.new' })).toBeInTheDocument();
  expect(screen.queryByText('documents.no_witness')).toBeNull();
});

it('a signature that is missing is asked for where the eye and the keyboard are led', async () => {
  shown(true);
  fireEvent.click(await screen.findByRole('button', { name: 'signature.new' }));
  fireEvent.click(screen.getByRole('button', { name: 'signature.save' }));
  expect(screen.getByRole('alert')).toHaveFocus();
  fireEvent.click(screen.getByRole('tab', { name: 'signature.type' }));
  fireEvent.click(screen.getByRole('button', { name: 'signature.save' }));
  expect(screen.getByRole('textbox', { name: /signature.full_name/ })).toHaveFocus();
});

it('has none elsewhere, and asks for no picture', async () => {
  shown(false);
  expect(await screen.findByText('documents.no_witness')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'signature.new' })).toBeNull();
  expect(asked.filter((path) => path.endsWith('customer_document'))).toEqual([]);
});

it('calls the paper to sign on the witness’s, not the customer’s', async () => {
  HTMLCanvasElement.prototype.getContext = () => null;
  shown(true);
  fireEvent.click(await screen.findByRole('button', { name: 'signature.new' }));
  fireEvent.click(screen.getByRole('button', { name: /^signature.pad_empty/ }));
  expect(await screen.findByRole('dialog', { name: 'customer.witness' })).toBeVisible();
  expect(screen.queryByRole('dialog', { name: 'signature.of_customer' })).toBeNull();
});

it('shows what the witness signed, never what the customer did', async () => {
  shown(true);
  await screen.findByRole('button', { name: 'signature.new' });
  expect(types.filter(Boolean)).toEqual(['witness_signature']);
});
