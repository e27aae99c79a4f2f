// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { offerPasskeySoon, takePasskeyOffer } from '#web/state/passkey.ts';
import { PasskeyOffer } from './passkey-offer.tsx';
// Loaded when it is asked; here before anybody waits for it.
import '#web/widgets/passkey-ask.tsx';

vi.mock('#web/i18n/i18n.ts', () => ({ loadMore: async () => undefined }));
vi.mock('#web/native/passkey.ts', () => ({
  canHavePasskey: async () => true,
  addPasskey: async () => ({ data: {} }),
}));

beforeEach(() => {
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
  document.cookie = 'passkey=; max-age=0; path=/';
});

async function answer(name: string): Promise<void> {
  offerPasskeySoon();
  render(<PasskeyOffer />);
  fireEvent.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
}

it('a yes is not remembered as a no: another phone of hers, or this one wiped, is asked again', async () => {
  await answer('passkey.use');
  expect(document.cookie).not.toContain('passkey=no');
  offerPasskeySoon();
  expect(takePasskeyOffer()).toBe(true);
});

it('a no is not asked again', async () => {
  await answer('install.later');
  offerPasskeySoon();
  expect(takePasskeyOffer()).toBe(false);
});
