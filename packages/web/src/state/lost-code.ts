/**
 * What browsers and `i18n/backend.ts` say of a file of code or of words that did not come: Chromium, Firefox, Safari (a file, a page in its
 * place), then `fetch` in the same order. What a file that came throws is worded otherwise: that is broken, not away.
 */
const SENTENCES =
  /dynamically imported module|importing a module script|valid javascript mime type|^failed to fetch|^networkerror|^load failed|no words$/i;

/** A new build removed the old file, or no way led to the server while the screen's code was fetched. */
export const isLostCode = (error: unknown): boolean => error instanceof Error && SENTENCES.test(error.message);

const RELOADED_KEY = 'reloaded_at';
const LEAST_MS = 60_000;

/**
 * A fresh page asks again for what was lost. Not twice in a minute: where it does not help, the page must stand still to be read.
 * @returns whether the page goes.
 */
export function reloadOnce(): boolean {
  const lastMs = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
  if (Date.now() - lastMs < LEAST_MS) return false;
  sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  window.location.reload();
  return true;
}
