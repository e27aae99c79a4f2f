import { randomInt } from 'node:crypto';
import { PROVISIONING } from '@kist/contract/codes';
import type { IsoDate } from '@kist/contract/dates';
import type { EmiTermsInput } from '@kist/contract/emi-terms';
import type { Api } from './api.ts';
import { BASE_URL } from './base-url.ts';
import { today } from './clock.ts';
import { type LabPhone, addPhone } from './lab.ts';
import { codeFor, messagesTo } from './messages.ts';

/** A random IMEI with a right check digit. */
export function newImei(): string {
  const body = `86${Array.from({ length: 12 }, () => randomInt(10)).join('')}`;
  const sum = body.split('').reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}

export const newMobile = (): string => `98${String(randomInt(100_000_000)).padStart(8, '0')}`;

export interface Sold {
  customerId: string;
  agreementId: string;
  deviceId: string;
  firstName: string;
  lastName: string;
  mobile: string;
  imei: string;
  agreementNo: string;
  /** What the shop's screen shows to the phone's camera. */
  qr: string;
}

/** Version of the clause that the app shows: the newest of the server's own locale file. */
async function clauseVersion(): Promise<string> {
  const words = (await (await fetch(`${BASE_URL}/locales/en.json`)).json()) as { consent?: Record<string, string> };
  const versions = Object.keys(words.consent ?? {}).flatMap((key) => /^text_v(.+)$/.exec(key)?.[1] ?? []);
  const newest = versions.sort().at(-1);
  if (newest === undefined) throw new Error('there is no clause to sign');
  return newest;
}

/** Without interest, ₹8,000 down of ₹10,000, four times ₹500: every figure of a test is plain. */
export const plainTerms = (frequency: 'WEEKLY' | 'FORTNIGHTLY', deliveredOn: IsoDate): EmiTermsInput => ({
  method: 'ZERO',
  frequency,
  rate_bps: 0,
  tenure: 4,
  cash_price: 10_000_00,
  down_payment: 8_000_00,
  delivered_on: deliveredOn,
});

/** The smallest picture that is one. */
const SIGNATURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function sign(api: Api, customerId: string): Promise<void> {
  const form = new FormData();
  form.set('customer_id', customerId);
  form.set('file', new Blob([SIGNATURE], { type: 'image/png' }), 'signature.png');
  await api.upload('uploadSignature', form);
}

/** The customer, who has signed, tells the code that came to the own number: without both, no debt holds the phone. */
async function tellCode(api: Api, of: { customerId: string; mobile: string; language: 'en' | 'hn' }): Promise<void> {
  const { customerId: customer_id, mobile, language } = of;
  const clause = { customer_id, text_version: await clauseVersion(), language };
  const known = await messagesTo(mobile);
  await api.call('sendConsentCode', { body: clause });
  const { missing } = await api.call('collectConsent', { body: { ...clause, otp: await codeFor(mobile, known) } });
  if (missing.length > 0) throw new Error(`the consent lacks ${missing.join(', ')}`);
}

/** Registers a customer with the calls that the app makes, and makes the QR of the phone. */
export async function sellPhone(
  api: Api,
  customer: {
    firstName: string;
    lastName: string;
    language?: 'en' | 'hn';
    birthOn?: string;
    terms?: EmiTermsInput;
    imei?: string;
    /** Another plan than that of phones set up from their box. */
    provisioning?: number;
    /** Signed only: the code is left for later. */
    isCodeLeft?: boolean;
  },
): Promise<Sold> {
  const { firstName, lastName, language = 'en' } = customer;
  const [mobile, imei] = [newMobile(), customer.imei ?? newImei()];
  const plan = (await api.call('listPlans')).find(
    (one) => one.provisioning_type === (customer.provisioning ?? PROVISIONING.DPC),
  );
  if (!plan) throw new Error('no such plan');
  const registered = await api.call('registerCustomer', {
    body: {
      plan_id: plan.plan_id,
      customer: {
        first_name: firstName,
        last_name: lastName,
        mobile,
        language,
        birth_on: customer.birthOn ?? '',
        address: { city: 'Nashik' },
      },
      device: { imei1: imei, brand: 'Redmi', model: '13C' },
      emi: customer.terms ?? plainTerms('WEEKLY', await today()),
      consent: {
        text_version: await clauseVersion(),
        language,
        method: 'typed',
        typed_name: `${firstName} ${lastName}`,
        accepted: true,
      },
    },
  });
  const { customer_id: customerId, agreement_id: agreementId, device_id: deviceId } = registered;
  await sign(api, customerId);
  if (!customer.isCodeLeft) await tellCode(api, { customerId, mobile, language });
  const { qr } = await api.call('generateEmmCode', { query: { customer_id: customerId } });
  return {
    customerId,
    agreementId: agreementId ?? '',
    deviceId: deviceId ?? '',
    agreementNo: registered.agreement_no ?? '',
    firstName,
    lastName,
    mobile,
    imei,
    qr,
  };
}

/** Sells a phone and sets one up in the lab: it scans the QR and makes its own key. */
export async function sellAndEnrol(
  api: Api,
  customer: Parameters<typeof sellPhone>[1],
): Promise<Sold & { phone: LabPhone }> {
  const sold = await sellPhone(api, customer);
  const phone = await addPhone({ name: `${sold.firstName} ${sold.lastName}`, imei: sold.imei, qr: sold.qr });
  return { ...sold, phone };
}

/** Payments of EMIs: a sale has one of its down payment. */
export const ofEmis = <P extends { goes_to: string }>(payments: readonly P[]): P[] =>
  payments.filter(({ goes_to }) => goes_to !== 'down_payment');
