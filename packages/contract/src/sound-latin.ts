/**
 * Names by sound within Latin letters: Laxmi and Lakshmi, Phadke and Fadke, Mohammad and Mohamed. Other than between scripts the vowels count here, each with
 * those that it is mistaken for: by its consonants alone Ramesh would be Ramsingh.
 */

/** A word begins and ends at a space or at what people put between names: Md.Irfan, D'Souza. */
export const START = `(?:^|[ .,:'’()/&-])`;
export const END = `(?:[ .,:'’()/&-]|$)`;

/** How a word may be spelt, as a part of a regular expression: as a whole word and, unless that would find too many, as the beginning of one. */
export interface Spelling {
  whole: string;
  begins?: string | undefined;
}

/**
 * @param last what the last vowel may be written as, '' for none: people leave it away or write it where nobody else does (Deshpand, Ashoka).
 * @param isShort of one consonant alone, which means whole words with the vowels they have (Om is not Uma).
 */
export const spelling = (stem: string, last: string, isShort: boolean): Spelling => ({
  whole: `${stem}${last && `${last}${isShort ? '+' : '*'}`}h*`,
  begins: isShort ? undefined : `${stem}${last && `(?:${last}+|${END})`}`,
});

/** What is heard → how it is spelt; the first that fits. Doubled letters and a breath (t and th) are one sound with the single one. */
const CONSONANTS: readonly (readonly [heard: RegExp, spelt: string])[] = [
  [/^(?:x|k+h?s+h*)/, '(?:x|k+h?s+h*)'],
  [/^(?:dny|gny|gy|jny?)/, '(?:[dgj]n[yi]?|g[yi])'],
  [/^(?:ph+|f+)/, '(?:p+h+|f+)'],
  [/^(?:c+h+)+/, '(?:c+h+)+'],
  [/^(?:c*[kq]+h*|c+)/, '(?:c*[kq]+h*|c+)'],
  [/^[vw]+h*/, '[vw]+h*'],
  [/^[jz]+h*/, '[jz]+h*'],
  // Singh, Sinh.
  [/^n+(?:g+h*|h+)/, 'n+(?:g+h*|h+)'],
  [/^[nm]+(?=[^aeiouyhnm])/, '[nm]+'],
];
const VOWELS: Record<string, string> = { a: 'ae', e: 'aeiy', i: 'eiy', y: 'eiy', o: 'ou', u: 'ou' };

function vowelsOf(run: string): string {
  if (/^ee+$/.test(run)) return '[eiy]';
  if (/a[ouw]|o[uw]/.test(run)) return '[aouw]';
  return `[${[...new Set(Array.from(run, (vowel) => VOWELS[vowel] ?? '').join(''))].join('')}]`;
}

function consonantOf(rest: string, isInside: boolean): readonly [heard: string, spelt: string] {
  for (const [heard, spelt] of CONSONANTS) {
    const found = heard.exec(rest)?.[0];
    if (found) return [found, spelt];
  }
  const letter = rest[0]!;
  const found = new RegExp(`^${letter}+h*`).exec(rest)![0];
  // Between vowels and at the beginning it is said (Mohit); elsewhere it is a breath (Rahman, Mehta).
  if (letter === 'h') return [found, isInside && !/^h+[aeiou]/.test(rest) ? 'h*' : 'h+'];
  return [found, `${letter}+h*`];
}

/** @param word of the letters a to z. @returns how else it may be spelt in them. */
export function latinSpelling(word: string, isShort: boolean): Spelling {
  // Fatimah, Fatima.
  const said = word.replace(/(?<=[aeiouy])h+$/, '');
  let stem = '';
  for (let at = 0; at < said.length;) {
    // A y at the beginning is a consonant.
    const run = at === 0 && said[0] === 'y' ? undefined : vowelsAt(said, at);
    if (run) {
      if (at > 0 && at + run.length === said.length) return spelling(stem, vowelsOf(run), isShort);
      stem += `${vowelsOf(run)}+`;
      at += run.length;
      continue;
    }
    const rest = said.slice(at);
    const [heard, spelt] = consonantOf(rest, at > 0);
    // D'Souza is written in one as well, and so are the initials of S.K.
    stem += spelt + (at === 0 && /^[^aeiouy]/.test(rest.slice(heard.length)) ? `['’.]?` : '');
    at += heard.length;
  }
  return spelling(stem, '', isShort);
}

function vowelsAt(word: string, from: number): string | undefined {
  let to = from;
  while (to < word.length && isVowelAt(word, to)) to++;
  return to > from ? word.slice(from, to) : undefined;
}
const isVowelAt = (word: string, at: number): boolean =>
  /[aeiouy]/.test(word[at]!) ||
  // Chowdhary: a w before a consonant.
  (word[at] === 'w' && /[ao]/.test(word[at - 1] ?? '') && /[^aeiouyw]/.test(word[at + 1] ?? ''));
