// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Screen } from './screen.tsx';

const one = (kind: 'override' | 'batch' | 'waiver', more: object = {}) => ({
  kind,
  id: `01890a5d-ac96-774b-bcce-b302099a805${kind === 'batch' ? 7 : 8}`,
  reason: kind === 'batch' ? 'EMI_OVERDUE' : 'ORG_OVERRIDE',
  note: kind === 'batch' ? '' : 'agreed in writing',
  asked_by: 'Ravi',
  shop: 'Sunita Mobile',
  shop_mobile: '+919000000001',
  agreement_no: kind === 'batch' ? '' : 'A/7',
  phone: kind === 'batch' ? '' : 'Redmi 13C',
  days_past_due: kind === 'batch' ? 0 : 12,
  overdue_paise: kind === 'batch' ? 0 : 1_377_00,
  phones: kind === 'batch' ? 60 : 1,
  amount_paise: null,
  customer_id: kind === 'batch' ? null : 'c',
  customer_name: kind === 'batch' ? '' : 'Asha Kale',
  is_own: false,
  may_agree: true,
  asked_at: '2026-03-13T08:30:00Z',
  ends_at: '2026-03-14T08:30:00Z',
  ...more,
});
let list: object[] = [];
let total = 0;
let sent: [string, unknown][] = [];
/** What is said of a word; undefined: it is taken. */
let refusal: string | undefined;
beforeEach(() => {
  [list, sent, refusal] = [[one('override'), one('batch')], [], undefined];
  total = 2;
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const url = new URL(request.url);
    if (request.method === 'POST') {
      sent.push([url.pathname, await request.json()]);
      if (refusal) {
        // Somebody was quicker.
        [list, total] = [[], 0];
        return Response.json({ status: 409, response: 'failure', code: refusal, message: '' }, { status: 409 });
      }
    }
    const isFirst = url.searchParams.get('page') === '1';
    const page = { list: isFirst ? list : [one('batch', { shop: 'Ramesh Telecom' })], total, page: 1, page_size: 50 };
    const me = { user_type: 'admin', feature_access: '1', lock_unlock: '1' };
    const answers: Record<string, object> = { '/api/waiting': page, '/api/user/user_access': me };
    const data = answers[url.pathname] ?? {};
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = () =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </Provider>,
  );
/** By its kind; which of them it is stands behind that. */
const card = async (kind: string) => within(await screen.findByRole('region', { name: new RegExp(`^${kind} · `) }));
/** Pressed once more in the sheet that asks. */
const confirmed = async () => {
  const sheet = within(await screen.findByRole('dialog', { name: 'override.agree' }));
  fireEvent.click(sheet.getByRole('button', { name: 'override.agree' }));
};

it('shows what waits for a second person, whose it is and how many phones, and leads to the customer', async () => {
  show();
  const override = await card('lock.reason_ORG_OVERRIDE');
  expect(override.getByRole('link').getAttribute('href')).toBe('/customers/c');
  expect(override.getByText('Asha Kale · Sunita Mobile')).toBeInTheDocument();
  const batch = await card('lock.reason_EMI_OVERDUE');
  expect(batch.getByText('waiting.asked_by')).toBeInTheDocument();
  expect(batch.getByRole('link')).toHaveAttribute('href', 'tel:+919000000001');
});

it('takes the second person’s yes or no, of either kind', async () => {
  show();
  fireEvent.click((await card('lock.reason_EMI_OVERDUE')).getByRole('button', { name: 'override.agree' }));
  await confirmed();
  fireEvent.click((await card('lock.reason_ORG_OVERRIDE')).getByRole('button', { name: 'override.refuse' }));
  await waitFor(() =>
    expect(sent).toEqual(
      expect.arrayContaining([
        ['/api/device/bulk/01890a5d-ac96-774b-bcce-b302099a8057/decide', { is_approved: true }],
        ['/api/device/override/decide', { ask_id: '01890a5d-ac96-774b-bcce-b302099a8058', is_agreed: false }],
      ]),
    ),
  );
});

it('a no may say why, a yes does not', async () => {
  show();
  const many = await card('lock.reason_EMI_OVERDUE');
  fireEvent.change(many.getByLabelText(/override\.why_not/), { target: { value: ' too many at once ' } });
  fireEvent.click(many.getByRole('button', { name: 'override.refuse' }));
  const single = await card('lock.reason_ORG_OVERRIDE');
  fireEvent.change(single.getByLabelText(/override\.why_not/), { target: { value: 'she has paid' } });
  fireEvent.click(single.getByRole('button', { name: 'override.agree' }));
  await confirmed();
  await waitFor(() =>
    expect(sent.map(([, body]) => body)).toEqual([
      { is_approved: false, note: 'too many at once' },
      { ask_id: '01890a5d-ac96-774b-bcce-b302099a8058', is_agreed: true },
    ]),
  );
});

it('a reason that says nothing is not sent: its field says so', async () => {
  list = [one('override')];
  show();
  const single = await card('lock.reason_ORG_OVERRIDE');
  fireEvent.change(single.getByLabelText(/override\.why_not/), { target: { value: 'no' } });
  expect(single.queryByText('field.too_short')).toBeNull();
  fireEvent.click(single.getByRole('button', { name: 'override.refuse' }));
  expect(single.getByText('field.too_short')).toBeInTheDocument();
  expect(single.getByLabelText(/override\.why_not/)).toHaveAttribute('aria-invalid', 'true');
  fireEvent.change(single.getByLabelText(/override\.why_not/), { target: { value: '' } });
  fireEvent.click(single.getByRole('button', { name: 'override.refuse' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  // Without the two letters: the first press sent nothing.
  expect(sent[0]![1]).toEqual({ ask_id: '01890a5d-ac96-774b-bcce-b302099a8058', is_agreed: false });
});

it('what was typed of a reason is there again', async () => {
  list = [one('override')];
  const { unmount } = show();
  const why = async () =>
    (await card('lock.reason_ORG_OVERRIDE')).getByLabelText<HTMLInputElement>(/override\.why_not/);
  fireEvent.change(await why(), { target: { value: 'she pays on Monday' } });
  unmount();
  show();
  expect((await why()).value).toBe('she pays on Monday');
  fireEvent.click((await card('lock.reason_ORG_OVERRIDE')).getByRole('button', { name: 'override.refuse' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(async () => expect((await why()).value).toBe(''));
});

it.each(['override', 'batch', 'waiver'] as const)(
  'a %s that another person answered meanwhile says so, and its card goes',
  async (kind) => {
    const said = vi.spyOn(toast, 'info');
    [list, refusal] = [[one(kind, kind === 'waiver' ? { reason: null, amount_paise: 100_00 } : {})], 'STATE_CONFLICT'];
    show();
    fireEvent.click(await screen.findByRole('button', { name: /(override|penalty)\.refuse/ }));
    expect(await screen.findByText('waiting.none')).toBeInTheDocument();
    expect(said.mock.calls).toEqual([['override.answered']]);
    said.mockRestore();
  },
);

it.each(['override', 'batch', 'waiver'] as const)('a %s that was answered here goes from the list', async (kind) => {
  list = [one(kind, kind === 'waiver' ? { reason: null, amount_paise: 100_00 } : {})];
  show();
  const refuse = await screen.findByRole('button', { name: /(override|penalty)\.refuse/ });
  [list, total] = [[], 0];
  fireEvent.click(refuse);
  expect(await screen.findByText('waiting.none')).toBeInTheDocument();
  expect(sent).toHaveLength(1);
});

it.each(['override.refuse', 'override.agree'])('after %s the focus is on the page’s title', async (word) => {
  list = [one('override')];
  show();
  const button = (await card('lock.reason_ORG_OVERRIDE')).getByRole('button', { name: word });
  [list, total] = [[], 0];
  button.focus();
  fireEvent.click(button);
  if (word === 'override.agree') await confirmed();
  expect(await screen.findByText('waiting.none')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('heading', { name: 'waiting.title' })).toHaveFocus());
});

it('a late fee that somebody wants to give up stands with its sum, and is given up or not', async () => {
  const fee = { reason: null, amount_paise: 100_00, ends_at: null, customer_id: null, customer_name: '' };
  list = [one('waiver', fee)];
  show();
  const waiver = await card('penalty.waive');
  expect(waiver.getByText('penalty.asked_by')).toBeInTheDocument();
  expect(waiver.queryByText(/override\.until/)).toBeNull();
  fireEvent.click(waiver.getByRole('button', { name: 'waiting.waive' }));
  const waiver_id = '01890a5d-ac96-774b-bcce-b302099a8058';
  await waitFor(() => expect(sent).toEqual([['/api/emi/decide_waiver', { waiver_id, is_granted: true }]]));
  // What was typed until then goes with the word that is taken.
  await waitFor(() => expect(waiver.getByRole('button', { name: 'waiting.waive' })).not.toHaveAttribute('aria-busy'));
  fireEvent.change(waiver.getByLabelText(/override\.why_not/), { target: { value: 'late again' } });
  fireEvent.click(await waiver.findByRole('button', { name: 'penalty.refuse' }));
  await waitFor(() => expect(sent[1]?.[1]).toEqual({ waiver_id, is_granted: false, note: 'late again' }));
});

it('of a late fee of its own customer a shop finds the way to the EMIs, and no yes', async () => {
  list = [one('waiver', { reason: null, amount_paise: 100_00, ends_at: null, is_own: true, may_agree: false })];
  show();
  const waiver = await card('penalty.waive');
  expect(waiver.getByRole('link').getAttribute('href')).toBe('/view-emi-details/c');
  expect(waiver.queryByRole('button', { name: 'waiting.waive' })).toBeNull();
  expect(waiver.getByRole('button', { name: 'penalty.refuse' })).toBeInTheDocument();
});

it('who asked can take it back, and not agree to it; an administrator is shown no customer', async () => {
  list = [one('override', { customer_id: null, customer_name: '', is_own: true, may_agree: false })];
  show();
  const override = await card('lock.reason_ORG_OVERRIDE');
  expect(override.queryByRole('button', { name: 'override.agree' })).toBeNull();
  expect(override.getByRole('button', { name: 'override.refuse' })).toBeInTheDocument();
  expect(override.queryByLabelText(/override\.why_not/)).toBeNull();
  expect(override.getByText('Sunita Mobile')).toBeInTheDocument();
  expect(override.queryByRole('link')).toBeNull();
});

it('who sees no customer sees which agreement it is, on what phone and how late, and can call the shop', async () => {
  list = [one('override', { customer_id: null, customer_name: '' })];
  show();
  const override = await card('lock.reason_ORG_OVERRIDE');
  expect(override.getByText('emi.no').parentElement).toHaveTextContent('A/7');
  expect(override.getByText('emi.phone').parentElement).toHaveTextContent('Redmi 13C');
  expect(override.getByText('customers.late').parentElement).toHaveTextContent('₹1,377');
  expect(override.getByRole('link', { name: 'common.call' })).toHaveAttribute('href', 'tel:+919000000001');
});

it('no phone is locked at one touch: the sheet says which it is, and closing it does nothing', async () => {
  list = [one('override')];
  show();
  fireEvent.click((await card('lock.reason_ORG_OVERRIDE')).getByRole('button', { name: 'override.agree' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'override.agree' }));
  expect(sheet.getByText('A/7 · Redmi 13C · Sunita Mobile')).toBeInTheDocument();
  fireEvent.click(sheet.getByRole('button', { name: 'common.cancel' }));
  expect(screen.queryByRole('dialog', { name: 'override.agree' })).toBeNull();
  expect(sent).toEqual([]);
});

it('says when nothing waits, and has the rest of many', async () => {
  [list, total] = [[], 0];
  const { unmount } = show();
  expect(await screen.findByText('waiting.none')).toBeInTheDocument();
  expect(screen.queryByText('waiting.intro')).toBeNull();
  unmount();
  [list, total] = [[one('override')], 51];
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'customers.more' }));
  expect(await screen.findByText('Ramesh Telecom')).toBeInTheDocument();
});
