import type { Language } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { CONSENT_VERSION } from '#web/widgets/clause.ts';
import type { CallInput } from '#web/api/calls.ts';
import { isLanguage } from '#web/i18n/languages.ts';
import { FIELD_NAMES, frequencyOf, isFinanced, isKept, methodOf, type Step, type Values } from './fields.ts';
import { areTermsRight, isRight } from './rules.ts';

type Body = CallInput<'registerCustomer'>['body'];
type FinancedBody = CallInput<'createCustomerHdb'>['body'];
type Terms = CallInput<'previewEmi'>['body'];

const languageOr = (text: string) => (isLanguage(text) ? text : 'en');
/** @returns the trimmed text under its name, or nothing at all: the contract knows no empty optional. */
const given = <Name extends string>(name: Name, text: string): { [N in Name]?: string } =>
  (text.trim() ? { [name]: text.trim() } : {}) as { [N in Name]?: string };

const customerOf = (values: Values): NonNullable<Body['customer']> => ({
  first_name: values['customer.first_name'].trim(),
  last_name: values['customer.last_name'].trim(),
  mobile: `+91${values['customer.mobile']}`,
  ...(values['customer.alternate_mobile'] && { alternate_mobile: `+91${values['customer.alternate_mobile']}` }),
  ...given('birth_on', values['customer.birth_on']),
  language: languageOr(values['customer.language']),
  address: {
    line1: values['customer.address.line1'].trim(),
    city: values['customer.address.city'].trim(),
    state: values['customer.address.state'].trim(),
    pincode: values['customer.address.pincode'],
  },
  ...given('aadhaar_last4', values['customer.aadhaar_last4']),
  ...given('pan', values['customer.pan']),
});

const deviceOf = (values: Values): NonNullable<Body['device']> => ({
  imei1: values['device.imei1'],
  ...given('imei2', values['device.imei2']),
  brand: values['device.brand'].trim(),
  model: values['device.model'].trim(),
});

/** Terms of a finished EMI step, for the preview and for the agreement alike. */
export function termsOf(values: Values): Terms {
  const method = methodOf(values);
  const frequency = frequencyOf(values);
  const anchorDay = frequency === 'MONTHLY' ? values['emi.anchor_day'] : '';
  return {
    method,
    frequency,
    cash_price: Number(values['emi.cash_price']),
    down_payment: Number(values['emi.down_payment']),
    fee: Number(values['emi.fee']),
    // A rate has two decimals: 18.35 × 100 is 1834.9999… in binary.
    rate_bps: method === 'ZERO' ? 0 : Math.round(Number(values['emi.rate_bps']) * 100),
    tenure: Number(values['emi.tenure']),
    delivered_on: values['emi.delivered_on'],
    ...(anchorDay && { anchor_day: Number(anchorDay) }),
  };
}

/** @returns what a customer agrees to, in words of its own: the phone and the terms; the server knows it, and whose loan it is, by the same parts of the draft. */
export const dealOf = (values: Values): string => JSON.stringify([deviceOf(values), termsOf(values)]);

/** @returns the same with who agrees, and to whose loan: a tick and a signature are no other's, and for no other lender. */
export const agreedOf = (values: Values): string =>
  JSON.stringify([
    ...(['customer.first_name', 'customer.last_name', 'customer.mobile', 'loan.financer_id'] as const).map((name) =>
      values[name].trim(),
    ),
    dealOf(values),
  ]);

/** @returns everything as typed, but what is never kept; empty ones left out. */
const typedOf = (values: Values): Record<string, string> =>
  Object.fromEntries(
    FIELD_NAMES.filter((name) => isKept(name) && values[name] !== '').map((name) => [
      name,
      values[name].slice(0, LIMITS.messageLength),
    ]),
  );

/**
 * The body of a draft: finished steps as parts, so that the server can name the customer, and all fields as typed. The PAN is left out.
 * @param savedAt ISO instant; tells later which copy is the newer one.
 */
export function draftBody(values: Values, step: Step, savedAt: string, customerId: string | undefined): Body {
  const { pan: _, ...identity } = customerOf(values);
  return {
    draft: true,
    plan_id: Number(values.plan_id),
    ...(customerId && { customer_id: customerId }),
    ...(isRight('identity', values) && { customer: identity }),
    ...(isRight('device', values) && { device: deviceOf(values) }),
    ...(areTermsRight(values) && { emi: termsOf(values) }),
    ...(isFinanced(values) && { financer_id: Number(values['loan.financer_id']) }),
    draft_state: { step, typed: { ...typedOf(values), saved_at: savedAt } },
  };
}

/** The body of the registration; all steps are finished. @param language in which the clause was shown. */
export function registration(values: Values, customerId: string, language: Language): Body {
  const isTyped = values['consent.method'] === 'typed';
  return {
    draft: false,
    plan_id: Number(values.plan_id),
    customer_id: customerId,
    customer: customerOf(values),
    device: deviceOf(values),
    emi: termsOf(values),
    consent: {
      text_version: CONSENT_VERSION,
      language,
      method: isTyped ? 'typed' : 'signature',
      ...(isTyped && { typed_name: values['consent.typed_name'].trim() }),
      accepted: true,
    },
  };
}

/** The same for a loan that a financer made. */
export const financedRegistration = (values: Values, customerId: string, language: Language): FinancedBody => ({
  ...registration(values, customerId, language),
  loan: {
    financer_id: Number(values['loan.financer_id']),
    loan_account_no: values['loan.loan_account_no'].trim(),
    sanctioned_amount: Number(values['loan.sanctioned_amount']),
    sanctioned_on: values['loan.sanctioned_on'],
  },
});
