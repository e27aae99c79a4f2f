import { useEffect, useRef } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';
import type { SessionGrant } from '@kist/contract/auth';
import { paths } from '#web/paths.ts';
import { keepSession } from '#web/state/session.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';

/** What the three sign-in screens hand to each other in the history entry: it survives a reload and is in no URL. */
export interface SignInState {
  /** Where the user wanted to go. */
  from?: string;
  /** Whose way back that is, where a session was lost: another one goes home. */
  whose?: string;
  mobile?: string;
  purpose?: 'LOGIN' | 'FORGOT_PASSWORD';
  /** When the code may be asked for again, ms. */
  resendAtMs?: number;
  /** m_pin: set the first one, or a new one after FORGOT_PASSWORD. */
  mode?: 'set' | 'reset';
  resetToken?: string;
}

export const useSignInState = (): SignInState => (useLocation().state as SignInState | null) ?? {};

/** Whether the screen that asked is still there: an answer after one has left it is that of an attempt that was given up. */
function useIsHere(): () => boolean {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  return () => isHere.current;
}

/** Leads on, and nobody who has left its screen. */
export function useNavigateHere() {
  const navigate = useNavigate();
  const isHere = useIsHere();
  return (to: string, options: NavigateOptions) => (isHere() ? navigate(to, options) : undefined);
}

/**
 * To where the digits are typed. A code that is on its way already (OTP_TOO_SOON: to this very device and for the same purpose) is typed there as well, so
 * that going back and asking again is no dead end.
 */
export function useToCode() {
  const navigate = useNavigateHere();
  const { from, whose } = useSignInState();
  return (mobile: string, purpose: 'LOGIN' | 'FORGOT_PASSWORD', resendAfterS = 0) => {
    const state: SignInState = { mobile, purpose, resendAtMs: phoneNowMs() + resendAfterS * 1000, from, whose };
    return navigate(paths.otp(), { state });
  };
}

/**
 * Keeps the session and goes on: to the M-PIN when there is none yet, else to where the user wanted to go. A session that comes when its screen was left is
 * nobody's here: who types another number meanwhile is not signed in by it.
 */
export function useEnter() {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const { from, whose } = useSignInState();
  return (session: SessionGrant, mobile: string) => {
    if (!isHere()) return undefined;
    keepSession(session, mobile);
    const to = whose && whose !== session.user_id ? undefined : from;
    if (!session.mpin_set)
      return navigate(paths.mPin(), { replace: true, state: { mode: 'set', from: to } satisfies SignInState });
    return navigate(to ?? paths.dashboard(), { replace: true });
  };
}
