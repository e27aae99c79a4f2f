import type { CallName } from '@kist/contract/paths';

/** What an order to a phone makes old. */
export const PHONE_READS: readonly CallName[] = [
  'getCustomerProfile',
  'getDevice',
  'previewCommand',
  'getTimeline',
  'getDashboard',
  'listCustomers',
];
