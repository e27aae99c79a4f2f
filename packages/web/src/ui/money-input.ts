/** Indian digit grouping of a typed amount: 125000 → 1,25,000. */
function groupDigits(digits: string): string {
  const head = digits.slice(0, -3);
  const tail = digits.slice(-3);
  return head ? `${head.replace(/\B(?=(\d\d)+$)/g, ',')},${tail}` : tail;
}

/** @param limitDigits rupee digits kept; more are dropped as typed. @returns what the box shows for typed or pasted text ('₹ 1,250.5' → '1,250.5'). */
export function formatTyped(text: string, withPaise: boolean, limitDigits = 9): string {
  const [rupees = '', ...rest] = text.replace(/[^\d.]/g, '').split('.');
  const whole = groupDigits(rupees.replace(/^0+(?=\d)/, '').slice(0, limitDigits));
  return withPaise && rest.length > 0 ? `${whole || '0'}.${rest.join('').slice(0, 2)}` : whole;
}

/** @returns integer paise; undefined for an empty box. */
export function typedToPaise(shown: string): number | undefined {
  if (!shown) return undefined;
  const [rupees = '', paise = ''] = shown.replaceAll(',', '').split('.');
  return Number(rupees || '0') * 100 + Number(paise.padEnd(2, '0') || '0');
}

/** @param paise integer. @returns the box's text: no decimals when the paise are zero. */
export function paiseToTyped(paise: number | null | undefined): string {
  if (paise === null || paise === undefined) return '';
  const part = Math.abs(paise % 100);
  const whole = groupDigits(String(Math.trunc(Math.abs(paise) / 100)));
  return part ? `${whole}.${String(part).padStart(2, '0')}` : whole;
}
