import { addDays, type IsoDate } from '@kist/contract/dates';
import { EMI_LIMITS } from '@kist/contract/emi-limits';
import { isImei } from '@kist/contract/imei';
import { CALENDAR, LIMITS } from '@kist/contract/limits';
import { AADHAAR_LAST4, MOBILE, PAN, PINCODE_OR_NONE } from '@kist/contract/patterns';
import { shopToday } from '#web/i18n/formats.ts';
import {
  frequencyOf,
  isFinanced,
  methodOf,
  STEPS,
  type FieldName,
  type Problems,
  type Step,
  type Values,
} from './fields.ts';

/** Collects the first problem of each field. */
function notes() {
  const problems: Problems = {};
  const note = (name: FieldName, isWrong: boolean, key: string) => {
    if (isWrong) problems[name] ??= key;
  };
  return { problems, note };
}
const isEmpty = (text: string) => text.trim() === '';

/** A day of the calendar on which somebody who lives may have been born; the server holds the same (contract, fields.ts). */
const isBirthDate = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true &&
  text >= CALENDAR.bornFrom &&
  text <= shopToday();

function identity(values: Values): Problems {
  const { problems, note } = notes();
  const filled = (name: FieldName, isRight: (text: string) => boolean, key: string) =>
    note(name, !isEmpty(values[name]) && !isRight(values[name]), key);
  note('customer.first_name', isEmpty(values['customer.first_name']), 'field.required');
  note('customer.mobile', isEmpty(values['customer.mobile']), 'field.required');
  filled('customer.mobile', (text) => MOBILE.test(text), 'field.mobile');
  filled('customer.alternate_mobile', (text) => MOBILE.test(text), 'field.mobile');
  filled('customer.birth_on', isBirthDate, 'field.date');
  filled('customer.address.pincode', (text) => PINCODE_OR_NONE.test(text), 'field.pincode');
  filled('customer.aadhaar_last4', (text) => AADHAAR_LAST4.test(text), 'field.aadhaar_last4');
  filled('customer.pan', (text) => PAN.test(text), 'field.pan');
  return problems;
}

function device(values: Values): Problems {
  const { problems, note } = notes();
  const [first, second] = [values['device.imei1'], values['device.imei2']];
  note('device.imei1', isEmpty(first), 'field.required');
  note('device.imei1', !isImei(first), 'field.imei');
  note('device.imei2', !isEmpty(second) && !isImei(second), 'field.imei');
  note('device.imei2', !isEmpty(second) && second === first, 'add.imei_same');
  note('device.brand', isEmpty(values['device.brand']), 'field.required');
  note('device.model', isEmpty(values['device.model']), 'field.required');
  return problems;
}

const isWhole = (text: string, min: number, max: number) =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
/** @returns whether the text is a rate of 0…100 % with at most two decimals. */
const isRate = (text: string) => /^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) * 100 <= EMI_LIMITS.rateMaxBps;

/** Handed over today or a few days ago: nobody signs for what the registration would refuse at its end (server, sales/rules.ts). */
function wasDeliveredLately(on: string): boolean {
  const today = shopToday();
  return on <= today && on >= addDays(today, -EMI_LIMITS.deliveredAgoDays) && isDay(on);
}
const isDay = (text: string): text is IsoDate => /^\d{4}-\d\d-\d\d$/.test(text);

