/** By its name the code's field is found again: the next thing to do when the rest is done. */
export const CONSENT_FIELD = 'consent-code';
/** The paper that was put down goes back in the history (ui/back-closes.ts), and the browser then to where the page was. */
const RESTORED_MS = 250;

/** Puts the cursor, and with it the phone's keyboard, where the code goes, in sight above the screen's own button. */
export function focusConsentCode(): void {
  const field = document.querySelector<HTMLInputElement>(`input[name=${CONSENT_FIELD}]`);
  if (!field) return;
  const show = () => field.scrollIntoView({ block: 'center' });
  field.focus({ preventScroll: true });
  show();
  setTimeout(() => document.activeElement === field && show(), RESTORED_MS);
}
