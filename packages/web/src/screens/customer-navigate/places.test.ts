import { describe, expect, it } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { isLeft, placeOf, type EnrolmentStep } from './places.ts';

const steps = (done: readonly string[]): EnrolmentStep[] =>
  (['consent', 'signature', 'qr'] as const).map((step) => ({ step, is_done: done.includes(step) }));
const customer = (isDraft: boolean) =>
  ({ customer: { customer_id: '7', is_draft: isDraft } }) as unknown as CustomerProfile;

describe('the checklist', () => {
  it('asks for no drawn signature once the customer agreed by typed name', () => {
    const left = (done: readonly string[]) =>
      steps(done)
        .filter((step) => isLeft(step, { steps: steps(done) }))
        .map((step) => step.step);
    expect(left([])).toEqual(['consent', 'signature', 'qr']);
    expect(left(['consent'])).toEqual(['qr']);
  });
  it('leads into the form until it is signed, then to the step’s own screen', () => {
    const [, signature, qr] = steps([]) as [EnrolmentStep, EnrolmentStep, EnrolmentStep];
    expect(placeOf(qr, customer(true))).toBe('/add-customer?customer_id=7');
    expect(placeOf(signature, customer(false))).toBe('/signature?customer_id=7');
    expect(placeOf(qr, customer(false))).toBe('/emm-qr?customer_id=7');
  });
});
