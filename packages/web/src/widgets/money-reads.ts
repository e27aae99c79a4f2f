import type { CallName } from '@kist/contract/paths';

/** What a payment or its reversal makes old. */
export const MONEY_READS: readonly CallName[] = [
  'getEmiDetails',
  'getPayTo',
  'getCustomerProfile',
  'getDashboard',
  'listCollections',
  'listCustomers',
  'getUpcomingEmi',
  'upcomingEmiCounts',
  'getDevice',
  'previewCommand',
];
