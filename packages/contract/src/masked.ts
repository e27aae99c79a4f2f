/** Numbers as they stand where anybody may look over a shoulder; without schemas, for pages that have none. */

/** @returns '98••• ••210': enough to know one's own number by, or to find a customer; no use to anyone else. */
export function maskMobile(mobile: string): string {
  const digits = mobile.replace(/^\+91/, '');
  return `${digits.slice(0, 2)}••• ••${digits.slice(-3)}`;
}
