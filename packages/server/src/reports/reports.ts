export { type Certificate, certificate } from './certificate.ts';
export { createPages, customerIds, customerList } from './customer-list.ts';
export { collectionsOf } from './collections.ts';
export { customerData } from './customer-data.ts';
export { dashboard, totalOutstanding } from './dashboard.ts';
export { emiDetails } from './emi-details.ts';
export {
  auditRoots,
  customerHistory,
  type PublicAudit,
  publicAudit,
  type VerifiedHistory,
  verifiedHistory,
  verifiedPhone,
} from './history.ts';
export { EXPORTS, exportCsv } from './exports.ts';
export { type DoneEvent, noticePage, type NoticePage, type ShownDispute } from './notice-page.ts';
export { payTo } from './pay-to.ts';
export { customerProfile } from './profile.ts';
export { type SellingState, sellingState } from './selling.ts';
export { shopDetails, shopList, shopProfile } from './shops.ts';
export { upcoming, upcomingCounts } from './upcoming.ts';
