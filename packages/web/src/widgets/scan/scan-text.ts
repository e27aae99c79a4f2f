import { isImei } from '@kist/contract/imei';

/** @returns the IMEIs in what a camera read from a box ('IMEI1:356938035643809', two on one label), each once, in order. */
export function imeisIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => text.match(/\d{15,16}/g) ?? []).map((digits) => digits.slice(0, 15));
  return [...new Set(found.filter(isImei))];
}

/** What the shop sees while an IMEI is typed. */
export type ImeiState = 'empty' | 'typing' | 'wrong' | 'right';
export function imeiState(text: string): ImeiState {
  if (text === '') return 'empty';
  if (text.length < 15) return 'typing';
  return isImei(text) ? 'right' : 'wrong';
}

/** @returns the first 15 digits of what was typed or pasted ('35-693803-564380-9'). */
export const imeiDigits = (text: string): string => text.replace(/\D/g, '').slice(0, 15);

/**
 * @param before the two numbers that stand there
 * @param read what came into the place of the first one, and the second where that came along
 * @returns the second number of the phone: another first number is another phone, and what stood for the one before does not stay with it. Where no whole first
 * number stood there, it is the same one's.
 */
export function secondOf(before: { imei1: string; imei2: string }, [read = '', other]: readonly string[]): string {
  if (other !== undefined) return other;
  const isAnother = isImei(read) && read !== before.imei1 && (isImei(before.imei1) || read === before.imei2);
  return isAnother ? '' : before.imei2;
}
