import { KistError } from '@kist/contract/errors';

/** What of a customer a reason that stays may not say. */
export interface Named {
  first_name: string;
  last_name: string;
  mobile: string;
  alternate_mobile: string | null;
  aadhaar_last4: string | null;
}

/** A part of a name that is told from an initial. */
const LEAST_LETTERS = 2;
/** So many digits of a number's end tell whose it is. */
const LEAST_DIGITS = 4;
/** A PAN is of letters and digits in this order; whoever it is of, it names somebody. An address of mail or of a payment too. */
const PAN = /(?<![\p{L}\d])[a-z]{5}\d{4}[a-z](?![\p{L}\d])/u;
const ADDRESS = /[^\s@]@[^\s@]/u;

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Both sides by the same cut: at whatever is no letter, so "D'Souza" and "Paul-Raj" are two words here and there. */
const wordsOf = (text: string): string[] =>
  text.split(/[^\p{L}\p{M}]+/u).filter((word) => word.length >= LEAST_LETTERS);

/** Digits that stand together, and those that gaps as in "98123 45214" stand between. */
const digitsOf = (text: string): string[] =>
  [/\d+/g, /\d[\d\s().+-]*\d/g].flatMap((row) => (text.match(row) ?? []).map((one) => one.replaceAll(/\D/g, '')));

const saysNumber = (rows: readonly string[], number: string): boolean =>
  number.length >= LEAST_DIGITS &&
  rows.some((row) => row.slice(-LEAST_DIGITS) === number.slice(-LEAST_DIGITS) || row.includes(number.slice(-10)));

/** @throws KistError INVALID_INPUT for a reason that says whom it is about, or anybody's PAN or address of mail */
export function assertNamesNobody(reason: string, customer: Named): void {
  const { first_name, last_name, mobile, alternate_mobile, aadhaar_last4 } = customer;
  const said = plain(reason);
  const words = new Set(wordsOf(said));
  const rows = digitsOf(said);
  const isSaid =
    wordsOf(plain(`${first_name} ${last_name}`)).some((name) => words.has(name)) ||
    [mobile, alternate_mobile, aadhaar_last4].some((number) => saysNumber(rows, number ?? '')) ||
    PAN.test(said) ||
    ADDRESS.test(said);
  if (isSaid)
    throw new KistError('INVALID_INPUT', {
      internal: 'the reason stays, and says the name or number that goes',
      fields: [{ path: 'reason', key: 'field.invalid' }],
    });
}
