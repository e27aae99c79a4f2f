// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { CustomerProfile, SecuritySignal } from '@kist/contract/customers';
import { Security } from './security.tsx';

const at = '2026-03-01T10:00:00.000Z';
const signals = (is_safe: boolean): SecuritySignal[] =>
  (['contact', 'agent', 'orders', 'sim'] as const).map((signal) => ({ signal, is_safe, at }));
const lock = { strength: 'unproven' } as CustomerProfile['lock'];
const lines = () => screen.getAllByRole('listitem').map((one) => one.textContent);

it('says of each what is so, and that nothing is to be done', () => {
  render(<Security signals={signals(true)} lock={lock} />);
  expect(screen.getByText('security.safe')).toBeInTheDocument();
  for (const [index, word] of ['contact', 'agent', 'orders', 'sim'].entries())
    expect(lines()[index]).toContain(`security.${word}`);
});

it('counts only what somebody can do', () => {
  const some = (unsafe: readonly string[]) =>
    signals(true).map((one) => ({ ...one, is_safe: !unsafe.includes(one.signal) }));
  const { rerender } = render(<Security signals={some(['agent', 'orders'])} lock={lock} />);
  expect(screen.getByText('security.safe')).toBeInTheDocument();
  expect(lines()[1]).toContain('lock.unproven');
  rerender(<Security signals={some(['agent', 'orders', 'contact'])} lock={lock} />);
  expect(screen.getByText('security.look')).toBeInTheDocument();
});

it('says of each what is to be done about it', () => {
  render(<Security signals={signals(false)} lock={lock} />);
  expect(screen.getByText('security.look')).toBeInTheDocument();
  for (const [index, word] of [
    'security.contact_do',
    'lock.unproven',
    'security.orders_do',
    'security.sim_do',
  ].entries())
    expect(lines()[index]).toContain(word);
});
