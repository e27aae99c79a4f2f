// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, it } from 'vitest';
import { orgConfig } from '#web/state/main-slice.ts';
import { makeStore } from '#web/state/store.ts';
import { learnUserType } from '#web/state/who-allows.ts';
import { KeysGone, NoKeys } from './no-keys.tsx';

afterEach(() => learnUserType(undefined));

function show(userType: string, phone: string, isBeside = false) {
  learnUserType(userType);
  const store = makeStore();
  store.dispatch(orgConfig({ support: { phone, email: '' } } as never));
  render(<Provider store={store}>{isBeside ? <NoKeys /> : <KeysGone title="gone" />}</Provider>);
}
const call = () => screen.queryByRole('link', { name: /shell\.call_support/ });

it('a retailer without keys is sent to the distributor, with the number to call', () => {
  show('retailer', '+911140001234');
  expect(screen.getByText('states.keys_distributor')).toBeInTheDocument();
  expect(call()).toHaveAttribute('href', 'tel:+911140001234');
});

it('beside a field it says the same', () => {
  show('retailer', '+911140001234', true);
  expect(screen.getByRole('alert')).toHaveTextContent('errors.INSUFFICIENT_KEYS states.keys_distributor');
  expect(call()).toBeInTheDocument();
});

it('a mini-retailer is sent to its retailer, whom the organisation’s number does not reach', () => {
  show('miniretailer', '+911140001234');
  expect(screen.getByText('states.keys_retailer')).toBeInTheDocument();
  expect(call()).toBeNull();
});

it('where no number is known none is offered', () => {
  show('retailer', '');
  expect(call()).toBeNull();
});
