import type { Page } from '@playwright/test';
import { LIMITS } from '@kist/contract/limits';

/** What a hand does: presses, and keys. */
export interface Handwork {
  taps: number;
  keys: number;
}

const MOBILE_DIGITS = 10;

/** The most that the ways of every day may cost the hand. */
export const MOST = {
  /** Into the field, send, and that a first M-PIN is for later; the number and the code, not a key beside. */
  signIn: { taps: 3, keys: MOBILE_DIGITS + LIMITS.otpDigits },
  /** From Home to the QR code, with the terms of the last sale. */
  sale: { taps: 10, keys: 25 + LIMITS.otpDigits },
  /** From Home: a list, the amount, received. */
  collect: { taps: 3, keys: 0 },
} as const satisfies Record<string, Handwork>;

/**
 * Counts from the next page on that is opened, however often it is loaded anew. What a script presses is no work of a hand.
 * @returns what the hand has done until now
 */
export async function countHandwork(page: Page): Promise<() => Promise<Handwork>> {
  await page.addInitScript(() => {
    const count = (key: string) => (event: Event) => {
      if (event.isTrusted) sessionStorage.setItem(key, String(Number(sessionStorage.getItem(key)) + 1));
    };
    window.addEventListener('pointerdown', count('taps'), true);
    window.addEventListener('keydown', count('keys'), true);
  });
  return () =>
    page.evaluate(() => ({
      taps: Number(sessionStorage.getItem('taps')),
      keys: Number(sessionStorage.getItem('keys')),
    }));
}
