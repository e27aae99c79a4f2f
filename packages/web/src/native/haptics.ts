/** A short tick in the hand: a lock went out, a payment is in. Silent where the phone cannot or the user wants no motion. */
export function tick(): void {
  if (window.matchMedia?.('(prefers-reduced-motion: reduce)').matches) return;
  navigator.vibrate?.(12);
}
