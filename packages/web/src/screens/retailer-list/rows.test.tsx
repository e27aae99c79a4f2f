// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import type { ShopRow } from '@kist/contract/people';
import type { Pages } from '#web/widgets/paged-list/use-pages.ts';
import { ShopRows } from './rows.tsx';

let isWide = false;
vi.stubGlobal('matchMedia', () => ({
  get matches() {
    return isWide;
  },
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
}));
/** A window that is high enough for a row: this document has no layout, and a list draws only what is in sight. */
Object.defineProperty(document, 'scrollingElement', { value: document.documentElement });
Object.defineProperty(document.documentElement, 'clientHeight', { value: 768 });
window.ResizeObserver = class {
  tell: ResizeObserverCallback;
  constructor(tell: ResizeObserverCallback) {
    this.tell = tell;
  }
  observe = (target: Element) => {
    const entry = { target, contentRect: { width: 400, height: 60 } } as unknown as ResizeObserverEntry;
    setTimeout(() => this.tell([entry], this));
  };
  unobserve = () => undefined;
  disconnect = () => undefined;
};
afterEach(() => (isWide = false));

const komal = {
  user_id: 'm1',
  shop_name: 'Komal Mobile',
  first_name: 'Komal',
  last_name: 'Jadhav',
  mobile: '+919000000002',
  city: 'Pune',
  is_active: true,
  customers: 3,
  keys_left: 5,
  collected_today_paise: 1_000_00,
} as ShopRow;
async function show(row: ShopRow) {
  const pages = {
    loaded: { key: '{}', rows: [row], total: 1, page: 1 },
    isStale: false,
    error: null,
    isLoading: false,
    keepPlace: () => undefined,
  } as unknown as Pages<ShopRow>;
  render(
    <MemoryRouter>
      <ShopRows shops={pages} />
    </MemoryRouter>,
  );
  return (await screen.findByText('Komal Mobile')).closest('a')!;
}

it('a shop that sells says what it took in today; one that is suspended says that instead', async () => {
  expect(await show(komal)).toHaveTextContent('₹1,000');
  expect(screen.queryByText('retailers.suspended')).toBeNull();
  cleanup();
  expect(await show({ ...komal, is_active: false })).toHaveTextContent('retailers.suspended');
  expect(screen.queryByText('₹1,000')).toBeNull();
});

it('a press opens the page of that very shop', async () => {
  expect(await show(komal)).toHaveAttribute('href', '/retailers/m1');
});

it.each([
  ['a phone’s list', false],
  ['a table', true],
])('in %s a shop is called and written to with one press each, beside its page', async (_, wide) => {
  isWide = wide;
  await show(komal);
  // By their labels: to who reads roles a row is not there before it is measured, which this document does not do.
  const linkOf = (name: string) => screen.getByLabelText(name);
  expect(linkOf('common.call Komal Mobile')).toHaveAttribute('href', 'tel:+919000000002');
  expect(linkOf('common.whatsapp Komal Mobile')).toHaveAttribute('href', 'https://wa.me/919000000002?text=');
  expect(document.querySelector('a a')).toBeNull();
});

it('by columns each figure stands below its own heading', async () => {
  isWide = true;
  await show(komal);
  const heads = [...document.querySelectorAll('thead th')].map((one) => one.textContent);
  const cells = [...document.querySelector('[data-row=m1]')!.closest('tr')!.children].map((one) => one.textContent);
  expect(heads.map((head, at) => [head, cells[at]])).toEqual([
    ['retailers.shop_name', 'Komal Mobile90000 00002 · Komal Jadhav · Pune'],
    ['retailers.owner', 'Komal Jadhav'],
    ['customer.mobile', '90000 00002'],
    ['add.city', 'Pune'],
    ['customers.title', '3'],
    ['dashboard.keys', '5'],
    ['retailers.collected_today', '₹1,000'],
    ['customers.status', 'retailers.active'],
    ['common.call', ''],
  ]);
});
