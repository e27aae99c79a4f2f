import '#web/theme/theme.css';
import i18next from 'i18next';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { currentLanguage, keepLocale, startI18n } from '#web/i18n/i18n.ts';
import { askShell } from '#web/native/bridge.ts';
import { keepInstallOffer } from '#web/native/install.ts';
import { whenIdle } from '#web/native/when-idle.ts';
import { keptHere } from '#web/state/kept-here.ts';
import { isLostCode } from '#web/state/lost-code.ts';
import { followOtherTabs, onSessionBegin, onSessionEnd } from '#web/state/session.ts';
import { followSystemTheme, paint } from '#web/theme/theme.ts';
import { toast } from '#web/ui/toast.ts';
import { paths, withoutLanguage } from './paths.ts';
import { firstScreen, router } from './routes.tsx';

/** 511 and log-out lead to login; the way back is kept only when the user did not choose to leave, and for nobody else. */
function leaveOnSessionEnd(): void {
  onSessionEnd((why, cause, whose) => {
    const { search } = router.state.location;
    const pathname = withoutLanguage(router.state.location.pathname);
    const from = why === 'lost' && pathname !== paths.login() ? pathname + search : undefined;
    const arrived = router.navigate(paths.login(), { replace: true, state: { from, whose } });
    // Told there: on a slow phone the way would take longer than the message stands.
    const says = () =>
      `${i18next.t('auth.session_lost', { context: cause })} ${i18next.t(keptHere('auth.unsent_safe'))}`;
    if (why === 'lost') void arrived.then(() => toast.warning(says()));
  });
}

/** Forms and answers of whoever is not signed in leave this phone: at once when a session ends, and after a page that died before it could. */
async function wipeOthers(): Promise<void> {
  const { keepOnlyOwn } = await import('#web/offline/keep-own.ts');
  await keepOnlyOwn();
}

async function offerUpdates(): Promise<void> {
  const { startUpdates } = await import('#web/offline/updates.ts');
  startUpdates({
    onUpdate: (reload) =>
      toast.info(i18next.t('shell.update'), {
        isNews: true,
        action: { label: i18next.t('shell.reload'), run: reload },
      }),
    onOfflineReady: () => {
      void keepLocale(currentLanguage());
      toast.ok(i18next.t('shell.offline_ready'), { isNews: true });
    },
  });
}

/** Where its code cannot be had a later page begins it; anything else is a fault that has to be seen. */
const unlessLost = (error: unknown): void => {
  if (!isLostCode(error)) throw error;
};

async function start(): Promise<void> {
  paint();
  followSystemTheme();
  askShell();
  keepInstallOffer();
  const root = document.getElementById('root');
  const [hasWords] = await Promise.all([startI18n(), firstScreen()]);
  if (!root) return;
  if (!hasWords) {
    // First visit and no network: not a single word could be loaded, so this one is in English and the numbers' language.
    const again = document.createElement('button');
    again.textContent = '↻ Try again';
    again.style.cssText = 'display:block;margin:40vh auto 0;padding:16px 24px';
    again.onclick = () => window.location.reload();
    root.replaceChildren(again);
    return;
  }
  followOtherTabs();
  leaveOnSessionEnd();
  onSessionEnd(() => void wipeOthers());
  onSessionBegin(({ user_id, seal_key }) => {
    void import('#web/offline/keep-own.ts').then(({ keepOnlyOwnFrom }) => keepOnlyOwnFrom(user_id, seal_key));
  });
  // In slices: drawn in one go, the first screen would keep a cheap phone from hearing a thumb for a third of a second.
  startTransition(() => createRoot(root).render(<RouterProvider router={router} />));
  whenIdle(() => {
    void import('#web/state/start.ts').then(({ startState }) => startState()).catch(unlessLost);
    void offerUpdates().catch(unlessLost);
    void wipeOthers().catch(unlessLost);
  });
}

void start();
