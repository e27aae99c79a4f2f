import type { CallName } from '@kist/contract/paths';

/** What a shop needs without a network: the day, its people, their EMIs, the shops below it, and a new sale. Pictures and what is decided on are asked anew. */
export const KEPT: ReadonlySet<CallName> = new Set<CallName>([
  'getUserAccess',
  'getAccessConfig',
  'getAppConfigs',
  'getOrgAppConfig',
  'getDashboard',
  'listCollections',
  'listCustomers',
  'getCustomerProfile',
  'getEmiDetails',
  'getPayTo',
  'getUpcomingEmi',
  'upcomingEmiCounts',
  'listPlans',
  'getProducts',
  'financerList',
  'listUsers',
  'getRetailerProfile',
]);
