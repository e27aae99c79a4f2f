import type { ApiError } from '#web/api/errors.ts';
import { isField, stepOf, type FieldName, type Step } from './fields.ts';

/** Codes that speak of one field without naming it. */
const FIELD_OF: Partial<Record<ApiError['code'], FieldName>> = {
  DUPLICATE_IMEI: 'device.imei1',
  IMEI_INVALID: 'device.imei1',
  INSUFFICIENT_KEYS: 'plan_id',
  LENDER_RULES_REQUIRED: 'loan.financer_id',
  LOAN_NUMBER_USED: 'loan.loan_account_no',
  PLAN_NOT_ON_SALE: 'plan_id',
};

/**
 * Where a refusal of the server belongs in the form.
 * @param sentence what a person reads when the server named no field.
 * @returns the first step with a problem and a sentence for each field; undefined when it concerns no field.
 */
export function placeOf(
  error: ApiError,
  sentence: string,
): { step: Step; sentences: Partial<Record<FieldName, string>> } | undefined {
  const ofCode = FIELD_OF[error.code];
  const named = error.fields.filter((field) => stepOf(field.path));
  const sentences: Partial<Record<FieldName, string>> = {};
  for (const field of named) if (isField(field.path)) sentences[field.path] = field.message;
  if (ofCode && named.length === 0) sentences[ofCode] = sentence;
  const step = stepOf(named[0]?.path ?? ofCode ?? '');
  return step && { step, sentences };
}
