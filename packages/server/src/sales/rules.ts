import type { z } from 'zod';
import type { registerBodySchema } from '@kist/contract/customers';
import { type IsoDate, addDays } from '@kist/contract/dates';
import { EMI_LIMITS } from '@kist/contract/emi-limits';
import { KistError } from '@kist/contract/errors';

export type Registration = z.output<typeof registerBodySchema>;

/** What a registration needs; a draft may miss any of it. */
const PARTS = ['customer', 'device', 'emi', 'consent'] as const;
export type Sale = { [P in (typeof PARTS)[number]]: NonNullable<Registration[P]> };

/** @throws KistError INVALID_INPUT naming every part that is missing */
export function complete({ customer, device, emi, consent }: Registration): Sale {
  const given = { customer, device, emi, consent };
  const missing = PARTS.filter((part) => !given[part]);
  if (missing.length > 0)
    throw new KistError('INVALID_INPUT', { fields: missing.map((path) => ({ path, key: 'field.required' })) });
  return given as Sale;
}

/** @throws KistError INVALID_INPUT when the phone was handed over more than three days before `today`, or is to be some day */
export function assertDeliveredLately(deliveredOn: IsoDate, today: IsoDate): void {
  if (deliveredOn > today || deliveredOn < addDays(today, -EMI_LIMITS.deliveredAgoDays))
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'emi.delivered_on', key: 'field.delivered_on' }] });
}
