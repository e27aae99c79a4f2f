// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { EmiDetails } from '@kist/contract/emi';
import type { PayTo } from '@kist/contract/pay-to';
import { Told } from './told.tsx';

const said = (refuse_reason: string | null) => ({ claim_id: 'k', said_at: '2026-04-10T05:30:00Z', refuse_reason });
const show = (phone_claim: EmiDetails['phone_claim'], rests_until_on: string | null) =>
  render(<Told details={{ payments: [], phone_claim } as unknown as EmiDetails} pay={{ rests_until_on } as PayTo} />);

it('what was said on the phone waits for the shop, also when the ladder rests no more', () => {
  show(said(null), null);
  expect(screen.getByText('mine.told_on_phone')).toBeInTheDocument();
  expect(screen.queryByText('mine.refused')).toBeNull();
});

it('the shop’s no to it is read with its words, and nothing is called waiting', () => {
  show(said('Nothing came in'), '2026-04-12');
  expect(screen.getByText('mine.refused_on_phone')).toBeInTheDocument();
  expect(screen.queryByText('mine.told_on_phone')).toBeNull();
});

it('nothing is told where nothing was said', () => {
  show(null, null);
  expect(screen.queryByRole('status')).toBeNull();
});
