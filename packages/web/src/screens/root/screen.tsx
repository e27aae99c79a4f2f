import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Provider } from 'react-redux';
import { Navigate, Outlet, useLocation, useMatches, useNavigation, useNavigationType } from 'react-router';
import { keepLocale, currentLanguage } from '#web/i18n/i18n.ts';
import { startOutbox } from '#web/offline/app-outbox.ts';
import { stockUp } from '#web/offline/stock-up.ts';
import { paths } from '#web/paths.ts';
import { splashDone } from '#web/state/main-slice.ts';
import { hasSession, onSessionEnd } from '#web/state/session.ts';
import { startState } from '#web/state/start.ts';
import { appStore, useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ToastRegion } from '#web/ui/toast-region.tsx';
import { useAccess, useMe } from '#web/widgets/use-access.ts';
import { useRead } from '#web/api/use-call.ts';
import { SyncStrip } from '#web/widgets/sync-strip.tsx';
import { Allowed } from './allowed.tsx';
import { MainTabs } from './main-tabs.tsx';
import { Menu } from './menu.tsx';
import { Birthday } from './birthday.tsx';
import { PasskeyOffer } from './passkey-offer.tsx';

/**
 * The auth wrapper and the shell around every screen but login, otp and m_pin. Without a session it leads to login and back afterwards.
 * When a session ends under it, all screens leave in the same render: a query that outlives its session would only ask in vain.
 */
export function Screen() {
  const { pathname, search } = useLocation();
  const [cameSignedIn] = useState(hasSession);
  const isSignedIn = useSyncExternalStore(onSessionEnd, hasSession);
  if (!cameSignedIn) return <Navigate to={paths.login()} replace state={{ from: pathname + search }} />;
  if (!isSignedIn) return null;
  return (
    <Provider store={appStore}>
      <Shell />
    </Provider>
  );
}

function Shell() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isSplash = useAppSelector((state) => state.main.splashScreen);
  const hasBar = !useMatches().some((match) => (match.handle as { ownScreen?: boolean } | undefined)?.ownScreen);
  useShopClock();
  useStock();
  useRead('getAccessConfig', {});
  useRead('getAppConfigs', {});
  useEffect(() => {
    startState();
    dispatch(splashDone());
    startOutbox();
    void keepLocale(currentLanguage());
  }, [dispatch]);
  return (
    <div
      className="flex min-h-dvh flex-col pb-[calc(var(--bar)+env(safe-area-inset-bottom))] lg:pb-0 lg:pl-24"
      style={{ '--bar': hasBar ? '66px' : '0px' } as CSSProperties}
    >
      <a
        href="#content"
        className="sr-only z-40 rounded-md bg-card px-4 py-3 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('shell.skip')}
      </a>
      <ToTop />
      <SyncStrip />
      <BusySpinner />
      {isSplash ? (
        <SplashBlocks />
      ) : (
        <Allowed>
          <Outlet />
        </Allowed>
      )}
      <MainTabs isRail={!hasBar} />
      <Menu />
      <Birthday />
      <PasskeyOffer />
      <ToastRegion />
    </div>
  );
}

/** A demo's clock is moved from elsewhere, at any time: it is asked for while somebody looks. */
const DEMO_CLOCK_POLL_MS = 5000;
function useShopClock(): void {
  const isDemo = useAppSelector((state) => state.main.org_config?.mode === 'demo');
  useMe(isDemo ? { pollMs: DEMO_CLOCK_POLL_MS } : {});
}

/**
 * A new screen begins at its top. On the way back the browser finds the place, and a list that was left its own: it comes after this one in the page, so
 * what it restores stands.
 */
function ToTop() {
  const { pathname } = useLocation();
  const type = useNavigationType();
  const last = useRef(pathname);
  useLayoutEffect(() => {
    const isNew = last.current !== pathname;
    last.current = pathname;
    if (isNew && type !== 'POP') window.scrollTo(0, 0);
  }, [pathname, type]);
  return null;
}

/** A form that was never opened has its plans all the same when the network goes. */
function useStock(): void {
  const { isShop, can } = useAccess();
  const sells = isShop && can.activate;
  useEffect(() => (sells ? stockUp() : undefined), [sells]);
}

const SplashBlocks = () => {
  const { t } = useTranslation();
  return (
    <div className="mx-auto w-full max-w-160 px-4 pt-16">
      <ScreenSkeleton label={t('states.loading')} />
    </div>
  );
};

/** Some request is under way, or the next screen's code: shown on all screens but those that draw skeletons (handle.ownLoading). */
function BusySpinner() {
  const { t } = useTranslation();
  const isLoading = useAppSelector((state) => state.main.apiLoading);
  const navigation = useNavigation();
  const ownLoading = useMatches().some((match) => (match.handle as { ownLoading?: boolean } | undefined)?.ownLoading);
  const isBusy = navigation.state === 'loading' || (isLoading && !ownLoading);
  if (!isBusy) return null;
  return (
    <div className="pointer-events-none fixed inset-x-0 top-24 z-30 flex justify-center">
      {/* Appears after 250 ms: most answers come sooner, and a flash says nothing. */}
      <span className="animate-[rise_.18s_.25s_both] rounded-full border border-line bg-card p-2 text-accent-text shadow-[0_4px_16px_#0002]">
        <Spinner label={t('common.loading')} size={28} />
      </span>
    </div>
  );
}
