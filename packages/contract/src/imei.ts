/** Luhn check of a 15 digit IMEI (3GPP TS 23.003, annex B). Without zod: the app checks while it is typed. */
export function isImei(value: string): boolean {
  if (!/^\d{15}$/.test(value)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const digit = value.charCodeAt(i) - 48;
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
