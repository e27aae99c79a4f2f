import { NEEDS, missingWord } from '@kist/contract/access';
import type { Actor } from './actor.ts';
import type { StepUpPurpose } from './otp.ts';

/** May this user order a step-up code at all? As the call itself asks: both words of what the code is for. */
export function mayStepUp(actor: Actor, purpose: StepUpPurpose): boolean {
  if (actor.userType !== 'retailer' && actor.userType !== 'miniretailer') return false;
  return missingWord(actor, purpose === 'UNINSTALL' ? NEEDS.uninstall : NEEDS.unlock) === undefined;
}
