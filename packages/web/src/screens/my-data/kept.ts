import type { CustomerProfile } from '@kist/contract/customers';
import type { EmiDetails } from '@kist/contract/emi';
import type { CustomerData } from '@kist/contract/privacy';

/** @returns how much of it the file has that the page does not read out, by the key of its name. */
export const keptCounts = ({ profile, emi }: { profile: CustomerProfile; emi: EmiDetails }): [string, number][] => [
  ['my_data.emis', emi.instalments.length],
  ['emi.payments', emi.payments.length],
  ['my_data.complaints', profile.disputes.length],
];

/** @returns an address on one line: what was filled in of it, as the shop typed it. */
export const placeText = (address: CustomerProfile['customer']['address']): string =>
  Object.values(address)
    .filter((part): part is string => typeof part === 'string' && part.trim() !== '')
    .join(', ');

/** What is taken along: whole, and for programs too. @param page of every message, which opens without the app; null: there is none */
export const keptFile = (data: CustomerData, page: string | null): string =>
  JSON.stringify({ ...data, messages_page: page }, null, 1);
