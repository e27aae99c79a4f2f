import { MOBILE } from '@kist/contract/patterns';

/** @returns '98765 43210' from '+919876543210'. */
export function formatMobile(mobile: string): string {
  const digits = mobile.replace(/^\+91/, '');
  return digits.length === 10 ? `${digits.slice(0, 5)} ${digits.slice(5)}` : mobile;
}
/** Local mobile number from what was typed or pasted: '+91 98765-43210' → '9876543210'. */
export const mobileDigits = (typed: string): string => {
  const digits = typed.replace(/\D/g, '');
  return digits.length > 10 && digits.startsWith('91') ? digits.slice(2, 12) : digits.replace(/^0+/, '').slice(0, 10);
};
export const isMobile = (digits: string): boolean => MOBILE.test(digits);
