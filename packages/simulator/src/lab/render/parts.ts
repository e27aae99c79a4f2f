import type { LockScreen } from '@kist/contract/agent';
import { encode } from 'uqr';
import { fill } from '#simulator/lab/words/lock-words.ts';
import type { LockWords } from '#simulator/lab/words/lock-words.ts';
import { html, trusted } from './html.ts';
import type { Html } from './html.ts';

/** Touching something on its screen; the page's script sends it. */
export const touch = (id: string, act: string, data: Record<string, unknown> = {}): Html =>
  html`data-phone="${id}" data-act="${act}" data-body="${JSON.stringify(data)}"`;

/** Whose phone this still is: the shop and the agreement, in the holder's language. */
export const agreementLine = (due: LockScreen, words: LockWords): string =>
  fill(words.agreement, { shop: due.shop, no: due.agreement_no });

/** Always this one button, wherever it stands. */
export const emergencyButton = (id: string, words: LockWords): Html =>
  html`<button type="button" class="wide emergency" ${touch(id, 'touch', { sheet: 'emergency' })}>
    ${words.emergency}
  </button>`;

/** A held phone calls its shop: one touch, whatever else is held back. Null where the shop has no number. */
export const callShop = ({ shop_phone: phone }: LockScreen, words: LockWords): Html | null =>
  phone ? html`<a class="call-shop" href="tel:${phone}">${fill(words.callShop, { phone })}</a>` : null;

/** @returns the link that Android hands to a UPI app of this very phone; null when the shop has no UPI address (or what came is no such link) */
const upiLink = ({ upi_uri: uri }: LockScreen): string | null => (uri?.startsWith('upi://pay?') ? uri : null);

/** Paying on this phone first, by its own UPI app; the QR only helps somebody who pays from another one. */
export function payButtons(id: string, due: LockScreen, words: LockWords): Html {
  const link = upiLink(due);
  if (link === null) return html`${callShop(due, words)}`;
  return html`<a class="wide pay-now" href="${link}" ${touch(id, 'touch', { sheet: 'upi' })}>${words.payUpi}</a>
    <button type="button" class="wide plain" ${touch(id, 'touch', { sheet: 'pay' })}>${words.payOther}</button>`;
}

const codes = new Map<string, Html>();
const MAX_CODES = 200;

/** The UPI link as a QR that any payment app reads; black on white in every theme. Drawing costs some ms, so drawn once. */
export function upiCode(uri: string): Html {
  const drawn = codes.get(uri);
  if (drawn) return drawn;
  const { size, data } = encode(uri, { ecc: 'M', border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const made = trusted(
    `<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="UPI QR" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#1c1b19" d="${dark.join('')}"/></svg>`,
  );
  if (codes.size >= MAX_CODES) codes.clear();
  codes.set(uri, made);
  return made;
}
