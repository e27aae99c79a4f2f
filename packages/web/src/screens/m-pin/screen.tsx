import '#web/ui/inside-icons.ts';
import { Navigate } from 'react-router';
import { paths } from '#web/paths.ts';
import { hasSession } from '#web/state/session.ts';
import { stored } from '#web/state/storage.ts';
import { useSignInState } from '#web/widgets/sign-in.ts';
import { EnterMpin } from './enter-mpin.tsx';
import { SetMpin } from './set-mpin.tsx';

/** Sets the first M-PIN (signed in by code), sets a new one (forgot), or asks for it (a device that was verified before). */
export function Screen() {
  const { mode, resetToken, mobile } = useSignInState();
  if (mode === 'set' && hasSession()) return <SetMpin />;
  if (mode === 'reset' && resetToken && mobile) return <SetMpin resetToken={resetToken} mobile={mobile} />;
  if (hasSession()) return <Navigate to={paths.dashboard()} replace />;
  const phone = stored('phone');
  return phone ? <EnterMpin mobile={phone} /> : <Navigate to={paths.login()} replace />;
}
