import type { Actor } from './actor.ts';
import type { StepUpPurpose } from './otp.ts';

/** May this user order a step-up code at all? Uninstalling needs both access words that name it, a bypass code the word for unlock. */
export function mayStepUp({ userType, access, lockAccess }: Actor, purpose: StepUpPurpose): boolean {
  if (userType !== 'retailer' && userType !== 'miniretailer') return false;
  return purpose === 'UNINSTALL' ? access.unistall === '1' && lockAccess.uninstall === '1' : lockAccess.unlock === '1';
}
