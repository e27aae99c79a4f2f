/** What somebody did in index.html's own login form before the app's code had come. */
export interface Begun {
  typed: string;
  hasFocus: boolean;
  /** From where to where text was marked, or the caret twice. */
  marked: [number, number];
  /** The button was pressed: the code is to be sent as soon as the app is there. */
  isSent: boolean;
}

/**
 * Follows index.html's own login form from the first look at it to the commit that takes it away: React draws the first screen in slices, and a thumb may type and press between two of them.
 * @returns tells how the form stands, or stood when it was taken away; undefined when it is gone, so on every later visit to login
 */
export function followFront(): (() => Begun) | undefined {
  const field = document.querySelector<HTMLInputElement>('#front input');
  const button = document.querySelector('#front button');
  if (!field || !button) return undefined;
  let hasFocus = document.activeElement === field;
  field.addEventListener('focus', () => (hasFocus = true));
  // A field that is taken away loses the focus too, and nobody left it.
  field.addEventListener('blur', () => queueMicrotask(() => (hasFocus &&= !field.isConnected)));
  return () => ({
    typed: field.value,
    hasFocus,
    marked: [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length],
    isSent: button.hasAttribute('aria-busy'),
  });
}
