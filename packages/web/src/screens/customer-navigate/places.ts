import type { CustomerProfile } from '@kist/contract/customers';
import { paths } from '#web/paths.ts';

export type EnrolmentStep = CustomerProfile['steps'][number];

/** @returns whether a step still wants doing. A consent by typed name needs no drawn signature. */
export const isLeft = (step: EnrolmentStep, { steps }: Pick<CustomerProfile, 'steps'>): boolean =>
  !step.is_done && !(step.step === 'signature' && steps.some((other) => other.step === 'consent' && other.is_done));

/** @returns where a step is done: in the form until it is signed, then on the step's own screen. */
export function placeOf(step: EnrolmentStep, { customer }: Pick<CustomerProfile, 'customer'>): string {
  if (customer.is_draft) return paths.addCustomer(customer.customer_id);
  return step.step === 'signature' ? paths.signature(customer.customer_id) : paths.emmQr(customer.customer_id);
}
