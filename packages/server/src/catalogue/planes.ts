import type { PlanName, ProvisioningName } from '@kist/contract/codes';

/** Something that must work for a plan to be delivered: a way to reach its phone, or what is sold beside the phone. */
export type Plane = ProvisioningName | 'ANTI_THEFT' | 'EXTENDED_WARRANTY' | 'FAMILYCARE' | 'ANTIHACKING';

/**
 * What works from the sale to the release in this installation. A plane joins the list with the change that makes its phones enrol, obey and go free;
 * until then its plans are not sold and no key is set aside for them.
 */
export const RUNNING_PLANES: readonly Plane[] = ['DPC', 'LINKFL'];

/** What a plan promises besides the way to its phone. */
const BESIDES: Partial<Record<PlanName, Plane>> = {
  ANTI_THEFT: 'ANTI_THEFT',
  DPC_ANTITHEFT: 'ANTI_THEFT',
  EXTENDED_WARRANTY: 'EXTENDED_WARRANTY',
  FAMILYCARE: 'FAMILYCARE',
  ANTIHACKING: 'ANTIHACKING',
  ANTIHACKING_PRO: 'ANTIHACKING',
  ANTIHACKING_PREMIUM: 'ANTIHACKING',
};

/** Sold once; their phones are still read and released. */
const NO_LONGER_SOLD: readonly PlanName[] = ['OLD_FL'];

/** @param provisioning undefined: a plan without a managed phone */
export function canDeliver(
  plan: PlanName,
  provisioning: ProvisioningName | undefined,
  running: readonly Plane[],
): boolean {
  const needed = [provisioning, BESIDES[plan]].filter((plane) => plane !== undefined);
  return !NO_LONGER_SOLD.includes(plan) && needed.every((plane) => running.includes(plane));
}
