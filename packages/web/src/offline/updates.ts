export interface UpdateEvents {
  /** A newer build waits; `reload` takes it. */
  onUpdate: (reload: () => void) => void;
  /** The first install is done. */
  onOfflineReady: () => void;
}

/** At most one look for a new build a minute, however often the app is looked at. */
const POLL_MS = 60_000;

/**
 * Registers /sw.js. In vite-plugin-pwa 2.0.0 Reload does nothing in the first session: `clientsClaim` (vite.config.ts) and the reload on the waiting
 * worker's `activated` here are the two halves of the repair; either alone fails. A failed registration is only logged.
 */
export function startUpdates(events: UpdateEvents): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('/sw.js', { scope: '/' }).then(
    // Where a policy blocks workers, some browsers answer with nothing.
    (registration?: ServiceWorkerRegistration) => registration && watch(registration, events),
    (error: unknown) => console.warn('service worker registration failed', error),
  );
}

function watch(registration: ServiceWorkerRegistration, events: UpdateEvents): void {
  const offer = (worker: ServiceWorker) => events.onUpdate(() => take(worker));
  if (registration.waiting && registration.active) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    const isFirst = !registration.active;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && !isFirst) offer(worker);
      if (worker.state === 'activated' && isFirst) events.onOfflineReady();
    });
  });
  let lookedAtMs = Date.now();
  const look = () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAtMs < POLL_MS) return;
    lookedAtMs = Date.now();
    registration.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('online', look);
  setInterval(look, 15 * POLL_MS);
}

/** A worker that is installed takes over, and the page comes anew from it. */
function take(worker: ServiceWorker): void {
  worker.addEventListener('statechange', () => {
    if (worker.state === 'activated') window.location.reload();
  });
  worker.postMessage({ type: 'SKIP_WAITING' });
}

/**
 * Looks for a newer build now and takes it. Where none waits the page alone is older than its worker (another tab took the build), or there is no worker: then it
 * is loaded anew.
 */
export async function takeNewest(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  // Without a network there is nothing newer to be had.
  await registration?.update().catch(() => undefined);
  const { waiting, installing } = registration ?? {};
  if (waiting) return take(waiting);
  if (!installing) return window.location.reload();
  installing.addEventListener('statechange', () => {
    if (installing.state === 'installed') take(installing);
  });
}
