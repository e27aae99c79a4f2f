import { randomBytes } from 'node:crypto';

/** @param digits 14 digits. @returns an IMEI: with its Luhn digit. */
export function withCheckDigit(digits: string): string {
  const sum = digits.split('').reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** The type code belongs to no maker. */
export const randomImei = (): string =>
  withCheckDigit(randomBytes(8).reduce((text, byte) => text + String(byte % 10), '350000'));
