import type { CustomerProfile } from '@kist/contract/customers';
import type { EmiDetails } from '@kist/contract/emi';
import type { CallReply } from '#web/api/calls.ts';

/** All that the server answers about a customer to that customer. */
export interface Kept {
  profile: CustomerProfile;
  documents: CallReply<'getCustomerDocuments'>;
  emi: EmiDetails | undefined;
  /** The page of every message, which opens without the app; null: there was none to ask for. */
  messages: string | null;
}

/** @returns how much of it the file has that the page does not read out, by the key of its name. */
export const keptCounts = ({ profile, emi }: Pick<Kept, 'profile' | 'emi'>): [string, number][] => [
  ['my_data.emis', emi?.instalments.length ?? 0],
  ['emi.payments', emi?.payments.length ?? 0],
  ['my_data.complaints', profile.disputes.length],
];

/** @returns an address on one line: what was filled in of it, as the shop typed it. */
export const placeText = (address: CustomerProfile['customer']['address']): string =>
  Object.values(address)
    .filter((part): part is string => typeof part === 'string' && part.trim() !== '')
    .join(', ');

/** What a customer takes along: whole and for programs too. Buttons and switches of the app are no data of theirs. */
export function keptFile({ profile, documents, emi, messages }: Kept): string {
  const { customer, device, exchanges, agreement, consent_missing, disputes, lock, lock_timeline, lost_reports } =
    profile;
  const ofPhone = { device, exchanges, lock, lock_timeline, lost_reports };
  const ofAgreement = { agreement, consent_missing, emi, disputes, messages };
  // What opens a picture is over within a minute.
  const named = documents.map(({ url: _url, expires_at: _until, ...document }) => document);
  return JSON.stringify({ customer, ...ofPhone, ...ofAgreement, documents: named }, null, 1);
}
