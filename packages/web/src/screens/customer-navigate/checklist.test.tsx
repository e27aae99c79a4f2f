// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { Checklist } from './checklist.tsx';

afterEach(() => vi.unstubAllGlobals());

/** @param papers what is kept that a witness signed. @returns the types of papers that were asked for */
function open(
  activeDeactive: '0' | '1',
  isDraft: boolean,
  more: object = {},
  { isWitnessAsked = false, papers = [] as object[] } = {},
) {
  const me = {
    user_type: 'retailer',
    feature_access: '1',
    lock_unlock: '1',
    unistall: '1',
    active_deactive: activeDeactive,
    bulk_retailer: '0',
  };
  const types: (string | null)[] = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const { pathname, searchParams } = new URL(request.url);
    const isPapers = pathname.endsWith('customer_document');
    if (isPapers) types.push(searchParams.get('document_type'));
    const isConfig = pathname.endsWith('get_org_app_config');
    const config = { flags: { witness_signature_layout: isWitnessAsked } };
    const data = isPapers ? papers : isConfig ? config : me;
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
  const profile = {
    customer: { customer_id: 'c-1', first_name: 'Meena', is_draft: isDraft },
    steps: [{ step: 'plan', is_done: true }],
    consent_missing: [],
    edit_actions: ['EDIT_SIGNATURE'],
    device: null,
    agreement: null,
    ...more,
  } as unknown as CustomerProfile;
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Checklist profile={profile} />
      </MemoryRouter>
    </Provider>,
  );
  return types;
}

it.each([true, false])('who may not go on with a sale is told so, and not to go on (draft: %s)', async (isDraft) => {
  open('0', isDraft);
  expect(await screen.findByText(/^navigate\.not_yours states\./)).toBeInTheDocument();
  expect(screen.queryByText(/navigate\.intro/)).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
});

it('who may is told where to go on', async () => {
  open('1', true);
  expect(await screen.findByText('navigate.intro_draft')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'navigate.go_on' })).toBeInTheDocument();
});

it('a phone that was let go is not set up any more: that is said, and no way there is shown', async () => {
  const steps = [
    { step: 'device', is_done: true },
    { step: 'consent', is_done: true },
    { step: 'qr', is_done: false },
  ];
  open('1', false, { steps, device: { released_at: '2026-05-10T05:30:00Z', enrolled_at: null } });
  // Drawn anew when the rest of it comes: what was found before that is not it.
  await waitFor(() => expect(screen.getByText('unclaim.over')).toBeInTheDocument());
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual(['customer.documents']);
  // Nor is one there, or still to come.
  expect(screen.getByText('navigate.step_consent')).toBeInTheDocument();
  for (const step of ['device', 'qr']) expect(screen.queryByText(`navigate.step_${step}`)).toBeNull();
});

const SIGNED = [
  { step: 'signature', is_done: true },
  { step: 'qr', is_done: false },
];

it.each([
  [[], 'navigate.open'],
  [[{ document_id: 'd' }], 'navigate.done'],
])('where a witness is asked for, its signing is a step of the sale, open or done (%j: %s)', async (papers, state) => {
  const types = open('1', false, { steps: SIGNED }, { isWitnessAsked: true, papers });
  const step = await screen.findByRole('link', { name: new RegExp(`^customer.witness\\s*${state}$`) });
  expect(step).toHaveAttribute('href', '/witness-signature?customer_id=c-1');
  // Before the phone is set up and the customer is gone with it.
  expect(screen.getAllByText(/^(navigate\.step_|customer\.witness$)/).map((title) => title.textContent)).toEqual([
    'navigate.step_signature',
    'customer.witness',
    'navigate.step_qr',
  ]);
  expect(new Set(types)).toEqual(new Set(['witness_signature']));
});

it('who may not go on with a sale sees that the witness is to sign, and is led nowhere', async () => {
  const types = open('0', false, { steps: SIGNED }, { isWitnessAsked: true });
  expect(await screen.findByText('customer.witness')).toBeInTheDocument();
  await screen.findByText(/^navigate\.not_yours/);
  // Asked for here, not of the test that follows.
  await waitFor(() => expect(types).toEqual(['witness_signature']));
  expect(screen.queryByRole('link')).toBeNull();
});

it.each([
  ['the organisation asks for none', { isWitnessAsked: false }, {}],
  ['the plan takes no signature', { isWitnessAsked: true }, { edit_actions: ['EMM_QR_CODE'] }],
])('there is no step of a witness where %s, and no paper is asked for', async (_why, asked, more) => {
  const types = open('1', false, { steps: SIGNED, ...more }, asked);
  await screen.findByText('navigate.intro_qr');
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryByText('customer.witness')).toBeNull();
  expect(types).toEqual([]);
});
