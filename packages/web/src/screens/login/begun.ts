/** What somebody did in index.html's own login form before the app's code had come. */
export interface Begun {
  typed: string;
  hasFocus: boolean;
  /** From where to where text was marked, or the caret twice. */
  marked: [number, number];
  /** The button was pressed: the code is to be sent as soon as the app is there. */
  isSent: boolean;
}

/** To be read before React's first commit, which takes that form away. @returns undefined when it is gone, so on every later visit to login. */
export function begun(): Begun | undefined {
  const field = document.querySelector<HTMLInputElement>('#front input');
  if (!field) return undefined;
  return {
    typed: field.value,
    hasFocus: document.activeElement === field,
    marked: [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length],
    isSent: document.querySelector('#front button[aria-busy]') !== null,
  };
}
