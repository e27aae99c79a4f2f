// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { expect, it } from 'vitest';
import type { LockView } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { LockButton } from './lock-button.tsx';

const held = (cause: LockView['cause']) =>
  render(
    <Provider store={makeStore()}>
      <LockButton
        customerId="c"
        lock={{ lock_status: 1, level: 4, desired_level: 4, cause } as LockView}
        isLockOffered={false}
      />
    </Provider>,
  );

it('what holds a stolen phone is its owner’s to lift: the shop is not offered to', () => {
  const { unmount } = held('debt');
  expect(screen.getByRole('button', { name: 'lock.unlock' })).toBeInTheDocument();
  unmount();
  held('theft');
  expect(screen.queryByRole('button')).toBeNull();
});
