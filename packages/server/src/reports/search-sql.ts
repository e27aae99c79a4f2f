import { isNumber, type Sound, soundOf, wordsOf } from '@kist/contract/search-words';
import { text } from '#server/platform/column-types.ts';
import type { Bind } from '#server/platform/statement.ts';

/** Numbers as they are printed on a box, a card or a bill are looked for in one piece too. */
const PRINTED_DIGITS = { least: 7, most: 16 };

/** How well a word of a search fits, the best first: what fits less stands further down, whatever the list is sorted by. */
const FIT = { whole: 0, begins: 1, ends: 2, within: 3, soundsWhole: 4, soundsLike: 5 } as const;

interface Word {
  /** As it may stand in the text that is searched: as typed, and as the digits of a number. */
  forms: readonly string[];
  /** Without the dashes it may be typed with; undefined: there is nothing in it that would be. */
  undashed: string | undefined;
  /** As it may be written otherwise. */
  sound: Sound | undefined;
}

const digitsOf = (word: string) => word.replaceAll(/\D/g, '').replace(/^0+(?=\d{5})/, '');

function wordOf(word: string): Word {
  const digits = isNumber(word) ? digitsOf(word) : '';
  const undashed = word.replaceAll('-', '');
  return {
    forms: digits && digits !== word ? [word, digits] : [word],
    undashed: undashed !== '' && /[\d-]/.test(word) ? undashed : undefined,
    sound: soundOf(word),
  };
}

const UNDASHED = `replace(c.search, '-', '')`;
const anyOf = (ways: readonly string[]) => (ways.length === 1 ? ways[0]! : `(${ways.join(' or ')})`);

/**
 * Customers `c` as people name them: every word somewhere in name, mobile, phone or agreement, in whatever order; numbers with the spaces and dots that they
 * are printed with, and without the dashes; names by sound where they were written in another script or spelt otherwise.
 */
export function searchParts(search: string, bind: Bind): string[] {
  return wordsOf(search).needed.map((part) => {
    const { forms, undashed, sound } = wordOf(part);
    return anyOf([
      ...forms.map((form) => `c.search like ${bind(text, pattern(form))}`),
      ...(undashed ? [`${UNDASHED} like ${bind(text, pattern(undashed))}`] : []),
      ...(sound ? [`c.search ~ ${bind(text, sound.begins)}`] : []),
    ]);
  });
}

/**
 * How well a customer `c` whom the search finds fits it: 0 where every word is a whole word, name or number of theirs. `+91` before a mobile is nobody's, so
 * that ten digits are a whole number.
 */
export function searchFit(search: string, bind: Bind): string {
  const parts = wordsOf(search).all;
  const fits = parts.map((part) => fitOf(wordOf(part), bind));
  const printed = parts.every(isNumber) ? digitsOf(parts.join('')) : '';
  const inOnePiece =
    parts.length > 1 && printed.length >= PRINTED_DIGITS.least && printed.length <= PRINTED_DIGITS.most
      ? fitOf({ forms: [printed], undashed: printed, sound: undefined }, bind)
      : undefined;
  const sum = fits.join(' + ') || '0';
  return inOnePiece ? `least(${sum}, ${inOnePiece})` : `(${sum})`;
}

/** What is searched, with a space around every word. */
const PADDED = `(' ' || replace(c.search, '+91', '') || ' ')`;
const PADDED_UNDASHED = `(' ' || ${UNDASHED} || ' ')`;

function fitOf({ forms, undashed, sound }: Word, bind: Bind): string {
  const places = [...new Set(forms)].map((form) => [PADDED, bind(text, escaped(form))] as const);
  const all = undashed ? [...places, [PADDED_UNDASHED, bind(text, escaped(undashed))] as const] : places;
  const like = (before: string, behind: string) =>
    anyOf(all.map(([where, form]) => `${where} like '${before}' || ${form} || '${behind}'`));
  const heard = sound && `c.search ~ ${bind(text, sound.whole)}`;
  return `case when ${like('% ', ' %')} then ${FIT.whole} when ${like('% ', '%')} then ${FIT.begins} when ${like('%', ' %')} then ${FIT.ends}
    when ${like('%', '%')} then ${FIT.within}${heard ? ` when ${heard} then ${FIT.soundsWhole}` : ''} else ${FIT.soundsLike} end`;
}

/** What a person typed, for a `like`: its own wildcards are letters. */
const escaped = (search: string) => search.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
/** `like` pattern of what may stand anywhere. */
export const pattern = (search: string) => `%${escaped(search)}%`;
