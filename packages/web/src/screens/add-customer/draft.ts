import type { CustomerProfile } from '@kist/contract/customers';
import type { Drawn } from '#web/widgets/drawing.ts';
import { EMPTY, FIELD_NAMES, isKept, isStep, type FieldName, type Step, type Values } from './fields.ts';

/** The customer's signature, whose and under which terms (`agreedOf`). It is kept on this phone alone, and never counts for others. */
export interface Signed extends Drawn {
  deal: string;
}

/** A form as it is kept on this phone. */
export interface LocalForm {
  values: Partial<Values>;
  step: Step;
  /** Once the server has the draft too. */
  customerId?: string;
  signed?: Signed;
}
export interface OpenedForm {
  values: Values;
  step: Step;
  customerId: string | undefined;
  /** When it was typed, ISO; undefined for a fresh form. */
  savedAt: string | undefined;
  signed?: Signed | undefined;
}

type Draft = {
  plan_id?: unknown;
  customer?: unknown;
  device?: unknown;
  emi?: unknown;
  draft_state?: { step?: unknown; typed?: unknown };
};
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** @returns only fields of the form, as text, without what is never kept. */
export function cleanValues(typed: unknown): Partial<Values> {
  if (!isRecord(typed)) return {};
  const names = FIELD_NAMES.filter((name) => isKept(name) && typeof typed[name] === 'string');
  return Object.fromEntries(names.map((name) => [name, typed[name]]));
}

/** @returns the parts of a draft under the names of the fields: for drafts that came without the form's own state. */
function fromParts(draft: Draft): Partial<Values> {
  const values: Partial<Values> = {};
  const take = (name: FieldName, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number') values[name] = String(value);
  };
  const walk = (path: string, part: unknown) => {
    if (!isRecord(part)) return;
    for (const [key, value] of Object.entries(part)) {
      const name = `${path}.${key}`;
      if (name in EMPTY && isKept(name as FieldName)) take(name as FieldName, value);
      else walk(name, value);
    }
  };
  take('plan_id', draft.plan_id);
  for (const part of ['customer', 'device', 'emi'] as const) walk(part, draft[part]);
  for (const name of ['customer.mobile', 'customer.alternate_mobile'] as const)
    if (values[name]) values[name] = values[name].replace(/^\+91/, '');
  if (values['emi.rate_bps']) values['emi.rate_bps'] = String(Number(values['emi.rate_bps']) / 100);
  return values;
}

/** The form that the server keeps for a customer who is not signed up yet. */
export function serverForm(profile: CustomerProfile): OpenedForm {
  const draft: Draft = isRecord(profile.draft) ? profile.draft : {};
  const typed = draft.draft_state?.typed;
  const step = draft.draft_state?.step;
  const savedAt = isRecord(typed) && typeof typed['saved_at'] === 'string' ? typed['saved_at'] : undefined;
  const planId = profile.customer.plan_id;
  return {
    values: {
      ...EMPTY,
      ...(planId !== null && { plan_id: String(planId) }),
      ...(isRecord(typed) ? cleanValues(typed) : fromParts(draft)),
    },
    step: isStep(step) ? step : 'plan',
    customerId: profile.customer.customer_id,
    savedAt,
  };
}

/** The form that this phone keeps. */
export const localForm = (kept: { value: LocalForm; savedAt: string }): OpenedForm => ({
  values: { ...EMPTY, ...cleanValues(kept.value.values) },
  step: isStep(kept.value.step) ? kept.value.step : 'plan',
  customerId: kept.value.customerId,
  savedAt: kept.savedAt,
  signed: kept.value.signed,
});

/** Nothing typed is lost: the copy that was typed last wins; one of unknown age is older than this phone's own. The signature is on this phone alone. */
export const newerForm = (local: OpenedForm | undefined, server: OpenedForm): OpenedForm =>
  local && (!server.savedAt || (local.savedAt ?? '') >= server.savedAt) ? local : { ...server, signed: local?.signed };
