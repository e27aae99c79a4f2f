/** One toast at a time; a new one takes the place of the old. Any module may call it, <ToastRegion> draws it. */
export type ToastTone = 'ok' | 'error' | 'warning' | 'info';
export interface Toast {
  id: number;
  tone: ToastTone;
  text: string;
  action?: { label: string; run: () => void };
  /** null: stays until closed. */
  lastsMs: number | null;
}

let current: Toast | null = null;
let count = 0;
const listeners = new Set<() => void>();

function show(
  tone: ToastTone,
  text: string,
  options: { action?: Toast['action']; lastsMs?: number | null } = {},
): void {
  // 60 ms a character and at least 4 s: long enough to read in a second script. A toast with an action waits for the answer.
  const lastsMs =
    options.lastsMs === undefined ? (options.action ? null : Math.max(4000, text.length * 60)) : options.lastsMs;
  current = { id: ++count, tone, text, lastsMs, ...(options.action && { action: options.action }) };
  for (const listener of listeners) listener();
}

export const toast = {
  ok: (text: string, options?: Parameters<typeof show>[2]) => show('ok', text, options),
  error: (text: string, options?: Parameters<typeof show>[2]) => show('error', text, options),
  warning: (text: string, options?: Parameters<typeof show>[2]) => show('warning', text, options),
  info: (text: string, options?: Parameters<typeof show>[2]) => show('info', text, options),
  /** Closes the toast; with an id only if that one still shows. */
  close: (id?: number) => {
    if (!current || (id !== undefined && current.id !== id)) return;
    current = null;
    for (const listener of listeners) listener();
  },
  /** For useSyncExternalStore. */
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: () => current,
};
