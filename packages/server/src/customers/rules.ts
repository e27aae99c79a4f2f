import type { z } from 'zod';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import type { identitySchema } from '@kist/contract/customers';
import type { CustomerFields } from './store.ts';

type Word = string | null | undefined;

/** What a customer is found by. */
export interface FoundBy {
  person: { first_name: Word; last_name?: Word; mobile: Word };
  phone?: { imei1?: Word; imei2?: Word; serial?: Word; brand?: Word; model?: Word } | undefined;
  agreementNo?: Word;
  /** The shop's own number for it, where it came from the shop's book. */
  rowRef?: Word;
}

/** What the list's search looks in: names, mobile, and the phone's and agreement's numbers, lower case. */
export function searchText({ person, phone = {}, agreementNo, rowRef }: FoundBy): string {
  const { imei1, imei2, serial, brand, model } = phone;
  const numbers = [imei1, imei2, serial, agreementNo, rowRef];
  return [person.first_name, person.last_name, person.mobile, ...numbers, brand, model]
    .filter(Boolean)
    .join(' ')
    .toLowerCase();
}

/** A PAN as it is kept: first two and last two characters, `AB••••••4F`. */
export const maskPan = (pan: string): string => `${pan.slice(0, 2)}••••••${pan.slice(-2)}`;

/** Identity as typed → columns. The PAN is masked here and never stored whole. */
export function identityFields(identity: z.output<typeof identitySchema>): CustomerFields {
  return {
    first_name: identity.first_name,
    last_name: identity.last_name,
    mobile: identity.mobile,
    alternate_mobile: identity.alternate_mobile ?? null,
    email: identity.email ?? null,
    birth_on: identity.birth_on ?? null,
    language: identity.language,
    address: identity.address,
    aadhaar_last4: identity.aadhaar_last4 ?? null,
    ...(identity.pan ? { pan_masked: maskPan(identity.pan) } : {}),
  };
}

/** Who changes status to what (product rules): 0 → 1 enrolled; 1 ↔ 2 released and taken back; 1 → 3 uninstalled; 1 ↔ 4 profile removed (Apple); 3 → 0 with a new key. Beside them, 0 from any but 2 with an exchange of the phone (`beginAnew`). */
const NEXT: Record<number, readonly number[]> = { 0: [1], 1: [2, 3, 4], 2: [1], 3: [0], 4: [1] };
export const canChangeStatus = (from: number, to: number): boolean => NEXT[from]?.includes(to) ?? false;

/** Not enrolled yet, or given up: setting this phone up costs a key, whatever was spent for it before. */
export const isUnpaidFor = (status: number): boolean =>
  status === CUSTOMER_STATUS.inactive || status === CUSTOMER_STATUS.uninstall;
