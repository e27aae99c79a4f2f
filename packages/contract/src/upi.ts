/** Longest `tr` that UPI apps take (NPCI, UPI linking specification). */
const REFERENCE_LENGTH = 35;
/** Of an agreement's number; the rest is the mark. */
const NUMBER_LENGTH = 20;
const NAME_LENGTH = 50;

export interface UpiAsk {
  upiId: string;
  payee: string;
  amountPaise: number;
  agreementNo: string;
}

const bare = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '');

/** `tr`: says which agreement, so that a bank's list can be matched, and by the mark which code or link it was. */
const referenceOf = (agreementNo: string, mark: string): string =>
  (bare(agreementNo).slice(0, NUMBER_LENGTH) + bare(mark)).slice(0, REFERENCE_LENGTH);

/**
 * What UPI apps read from a link or QR code (`upi://pay`): names with spaces as %20, the amount in rupees with two decimals.
 * @param mark letters and digits that were in no link before: `tr` is new for every code that is shown (banks take a repeated one for a repetition)
 */
export function upiLink({ upiId, payee, amountPaise, agreementNo }: UpiAsk, mark: string): string {
  const parts: [string, string][] = [
    ['pn', payee.slice(0, NAME_LENGTH).replaceAll(/\p{Cs}/gu, '')],
    ['am', (amountPaise / 100).toFixed(2)],
    ['cu', 'INR'],
    ['tr', referenceOf(agreementNo, mark)],
    ['tn', `EMI ${agreementNo}`],
  ];
  // A UPI id holds letters, digits, '.', '-', '_' and '@' only; apps want the '@' as it is.
  const query = parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `upi://pay?pa=${upiId.replace(/[^A-Za-z0-9.@_-]/g, '')}&${query}`;
}

/** The same link to be shown once more, under a `tr` of its own: what a phone keeps is shown more than once. @param mark as in `upiLink` */
export function shownAnew(link: string, agreementNo: string, mark: string): string {
  const tr = referenceOf(agreementNo, mark);
  const part = /([?&])tr=[^&]*/;
  return part.test(link) ? link.replace(part, (_, sign: string) => `${sign}tr=${tr}`) : `${link}&tr=${tr}`;
}
