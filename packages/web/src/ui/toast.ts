/**
 * One toast at a time. Answers to what the user did take the place of each other; news, which nobody asked for (a new version), waits behind an answer
 * and never covers one. News that is only told has been seen once an answer takes its place; news that wants an answer comes back. Any module may call it, <ToastRegion> draws it.
 */
export type ToastTone = 'ok' | 'error' | 'warning' | 'info';
export interface Toast {
  id: number;
  tone: ToastTone;
  text: string;
  action?: { label: string; run: () => void };
  /** null: stays until closed. */
  lastsMs: number | null;
}

interface ToastOptions {
  action?: Toast['action'];
  lastsMs?: number | null;
  isNews?: boolean;
}

let answer: Toast | null = null;
let news: Toast | null = null;
const current = (): Toast | null => answer ?? news;
let count = 0;
const listeners = new Set<() => void>();

function show(tone: ToastTone, text: string, options: ToastOptions = {}): void {
  // 60 ms a character and at least 4 s: long enough to read in a second script. A toast with an action waits for the answer.
  const lastsMs =
    options.lastsMs === undefined ? (options.action ? null : Math.max(4000, text.length * 60)) : options.lastsMs;
  const made = { id: ++count, tone, text, lastsMs, ...(options.action && { action: options.action }) };
  if (options.isNews) news = made;
  else {
    if (!answer && news?.lastsMs != null) news = null;
    answer = made;
  }
  for (const listener of listeners) listener();
}

export const toast = {
  ok: (text: string, options?: ToastOptions) => show('ok', text, options),
  error: (text: string, options?: ToastOptions) => show('error', text, options),
  warning: (text: string, options?: ToastOptions) => show('warning', text, options),
  info: (text: string, options?: ToastOptions) => show('info', text, options),
  /** Closes the toast; with an id only if that one still shows. */
  close: (id?: number) => {
    const shown = current();
    if (!shown || (id !== undefined && shown.id !== id)) return;
    if (shown === answer) answer = null;
    else news = null;
    for (const listener of listeners) listener();
  },
  /** For useSyncExternalStore. */
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current,
  /** What shows where there is no place for news: over a sheet, in which somebody is at work. */
  answer: (): Toast | null => answer,
};
