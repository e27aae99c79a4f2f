import '#web/ui/inside-icons.ts';
import {
  type CSSProperties,
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Provider } from 'react-redux';
import { Navigate, useLocation, useMatches, useNavigation, useNavigationType } from 'react-router';
import { takeAhead } from '#web/api/take-ahead.ts';
import { loadMore } from '#web/i18n/i18n.ts';
import { whenIdle } from '#web/native/when-idle.ts';
import { startOutbox } from '#web/offline/app-outbox.ts';
import { isInCustomerList, paths, withoutLanguage } from '#web/paths.ts';
import { splashDone } from '#web/state/main-slice.ts';
import { hasSession, onSessionEnd } from '#web/state/session.ts';
import { listenToAnswers, startState } from '#web/state/start.ts';
import { appStore, useAppSelector } from '#web/state/store.ts';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ToastRegion } from '#web/ui/toast-region.tsx';
import { useAtLeast } from '#web/ui/use-width.ts';
import { inBackground } from '#web/widgets/in-background.tsx';
import { useMe } from '#web/widgets/use-access.ts';
import { SyncStrip } from '#web/widgets/sync-strip.tsx';
import { Allowed } from './allowed.tsx';
import { MainTabs } from './main-tabs.tsx';
import { pageOf } from './page-of.ts';
import { Stage } from './stage.tsx';

/** Of an app that its server is too new for: nobody waits for that. */
const TooOld = inBackground(async () => (await import('#web/widgets/too-old.tsx')).TooOld);

/** Nothing that is said about somebody's money waits for it: what is kept without a network is told, and sent, before this could be had. */
const Rest = inBackground(async () => (await import('./rest.tsx')).Rest);

/** A phone never loads what only a desk shows, nor its words. */
const Desk = lazy(async () => {
  const [{ Desk: part }] = await Promise.all([import('./desk.tsx'), loadMore()]);
  return { default: part };
});

/** Before the first render: what the page has asked already is there for it. */
export async function ahead(): Promise<void> {
  listenToAnswers();
  appStore.dispatch(splashDone());
  await takeAhead(withoutLanguage(window.location.pathname));
}

/**
 * The auth wrapper and the shell around every screen but login, otp and m_pin. Without a session it leads to login and back afterwards.
 * When a session ends under it, all screens leave in the same render: a query that outlives its session would only ask in vain. On a slow line login's code
 * takes its time, and until then there are the blocks of something that loads, not a white page.
 */
export function Screen() {
  const { pathname, search } = useLocation();
  const [cameSignedIn] = useState(hasSession);
  const isSignedIn = useSyncExternalStore(onSessionEnd, hasSession);
  if (!cameSignedIn) return <Navigate to={paths.login()} replace state={{ from: pathname + search }} />;
  if (!isSignedIn) return <SplashBlocks />;
  return (
    <Provider store={appStore}>
      <Shell />
    </Provider>
  );
}

function Shell() {
  const { t } = useTranslation();
  const isSplash = useAppSelector((state) => state.main.splashScreen);
  const isTablet = useAtLeast('tablet');
  const isDesk = useAtLeast('desk');
  const location = useLocation();
  const hasBar = !useMatches().some((match) => (match.handle as { ownScreen?: boolean } | undefined)?.ownScreen);
  useShopClock();
  useEffect(() => {
    startState();
    startOutbox();
  }, []);
  const [isStanding, setStanding] = useState(false);
  useEffect(() => whenIdle(() => setStanding(true)), []);
  return (
    <div
      className="flex min-h-dvh flex-col pb-[calc(var(--bar)+env(safe-area-inset-bottom))] md:pl-20 lg:pt-[var(--top)] lg:pl-56 xl:pl-60"
      style={{ '--bar': hasBar && !isTablet ? '66px' : '0px', '--top': isDesk ? '56px' : '0px' } as CSSProperties}
    >
      <a
        href="#content"
        className="sr-only z-40 rounded-md bg-card px-4 py-3 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('shell.skip')}
      </a>
      <ToTop isDesk={isDesk} />
      {isDesk ? <AroundDesk /> : <SyncStrip />}
      {isStanding && <TooOld />}
      <BusySpinner />
      {isSplash ? (
        <SplashBlocks />
      ) : (
        <Allowed>
          <Stage />
        </Allowed>
      )}
      {!isDesk && <MainTabs isRail={!hasBar} />}
      <ToastRegion on={pageOf(location)} />
      {isStanding && <Rest hasMenu={!isDesk} />}
    </div>
  );
}

const AroundDesk = () => (
  <Suspense fallback={<div className="fixed inset-y-0 left-0 w-56 border-r border-line bg-card xl:w-60" />}>
    <Desk />
  </Suspense>
);

/** A demo's clock is moved from elsewhere, at any time: it is asked for while somebody looks. */
const DEMO_CLOCK_POLL_MS = 5000;
function useShopClock(): void {
  const isDemo = useAppSelector((state) => state.main.org_config?.mode === 'demo');
  useMe(isDemo ? { pollMs: DEMO_CLOCK_POLL_MS } : {});
}

/**
 * A new screen begins at its top. On the way back the browser finds the place, and a list that was left its own: it comes after this one in the page, so
 * what it restores stands. On a desk the list of customers stays beside what is chosen from it, and where it is.
 */
function ToTop({ isDesk }: { isDesk: boolean }) {
  const { pathname } = useLocation();
  const type = useNavigationType();
  const last = useRef(pathname);
  useLayoutEffect(() => {
    const isBeside = isDesk && isInCustomerList(last.current) && isInCustomerList(pathname);
    const isNew = last.current !== pathname && !isBeside;
    last.current = pathname;
    if (isNew && type !== 'POP') window.scrollTo(0, 0);
  }, [isDesk, pathname, type]);
  return null;
}

const SplashBlocks = () => {
  const { t } = useTranslation();
  return (
    <div className="mx-auto w-full max-w-160 px-4 pt-16 md:max-w-300">
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
