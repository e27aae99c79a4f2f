import { matchPath } from 'react-router';
import { describe, expect, it } from 'vitest';
import { besideList, languagePrefix, listBehind, OUTSIDE, paths, patterns, withoutLanguage } from './paths.ts';

const folders = Object.keys(import.meta.glob('./screens/*/screen.tsx')).map((file) => file.split('/')[2] as string);
const kebab = (id: string) => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const page = Object.values(
  import.meta.glob<string>('../index.html', { query: '?raw', import: 'default', eager: true }),
)[0]!;
const ID = '0199aaaa-0000-7000-8000-000000000001';

describe('paths', () => {
  it('name exactly the screens that there are, beside root and not-found', () => {
    expect(folders.toSorted()).toEqual([...Object.keys(patterns).map(kebab), 'not-found', 'root'].toSorted());
  });
  it.each(Object.keys(patterns) as (keyof typeof patterns)[])(
    '%s: what the function spells is what the router matches',
    (id) => {
      const url = new URL((paths[id] as (value?: unknown) => string)(id === 'customerList' ? {} : ID), 'http://shop');
      const hits = Object.entries(patterns).filter(([, pattern]) => matchPath(`/${pattern}`, url.pathname));
      expect(hits.map(([name]) => name)).toEqual([id]);
    },
  );
  it.each(OUTSIDE.filter((id) => patterns[id].includes('-')))(
    '%s: index.html has its path from here and spells none',
    (id) => {
      expect(page).not.toContain(patterns[id]);
      expect(page).not.toContain(kebab(id));
    },
  );
  it('keep their words', () => {
    expect(
      Object.fromEntries(
        Object.entries(patterns).map(([id]) => [
          id,
          (paths[id as keyof typeof patterns] as (value?: unknown) => string)(
            id === 'customerList' ? { due: 'month' } : 'C',
          ),
        ]),
      ),
    ).toMatchInlineSnapshot(`
      {
        "addCustomer": "/add-customer?customer_id=C",
        "addRetailer": "/add-retailer?user_id=C",
        "collections": "/collections?days=C",
        "customerDetails": "/customers/C",
        "customerDocuments": "/customer-documents?customer_id=C",
        "customerList": "/customers?due=month",
        "customerNavigate": "/customer-navigate?customer_id=C",
        "dashboard": "/dashboard",
        "emiDetails": "/emi-details/C",
        "emmQr": "/emm-qr?customer_id=C",
        "language": "/language",
        "lockRules": "/lock-rules",
        "login": "/login",
        "mPin": "/m-pin",
        "myData": "/my-data?customer_id=C",
        "myEmi": "/my-emi?customer_id=C",
        "otp": "/otp",
        "privacyPolicy": "/privacy-policy",
        "retailerList": "/retailers",
        "retailerProfile": "/retailers/C",
        "sessions": "/sessions",
        "signature": "/signature?customer_id=C",
        "signupRequest": "/signup-request",
        "upcomingEmi": "/upcoming-emi?bucket=C",
        "viewEmiDetails": "/view-emi-details/C",
        "waiting": "/waiting",
        "witnessSignature": "/witness-signature?customer_id=C",
      }
    `);
  });
});

describe('one who is chosen from the list', () => {
  it('keeps its filters in the address, and gives them back', () => {
    expect(besideList(paths.customerDetails(ID), '?due=overdue&sort=overdue')).toBe(
      `/customers/${ID}?due=overdue&sort=overdue`,
    );
    expect(besideList(paths.customerNavigate('new'), '?status=0&customer_id=old')).toBe(
      '/customer-navigate?status=0&customer_id=new',
    );
    expect(besideList(paths.viewEmiDetails(ID), '?todo=refund_open')).toBe(`/view-emi-details/${ID}`);
    expect(listBehind('?status=0&customer_id=new')).toBe('/customers?status=0');
    expect(listBehind('')).toBe('/customers');
  });
});

describe('the language in an address', () => {
  it.each([
    ['/hn/customers/1', '/hn', '/customers/1'],
    ['/en', '/en', '/'],
    ['/tm/', '/tm', '/'],
    ['/customers', '', '/customers'],
    ['/hnx/customers', '', '/hnx/customers'],
    ['/fr/customers', '', '/fr/customers'],
    ['/customers/hn', '', '/customers/hn'],
    ['/', '', '/'],
  ])('of %s is %s, and the screen is %s', (pathname, prefix, rest) => {
    expect([languagePrefix(pathname), withoutLanguage(pathname)]).toEqual([prefix, rest]);
  });
  it('is no screen of its own', () => {
    for (const pattern of Object.values(patterns)) expect(languagePrefix(`/${pattern}`)).toBe('');
  });
});
