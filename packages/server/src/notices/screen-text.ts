import { LANGUAGES, type Language } from '@kist/contract/codes';
import { cleanLine } from '@kist/contract/text';

/** What a text may name, filled in for each customer: a sum, a date, whom to ask. */
export const SCREEN_VALUES = ['shop', 'phone', 'amount', 'due_on', 'agreement_no'] as const;
/** So that it fits a wallpaper (LIMITS.wallpaperTextLength) with the usual values in their places; what is longer is cut there. */
const LENGTH = 180;
/** Who is held must be able to ask somebody. */
const NEEDED = 'phone';

const named = (text: string): string[] => [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '');
const sorted = (names: readonly string[]): string => [...names].toSorted().join(', ');
const SCRIPTS: Partial<Record<Language, RegExp>> = {
  hn: /\p{Script=Deva}/u,
  mr: /\p{Script=Deva}/u,
  gj: /\p{Script=Gujr}/u,
  bd: /\p{Script=Beng}/u,
  kn: /\p{Script=Knda}/u,
  tg: /\p{Script=Telu}/u,
  tm: /\p{Script=Taml}/u,
  pp: /\p{Script=Guru}/u,
};

/** A name of the web, also without what comes before it: letters, a dot and a word of letters straight behind it. */
const WEB_NAME = /[\p{L}\p{Nd}-]\.\p{L}{2,}/u;
/** Whatever stands between them but letters and what is filled in: a number to call or to pay to can be written in many ways. */
const FIVE_DIGITS = /\p{N}(?:[^\p{L}{}]*\p{N}){4}/u;

/**
 * As a reader takes it, whatever signs it is written with: full-width and ringed ones are letters, digits and dots like others. The Chinese full stop is
 * taken for a dot by whoever opens a name of the web.
 */
const asRead = (text: string): string => text.normalize('NFKC').replaceAll('。', '.');

/** What is wrong with one text, in the administrator's words. */
function problemsOf(language: Language, text: string, english: string): string[] {
  const names = named(text);
  const read = asRead(text);
  const checks: [boolean, string][] = [
    [text.trim() !== '', 'is empty'],
    [
      text === cleanLine(text) && !text.includes('\0'),
      'has line ends, blanks at its ends or characters that nobody sees',
    ],
    [text.length <= LENGTH, `is longer than ${LENGTH} characters`],
    [!/[<>`\\]|:\/\/|\bwww\.|&#?\w+;/i.test(read) && !WEB_NAME.test(read), 'has markup or an address of the web'],
    // Where to pay and whom to call is filled in: a number written by hand may be anybody's.
    [!FIVE_DIGITS.test(read) && !read.includes('@'), 'has a number or an address of its own'],
    [
      names.every((name) => (SCREEN_VALUES as readonly string[]).includes(name)),
      `names something else than {${SCREEN_VALUES.join('}, {')}}`,
    ],
    [!/[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, '')), 'has a bracket that is not closed'],
    [new Set(names).size === names.length, 'names something twice'],
    [names.includes(NEEDED), `says no {${NEEDED}}`],
    [sorted(names) === sorted(named(english)), 'names other things than the English text'],
    [language === 'en' || text !== english, 'is the English text'],
    [SCRIPTS[language]?.test(text) !== false, 'is not in its own script'],
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => `${language}: ${problem}`);
}

/** @returns what keeps these texts from standing on a customer's screen; empty when nothing does. */
export function screenTextProblems(texts: Readonly<Partial<Record<string, unknown>>>): string[] {
  const unknown = Object.keys(texts).filter((language) => !(LANGUAGES as readonly string[]).includes(language));
  const english = typeof texts['en'] === 'string' ? texts['en'] : '';
  return [
    ...unknown.map((language) => `${language}: is no language of this product (${LANGUAGES.join(' ')})`),
    ...LANGUAGES.flatMap((language) => {
      const text = texts[language];
      return typeof text === 'string' ? problemsOf(language, text, english) : [`${language}: is missing`];
    }),
  ];
}
