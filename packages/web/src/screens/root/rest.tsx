import { useEffect } from 'react';
import { useRead } from '#web/api/use-call.ts';
import { currentLanguage, keepLocale } from '#web/i18n/i18n.ts';
import { stockUp } from '#web/offline/stock-up.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { Birthday } from './birthday.tsx';
import { Menu } from './menu.tsx';
import { PasskeyOffer } from './passkey-offer.tsx';
import { useNoStaleToasts } from './stale-toasts.ts';

/** An app that stays open for days learns what its server has become meanwhile. */
const APP_CONFIG_POLL_MS = 15 * 60_000;

/** What every screen inside has and none waits for: it comes once the first one stands. @param hasMenu a desk has its places in sight. */
export function Rest({ hasMenu }: { hasMenu: boolean }) {
  useStock();
  useNoStaleToasts();
  useRead('getAccessConfig', {});
  useRead('getAppConfigs', {}, { pollMs: APP_CONFIG_POLL_MS });
  useEffect(() => void keepLocale(currentLanguage()), []);
  return (
    <>
      {hasMenu && <Menu />}
      <Birthday />
      <PasskeyOffer />
    </>
  );
}

/** A form that was never opened has its plans all the same when the network goes. */
function useStock(): void {
  const { isStaff, can } = useAccess();
  const sells = isStaff && can.activate;
  useEffect(() => (sells ? stockUp() : undefined), [sells]);
}
