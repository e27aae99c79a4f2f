import { LIMITS } from '@kist/contract/limits';
import type { patterns } from '#web/paths.ts';
import { type CallArgs, callRequest, type CallRequest } from './calls.ts';

const profileOf = (customerId: string): CallArgs[] => [
  { name: 'getCustomerProfile', input: { query: { customer_id: customerId } } },
];

/**
 * What a shop's screens ask of the server before they show anything, beside who asks: index.html asks it while their code is on its way. A screen asks the very
 * same in its own code, whether or not it was asked before: what is missing here is late, and what is too much here is asked in vain. Of an address with a query
 * nothing is asked (a filtered list is another list).
 */
export const FIRST_READS: Partial<Record<keyof typeof patterns, (customerId: string) => CallArgs[]>> = {
  dashboard: () => [{ name: 'getDashboard', input: {} }],
  customerList: () => [{ name: 'listCustomers', input: { query: { page: 1, page_size: LIMITS.pageSize } } }],
  customerDetails: profileOf,
  viewEmiDetails: (customerId) => [{ name: 'getEmiDetails', input: { body: { customer_id: customerId } } }],
  upcomingEmi: () => [{ name: 'upcomingEmiCounts', input: {} }],
  addCustomer: () => [{ name: 'listPlans', input: {} }],
};

/** Who asks. */
export const FIRST_OF_ALL: CallArgs = { name: 'getUserAccess', input: {} };

/** Stands for the customer of the address, in what the build writes into index.html. */
export const CUSTOMER_MARK = '-customer-';

/** As index.html carries it: method, path and query, and the body of a POST as it is sent. */
export type PlainCall = readonly [method: CallRequest['method'], url: string, body?: string];

/** @returns a call as index.html carries it */
export function plainCall({ name, input }: CallArgs): PlainCall {
  const { method, url, body } = callRequest(name, input);
  return body === undefined ? [method, url] : [method, url, JSON.stringify(body)];
}
