// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Bell } from './bell.tsx';

it('says how much nobody has read, and brings what it tells when it is opened', () => {
  // jsdom draws no dialogs.
  HTMLDialogElement.prototype.showModal = () => undefined;
  render(<Bell unread={2} />);
  expect(screen.queryByRole('status')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'bell.title 2' }));
  expect(screen.getByText('states.loading')).toBeInTheDocument();
});
