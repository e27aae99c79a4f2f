/** What Chromium hands to a page that could be put on the home screen; its own question is asked only when somebody presses. */
interface InstallEvent extends Event {
  prompt: () => Promise<unknown>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}
/** 'ask': the browser can be asked; 'by-hand': an iPhone, where the person does it; null: it is installed, or cannot be. */
export type Install = 'ask' | 'by-hand' | null;

/** Kept in a cookie, which outlives a cleared local storage (511): who said no once is not asked again. */
const COOKIE = 'install';
let kept: InstallEvent | undefined;
let isDone = false;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

/** Holds back the browser's own bar, which comes at any moment, and keeps its offer for one of ours. */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    kept = event as InstallEvent;
    tell();
  });
  window.addEventListener('appinstalled', () => {
    isDone = true;
    kept = undefined;
    tell();
  });
}

const isInstalled = (): boolean =>
  isDone ||
  (navigator as { standalone?: boolean }).standalone === true ||
  window.matchMedia?.('(display-mode: standalone)').matches === true;
/** Safari of an iPhone; other browsers there, and an app's own view, have no home screen to offer. */
const isByHand = (agent: string): boolean =>
  /iPhone|iPad/.test(agent) && agent.includes('Safari/') && !/CriOS|FxiOS|EdgiOS/.test(agent);

export const install = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): Install => {
    if (isInstalled()) return null;
    return kept ? 'ask' : isByHand(navigator.userAgent) ? 'by-hand' : null;
  },
  /** Opens the browser's own question. It can be asked once; the browser decides when it offers again. */
  ask: async (): Promise<void> => {
    const event = kept;
    kept = undefined;
    tell();
    if (!event) return;
    await event.prompt();
    const { outcome } = await event.userChoice;
    if (outcome === 'dismissed') install.leaveAlone();
  },
  /** Not offered unasked any more; the menu still has it. */
  leaveAlone: (): void => {
    document.cookie = `${COOKIE}=no; path=/; max-age=31536000; samesite=lax`;
    tell();
  },
  isLeftAlone: (): boolean => /(?:^|; )install=no/.test(document.cookie),
};
