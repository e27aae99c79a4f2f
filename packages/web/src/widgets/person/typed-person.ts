import type { CustomerProfile } from '@kist/contract/customers';
import type { CallInput } from '#web/api/calls.ts';
import { mobileDigits } from '#web/i18n/mobile.ts';

export type Customer = CustomerProfile['customer'];
type Body = CallInput<'updateCustomerDetails'>['body'];

const ADDRESS = ['line1', 'pincode', 'city', 'state'] as const;
const NAMES = [
  'first_name',
  'last_name',
  'mobile',
  'alternate_mobile',
  'email',
  'birth_on',
  'language',
  ...ADDRESS,
  'aadhaar_last4',
  'pan',
] as const;
export type PersonField = (typeof NAMES)[number];
export type TypedPerson = Record<PersonField, string>;

/** The customer as the form shows them. What is only kept masked begins empty: typed, it comes in the place of what is kept. */
export const personOf = (customer: Customer): TypedPerson => ({
  first_name: customer.first_name,
  last_name: customer.last_name,
  mobile: mobileDigits(customer.mobile),
  alternate_mobile: mobileDigits(customer.alternate_mobile ?? ''),
  email: customer.email ?? '',
  birth_on: customer.birth_on ?? '',
  language: customer.language,
  line1: customer.address.line1,
  pincode: customer.address.pincode,
  city: customer.address.city,
  state: customer.address.state,
  aadhaar_last4: '',
  pan: '',
});

/** What the server keeps once it is there: emptied, it would be left as it is, and the shop would think it gone. */
export const KEPT: readonly PersonField[] = [
  'first_name',
  'last_name',
  'mobile',
  'alternate_mobile',
  'email',
  'birth_on',
];

/**
 * What of it is another now, the address as a whole, as the call takes it.
 * @returns undefined when nothing is
 */
export function changesOf(
  customer: Customer,
  typed: TypedPerson,
): Omit<Extract<Body, { otp?: string | undefined }>, 'edit'> | undefined {
  const stands = personOf(customer);
  const others = NAMES.filter((name) => typed[name].trim() !== stands[name]);
  if (others.length === 0) return undefined;
  const isAddress = (name: PersonField) => (ADDRESS as readonly string[]).includes(name);
  const single = others.filter((name) => !isAddress(name)).map((name) => [name, typed[name].trim()]);
  const address = Object.fromEntries(ADDRESS.map((name) => [name, typed[name].trim()]));
  return {
    customer_id: customer.customer_id,
    ...Object.fromEntries(single),
    ...(others.some(isAddress) && { address: { ...customer.address, ...address } }),
  };
}

/** The form's field that a refusal of the server names: `address.city` and `city` are one. */
export const fieldOf = (path: string): PersonField | undefined =>
  NAMES.find((name) => name === path.slice(path.lastIndexOf('.') + 1));
