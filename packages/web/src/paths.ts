import { LANGUAGES } from '@kist/contract/codes';
import type { ListCustomersQuery } from '@kist/contract/customers';

/** The only place where a URL is spelled. A function for each screen; `pattern` is what the router matches. */
const withQuery = (path: string, query: Record<string, string | number | undefined> = {}): string => {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(key, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
};

export const paths = {
  root: () => '/',
  /** Of a demo alone: its simulated phones, or the messages that would have been sent. A page of the server's, none of the app's. */
  lab: (view?: 'messages') => withQuery('/lab', { view }),
  login: () => '/login',
  otp: () => '/otp',
  mPin: () => '/m-pin',
  dashboard: () => '/dashboard',
  /** The list reads its filters from the query, so that every figure can open the list behind it. */
  customerList: (filters?: Partial<ListCustomersQuery>) =>
    withQuery('/customers', filters as Record<string, string | number | undefined>),
  customerDetails: (customerId: string) => `/customers/${customerId}`,
  customerNavigate: (customerId: string) => withQuery('/customer-navigate', { customer_id: customerId }),
  /** @param customerId goes on with a draft that the server keeps. */
  addCustomer: (customerId?: string) => withQuery('/add-customer', { customer_id: customerId }),
  /** @param bucket 'overdue', 'today', 'week' or 'month'. @param on one day of it alone. */
  upcomingEmi: (bucket?: string, on?: string) => withQuery('/upcoming-emi', { bucket, on }),
  /** What came in. @param days how many, the last among them; one where none is said. @param on the last day; today where none is said. */
  collections: (days?: number, on?: string) => withQuery('/collections', { days, on }),
  emiDetails: (customerId: string) => `/emi-details/${customerId}`,
  viewEmiDetails: (customerId: string) => `/view-emi-details/${customerId}`,
  emmQr: (customerId: string) => withQuery('/emm-qr', { customer_id: customerId }),
  signature: (customerId: string) => withQuery('/signature', { customer_id: customerId }),
  witnessSignature: (customerId: string) => withQuery('/witness-signature', { customer_id: customerId }),
  /** @param type opens the place of that type, @param name the one of several. */
  customerDocuments: (customerId: string, type?: string, name?: string) =>
    withQuery('/customer-documents', { customer_id: customerId, document_type: type, image_name: name }),
  retailerList: () => '/retailers',
  /** @param userId 'me': one's own. */
  retailerProfile: (userId: string) => `/retailers/${userId}`,
  /** @param userId changes a shop that is there. */
  addRetailer: (userId?: string) => withQuery('/add-retailer', { user_id: userId }),
  lockRules: () => '/lock-rules',
  waiting: () => '/waiting',
  /** @param customerId which of the things that were sold to the caller's number. */
  myEmi: (customerId?: string) => withQuery('/my-emi', { customer_id: customerId }),
  myData: (customerId?: string) => withQuery('/my-data', { customer_id: customerId }),
  sessions: () => '/sessions',
  language: () => '/language',
  privacyPolicy: () => '/privacy-policy',
  signupRequest: () => '/signup-request',
};

/** Patterns for the router, without the leading slash of the root's children. */
export const patterns = {
  login: 'login',
  otp: 'otp',
  mPin: 'm-pin',
  dashboard: 'dashboard',
  customerList: 'customers',
  customerDetails: 'customers/:customer_id',
  customerNavigate: 'customer-navigate',
  addCustomer: 'add-customer',
  upcomingEmi: 'upcoming-emi',
  collections: 'collections',
  emiDetails: 'emi-details/:customer_id',
  viewEmiDetails: 'view-emi-details/:customer_id',
  emmQr: 'emm-qr',
  signature: 'signature',
  witnessSignature: 'witness-signature',
  customerDocuments: 'customer-documents',
  retailerList: 'retailers',
  retailerProfile: 'retailers/:user_id',
  addRetailer: 'add-retailer',
  lockRules: 'lock-rules',
  waiting: 'waiting',
  myEmi: 'my-emi',
  myData: 'my-data',
  sessions: 'sessions',
  language: 'language',
  privacyPolicy: 'privacy-policy',
  signupRequest: 'signup-request',
};

/** Whether the list of customers stands there, or beside what does (on a desk). */
export const isInCustomerList = (pathname: string): boolean =>
  pathname.startsWith('/customers') || pathname === '/customer-navigate';

/** Of one who is chosen from the list the address keeps the list's filters, so that it stays as it is. @param search of the list's own address. */
export function besideList(to: string, search: string): string {
  const [pathname = '', own] = to.split('?');
  if (!isInCustomerList(pathname)) return to;
  const all = new URLSearchParams(search);
  all.delete('customer_id');
  for (const [name, value] of new URLSearchParams(own)) all.set(name, value);
  return all.size > 0 ? `${pathname}?${all}` : pathname;
}
/** @returns the list as it was before one of it was chosen. @param search of that one's address. */
export const listBehind = (search: string): string => {
  const filters = new URLSearchParams(search);
  filters.delete('customer_id');
  return besideList(paths.customerList(), String(filters));
};

/** @returns '/hn' of '/hn/customers': the language that an address asks for; '' where it asks for none. Every screen is served below each. */
export function languagePrefix(pathname: string): string {
  const first = pathname.split('/')[1] ?? '';
  return (LANGUAGES as readonly string[]).includes(first) ? `/${first}` : '';
}
/** @returns the address as the routes and `paths` spell it. */
export const withoutLanguage = (pathname: string): string => pathname.slice(languagePrefix(pathname).length) || '/';

/** The screens that nobody has to sign in for. To index.html, which runs before any code of the app, the build tells their paths. */
export const OUTSIDE: readonly (keyof typeof patterns)[] = ['login', 'otp', 'mPin', 'privacyPolicy', 'signupRequest'];
