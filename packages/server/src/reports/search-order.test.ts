import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import * as customers from '#server/customers/customers.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale } from '#test/factories.ts';
import { createServices } from '#test/services.ts';
import { customerList } from './customer-list.ts';

const { db, waker } = createServices(await createTestDatabase());
afterAll(() => waker.close());
let shop: Actor;
/** In the order in which they came, the last one first on an ordinary list. */
const PEOPLE = [
  ['Rohit', 'Shah'],
  ['रोहित', 'पाटील'],
  ['ரோகித்', 'குமார்'],
  ['ரோஹித்', 'செல்வம்'],
  ['રોહિત', 'પટેલ'],
  ['রোহিত', 'দাস'],
  ['ರೋಹಿತ್', 'ಗೌಡ'],
  ['రోహిత్', 'రెడ్డి'],
  ['ਰੋਹਿਤ', 'ਸਿੰਘ'],
  ['Rohitash', 'Verma'],
  ['Sunil', 'Virohitkar'],
] as const;
const SCRIPTS = PEOPLE.slice(1, 9).map(([first]) => first);
const numbers = new Map<string, { mobile: string; imei1: string; agreement_no: string }>();

beforeAll(async () => {
  await makeOrganisation(db, 20);
  shop = await makeRetailer(db, 20);
  await db.transaction(20, async (tx) => {
    for (const [n, [first_name, last_name]] of PEOPLE.entries()) {
      const mobile = `+9198765${String(10_000 + n * 7).padStart(5, '0')}`;
      const { customerId, imei1, agreement } = await makeSale(tx, shop, { mobile });
      const customer = await customers.authorize(tx, shop, { customer_id: customerId });
      const search = customers.searchText({
        person: { first_name, last_name, mobile },
        phone: { imei1 },
        agreementNo: agreement.agreement_no,
      });
      await customers.change(tx, shop, { customer, fields: { first_name, last_name, search } });
      numbers.set(first_name, { mobile, imei1, agreement_no: agreement.agreement_no });
    }
  });
});

/** First names as the list shows them, page after page. */
async function listed(search: string, { page_size = 50, sort = 'newest' as 'newest' | 'name' } = {}) {
  const names: string[] = [];
  for (let page = 1; ; page++) {
    const { list, total } = await db.read(20, (tx) =>
      customerList(tx, shop, { search, status: 'all', sort, page, page_size }),
    );
    names.push(...list.map(({ first_name }) => first_name));
    if (page * page_size >= total) return names;
  }
}

test.each([
  ['newest', 50],
  ['newest', 2],
  ['name', 2],
] as const)(
  'the very name stands before its beginning, that before a part, that before a sound (%s, %i a page)',
  async (sort, page_size) => {
    const names = await listed('rohit', { sort, page_size });
    expect(names.slice(0, 3)).toEqual(['Rohit', 'Rohitash', 'Sunil']);
    expect(names.slice(3).toSorted()).toEqual(SCRIPTS.toSorted());
  },
);

test.each(SCRIPTS)('%s finds Rohit, before who only begins so', async (typed) => {
  const names = await listed(typed);
  expect(names).toContain('Rohit');
  expect(names).toContain('Rohitash');
  expect(names[0]).toBe(typed);
  expect(names.indexOf('Rohit')).toBeLessThan(names.indexOf('Rohitash'));
});

test('a whole number stands before one that has it somewhere, however it is printed', async () => {
  const { mobile, imei1, agreement_no } = numbers.get('Rohit')!;
  const ten = mobile.slice(3);
  expect(await listed(`${ten.slice(0, 5)} ${ten.slice(5)}`)).toEqual(['Rohit']);
  expect((await listed(ten))[0]).toBe('Rohit');
  expect((await listed(imei1.slice(-6)))[0]).toBe('Rohit');
  expect((await listed(`${imei1.slice(0, 8)} ${imei1.slice(8)}`))[0]).toBe('Rohit');
  for (const typed of [agreement_no, agreement_no.replace('-', ''), agreement_no.replace('-', ' ')])
    expect([typed, (await listed(typed))[0]]).toEqual([typed, 'Rohit']);
});

test('the surname first finds the same, the best fit first', async () => {
  expect(await listed('shah rohit')).toEqual(['Rohit']);
  expect(await listed('verma rohit')).toEqual(['Rohitash']);
});
