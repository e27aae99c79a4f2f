import { useEffect, useRef, useSyncExternalStore } from 'react';
import { openDialogs } from './open-dialogs.ts';

/** Keys that do something wherever the focus is. `/` may be pressed as Ctrl+K, too. */
export type Shortcut = '/' | 'c' | '?' | 'Escape';

/** As `aria-keyshortcuts` spells it. */
export const ARIA_SHORTCUTS = { '/': '/ Control+K', c: 'C', '?': 'Shift+?' } as const;

/** What each key does now; the last that asked for it, which is what is on top. */
const held: { key: Shortcut; run: () => void }[] = [];

/** Single letters disturb who dictates or slips: they can be turned off (WCAG 2.1.4). In a cookie, as the theme, which outlives a log-out. */
const OFF_COOKIE = 'shortcuts=off';
const hearers = new Set<() => void>();
const subscribe = (hear: () => void) => {
  hearers.add(hear);
  return () => void hearers.delete(hear);
};
const isOn = (): boolean => !document.cookie.split('; ').includes(OFF_COOKIE);
export const useShortcutsOn = (): boolean => useSyncExternalStore(subscribe, isOn);
/** For a year, or until it is changed. */
export function turnShortcuts(on: boolean): void {
  document.cookie = `${OFF_COOKIE}; path=/; max-age=${on ? 0 : 31_536_000}; samesite=lax`;
  for (const hear of hearers) hear();
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role=textbox]') !== null);

/** @returns which shortcut was pressed. By the letter, and on a keyboard of another script by the place where `c` would be. */
function shortcutOf(event: KeyboardEvent): Shortcut | undefined {
  const { key, code } = event;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && (key === 'k' || code === 'KeyK'))
    return '/';
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (key === 'Escape' || key === '/' || key === '?') return key;
  const isLatin = /^[a-z]$/i.test(key);
  return (isLatin ? key.toLowerCase() === 'c' : code === 'KeyC') ? 'c' : undefined;
}

function onKeyDown(event: KeyboardEvent): void {
  // Something nearer has used it; a word of an input method is being made; a field is typed in; a dialog is over the page.
  if (event.defaultPrevented || event.isComposing || isField(event.target) || openDialogs.top()) return;
  const shortcut = shortcutOf(event);
  const isLetter = shortcut !== 'Escape' && !event.ctrlKey && !event.metaKey;
  if (!shortcut || (isLetter && !isOn())) return;
  const last = held.findLast(({ key }) => key === shortcut);
  if (!last) return;
  event.preventDefault();
  last.run();
}

/** While the component is there the key does this. @param run undefined: nothing now. @returns what its button says in `aria-keyshortcuts`. */
export function useShortcut(key: Shortcut, run: (() => void) | undefined): string | undefined {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const isWanted = run !== undefined;
  useEffect(() => {
    if (!isWanted) return;
    const one = { key, run: () => latest.current?.() };
    if (held.length === 0) window.addEventListener('keydown', onKeyDown);
    held.push(one);
    return () => {
      held.splice(held.indexOf(one), 1);
      if (held.length === 0) window.removeEventListener('keydown', onKeyDown);
    };
  }, [key, isWanted]);
  const isAnnounced = useShortcutsOn() && isWanted;
  return isAnnounced && key !== 'Escape' ? ARIA_SHORTCUTS[key] : undefined;
}