function terms(values: Values): Problems {
  const { problems, note } = notes();
  const price = Number(values['emi.cash_price']);
  const down = Number(values['emi.down_payment']);
  const { 'emi.tenure': tenure, 'emi.delivered_on': deliveredOn, 'emi.anchor_day': anchorDay } = values;
  note('emi.cash_price', isEmpty(values['emi.cash_price']), 'field.required');
  note('emi.cash_price', price < 1 || price > EMI_LIMITS.cashPriceMaxPaise, 'field.cash_price');
  note('emi.down_payment', down > 0 && down >= price, 'field.down_payment');
  if (methodOf(values) !== 'ZERO') {
    note('emi.rate_bps', isEmpty(values['emi.rate_bps']), 'field.required');
    note('emi.rate_bps', !isRate(values['emi.rate_bps']), 'field.rate');
  }
  note('emi.tenure', isEmpty(tenure), 'field.required');
  note('emi.tenure', !isWhole(tenure, 1, EMI_LIMITS.tenureMax[frequencyOf(values)]), 'field.tenure');
  const isTooSmall = price - down < EMI_LIMITS.financedMinPaisePerInstalment * Number(tenure);
  note(
    'emi.cash_price',
    !problems['emi.tenure'] && !problems['emi.down_payment'] && isTooSmall,
    'field.financed_too_small',
  );
  const isSumRight = !problems['emi.cash_price'] && !problems['emi.down_payment'];
  note('emi.fee', isSumRight && Number(values['emi.fee']) > price - down, 'field.fee');
  note('emi.delivered_on', isEmpty(deliveredOn), 'field.required');
  note('emi.delivered_on', !wasDeliveredLately(deliveredOn), 'field.delivered_on');
  note('emi.anchor_day', !isEmpty(anchorDay) && !isWhole(anchorDay, 1, 31), 'field.anchor_day');
  return problems;
}

/** The loan behind the sale, as the financer knows it. */
function loan(values: Values): Problems {
  const { problems, note } = notes();
  if (!isFinanced(values)) return problems;
  const { 'loan.loan_account_no': number, 'loan.sanctioned_amount': sanctioned, 'loan.sanctioned_on': on } = values;
  const financed = Number(values['emi.cash_price']) - Number(values['emi.down_payment']);
  note('loan.loan_account_no', isEmpty(number), 'field.required');
  note('loan.sanctioned_amount', isEmpty(sanctioned), 'field.required');
  note('loan.sanctioned_amount', Number(sanctioned) < financed, 'field.sanctioned');
  note('loan.sanctioned_on', isEmpty(on), 'field.required');
  note('loan.sanctioned_on', on > shopToday(), 'field.date');
  return { ...tooLong(values, ['loan.loan_account_no']), ...problems };
}

function consent(values: Values): Problems {
  const { problems, note } = notes();
  const isTyped = values['consent.method'] === 'typed';
  note('consent.typed_name', isTyped && isEmpty(values['consent.typed_name']), 'field.required');
  note('consent.accepted', values['consent.accepted'] !== '1', 'field.consent');
  return problems;
}

const tooLong = (values: Values, names: readonly FieldName[]): Problems =>
  Object.fromEntries(
    names.filter((name) => values[name].length > LIMITS.nameLength).map((name) => [name, 'field.invalid']),
  );

const CHECKS: Record<Step, (values: Values) => Problems> = {
  plan: (values) => (values.plan_id ? {} : { plan_id: 'add.plan_first' }),
  identity: (values) => ({ ...tooLong(values, ['customer.first_name', 'customer.last_name']), ...identity(values) }),
  device: (values) => ({ ...tooLong(values, ['device.brand', 'device.model']), ...device(values) }),
  emi: (values) => ({ ...terms(values), ...loan(values) }),
  consent,
};

/** @returns what is wrong in one step, as locale keys by field. The server checks the same again, by the contract. */
export const problemsOf = (step: Step, values: Values): Problems => CHECKS[step](values);
export const isRight = (step: Step, values: Values): boolean => Object.keys(problemsOf(step, values)).length === 0;

/** Whether the terms alone are whole: what they come to can be reckoned before the loan behind them is written down. */
export const areTermsRight = (values: Values): boolean => Object.keys(terms(values)).length === 0;

/** @returns the wanted step, or the first one before it that is not finished. */
export const reachable = (wanted: Step, values: Values): Step =>
  STEPS.slice(0, STEPS.indexOf(wanted)).find((step) => !isRight(step, values)) ?? wanted;
