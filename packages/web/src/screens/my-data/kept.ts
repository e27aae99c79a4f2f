import type { CustomerProfile } from '@kist/contract/customers';
import type { EmiDetails } from '@kist/contract/emi';
import type { CallReply } from '#web/api/calls.ts';

/** All that the server answers about a customer to that customer. */
export interface Kept {
  profile: CustomerProfile;
  documents: CallReply<'getCustomerDocuments'>;
  emi: EmiDetails | undefined;
}

/** @returns an address on one line: what was filled in of it, as the shop typed it. */
export const placeText = (address: CustomerProfile['customer']['address']): string =>
  Object.values(address)
    .filter((part): part is string => typeof part === 'string' && part.trim() !== '')
    .join(', ');

/** What a customer takes along: whole and for programs too. Buttons and switches of the app are no data of theirs. */
export function keptFile({ profile, documents, emi }: Kept): string {
  const { customer, device, agreement, lock, lock_timeline, lost_reports } = profile;
  return JSON.stringify({ customer, device, agreement, lock, lock_timeline, lost_reports, documents, emi }, null, 1);
}
