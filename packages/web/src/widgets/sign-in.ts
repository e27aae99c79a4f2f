import { useLocation, useNavigate } from 'react-router';
import type { SessionGrant } from '@kist/contract/auth';
import { paths } from '#web/paths.ts';
import { keepSession } from '#web/state/session.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';

/** What the three sign-in screens hand to each other in the history entry: it survives a reload and is in no URL. */
export interface SignInState {
  /** Where the user wanted to go. */
  from?: string;
  mobile?: string;
  purpose?: 'LOGIN' | 'FORGOT_PASSWORD';
  /** When the code may be asked for again, ms. */
  resendAtMs?: number;
  /** m_pin: set the first one, or a new one after FORGOT_PASSWORD. */
  mode?: 'set' | 'reset';
  resetToken?: string;
}

export const useSignInState = (): SignInState => (useLocation().state as SignInState | null) ?? {};

/**
 * To where the digits are typed. A code that is on its way already (OTP_TOO_SOON: to this very device and for the same purpose) is typed there as well, so
 * that going back and asking again is no dead end.
 */
export function useToCode() {
  const navigate = useNavigate();
  const { from } = useSignInState();
  return (mobile: string, purpose: 'LOGIN' | 'FORGOT_PASSWORD', resendAfterS = 0) => {
    const state: SignInState = { mobile, purpose, resendAtMs: phoneNowMs() + resendAfterS * 1000, from };
    return navigate(paths.otp(), { state });
  };
}

/** Keeps the session and goes on: to the M-PIN when there is none yet, else to where the user wanted to go. */
export function useEnter() {
  const navigate = useNavigate();
  const { from } = useSignInState();
  return (session: SessionGrant, mobile: string) => {
    keepSession(session, mobile);
    if (!session.mpin_set)
      return navigate(paths.mPin(), { replace: true, state: { mode: 'set', from } satisfies SignInState });
    return navigate(from ?? paths.dashboard(), { replace: true });
  };
}
