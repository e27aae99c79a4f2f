import { lazy, type ComponentType } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { loadMore } from '#web/i18n/i18n.ts';
import { partsOf } from '#web/i18n/more.ts';
import { isLostCode } from '#web/state/lost-code.ts';
import { hasSession } from '#web/state/session.ts';
import { ErrorView } from './error-view.tsx';
import { languagePrefix, OUTSIDE, paths, patterns, withoutLanguage } from './paths.ts';
import type { Ability } from './widgets/abilities.ts';

/** Every screen: `screens/<id>/screen.tsx` exports `Screen`. Its code loads when it is gone to; `ahead` runs before it is drawn. */
const files = import.meta.glob<{ Screen: ComponentType; ahead?: () => Promise<void> }>('./screens/*/screen.tsx');
type ScreenId = keyof typeof patterns;

const folderOf = (id: string) => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const lazyScreen = (folder: string) => async () => {
  const load = files[`./screens/${folder}/screen.tsx`];
  if (!load) throw new Response('', { status: 404, statusText: folder });
  try {
    const ready = load().then(async ({ Screen: screen, ahead }) => {
      await ahead?.();
      return screen;
    });
    const [Screen] = await Promise.all([ready, loadMore(partsOf(folder))]);
    return { Component: Screen };
  } catch (error) {
    if (!isLostCode(error)) throw error;
    // The code of some comes when they are gone to, which needs a way to the server; a network that carries nothing looks like one.
    return { Component: (await import('./widgets/code-away.tsx')).CodeAway };
  }
};
/** On a desk the list of customers stays in sight beside each of them (screens/root/stage.tsx). */
const CustomerList = lazy(async () => ({ default: (await lazyScreen('customer-list')()).Component }));
const inList = (isIt = false) => ({ list: { Screen: CustomerList, isIt } });

/** `ownScreen`: one task from end to end, without the bottom bar under the thumb. `needs`: what the user must be allowed for the screen to be drawn at all (screens/root/allowed.tsx). `list`: see above. */
interface Handle {
  ownLoading?: boolean;
  ownScreen?: boolean;
  needs?: Ability;
  list?: { Screen: ComponentType; isIt: boolean };
}
const route = (id: ScreenId, handle?: Handle): RouteObject => ({
  path: patterns[id],
  lazy: lazyScreen(folderOf(id)),
  handle,
});

/** Specification, section 2: these draw their skeletons alone; on all others the spinner shows while a request is under way. */
const ownLoading = { ownLoading: true, needs: 'read' } as const;

const inside: RouteObject[] = [
  { index: true, element: <Navigate to={paths.dashboard()} replace /> },
  route('dashboard', ownLoading),
  route('customerList', { ...ownLoading, ...inList(true) }),
  route('customerDetails', { ...ownLoading, ...inList() }),
  route('customerNavigate', { needs: 'read', ...inList() }),
  route('addCustomer', { needs: 'activate', ownScreen: true }),
  route('upcomingEmi', { needs: 'read' }),
  route('collections', { needs: 'read' }),
  route('viewEmiDetails', { needs: 'read' }),
  route('emiDetails', { needs: 'terms', ownScreen: true }),
  route('emmQr', { needs: 'activate', ownScreen: true }),
  route('signature', { needs: 'activate', ownScreen: true }),
  route('witnessSignature', { needs: 'activate', ownScreen: true }),
  route('customerDocuments', { needs: 'read' }),
  route('retailerList', { needs: 'seeShops' }),
  route('retailerProfile'),
  route('addRetailer'),
  route('lockRules', { needs: 'read' }),
  route('waiting', { needs: 'read' }),
  route('myEmi'),
  route('myData'),
  route('sessions'),
  route('language'),
  { path: '*', lazy: lazyScreen('not-found') },
];

/** The language in the address stays there for the visit; the routes below it do not know of it. */
const prefix = languagePrefix(window.location.pathname);

/**
 * Nobody is signed in: login at once, and not after the shell's code came only to send there (two round trips on a first visit).
 * @returns where they wanted to go
 */
function turnToLogin(): string | undefined {
  const pathname = withoutLanguage(window.location.pathname);
  const { search } = window.location;
  if (hasSession() || OUTSIDE.some((id) => pathname.replace(/\/$/, '') === `/${patterns[id]}`)) return undefined;
  window.history.replaceState(null, '', prefix + paths.login());
  return pathname + search;
}
const wanted = turnToLogin();

export const router = createBrowserRouter(
  [
    {
      ErrorBoundary: ErrorView,
      children: [...OUTSIDE.map((id) => route(id)), { lazy: lazyScreen('root'), children: inside }],
    },
  ],
  { basename: prefix || '/' },
);

// Told to the window: what hears it (ui/back-closes.ts) comes with the first sheet, and not before login with all of the kit.
router.subscribe(({ navigation }) =>
  window.dispatchEvent(new CustomEvent('app-leaving', { detail: navigation.state !== 'idle' })),
);

if (wanted !== undefined) void router.navigate(paths.login(), { replace: true, state: { from: wanted } });

/** Resolves when the first screen's code is there, or could not be had: until then the static page of index.html stands, with what is typed into it. */
export const firstScreen = (): Promise<void> =>
  new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
