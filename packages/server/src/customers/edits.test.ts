import { describe, expect, it } from 'vitest';
import { EDIT_ACTIONS, PLAN, PLAN_NAMES, type EditAction, type PlanName } from '@kist/contract/codes';
import { SYSTEM } from '#server/identity/identity.ts';
import { assertEditOffered } from './edits.ts';

const shop = { ...SYSTEM(20), userType: 'retailer' as const };
/** "DPC_ANTITHEFT gets IMEI edit plus the QR code; Apple adds check-status; others add the QR code." */
const expected = (plan: PlanName, edit: EditAction): boolean => {
  if (plan === 'DPC_ANTITHEFT') return edit === 'IMEI_EDIT' || edit === 'EMM_QR_CODE';
  if (edit === 'CHECK_STATUS') return plan === 'APPLE';
  return edit === 'EMM_QR_CODE' ? plan !== 'APPLE' : true;
};
const isRefused = (
  actor: typeof shop | ReturnType<typeof SYSTEM>,
  plan: PlanName,
  status: number,
  edit: EditAction,
) => {
  try {
    assertEditOffered(actor, { plan_type: PLAN[plan], status }, edit);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'FEATURE_NOT_OFFERED', options: { details: { edit, plan, status } } });
    return true;
  }
};

describe.each(PLAN_NAMES)('of the plan %s', (plan) => {
  it.each(EDIT_ACTIONS)(
    '%s is for its shop as the specification says, and while the sale is being made, but for asking a phone how it stands',
    (edit) => {
      for (const status of [1, 2, 3, 4]) expect(isRefused(shop, plan, status, edit)).toBe(!expected(plan, edit));
      expect(isRefused(shop, plan, 0, edit)).toBe(edit === 'CHECK_STATUS' && plan !== 'APPLE');
      expect(isRefused(SYSTEM(20), plan, 1, edit)).toBe(false);
    },
  );
});
