import type { Term } from './terms.ts';

/** Signed in these words: they stand as they are. */
const SIGNED = 'consent.text_v1';

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Letters, their signs and digits of every script: what a word may not be followed or preceded by. */
const LETTER = '[\\p{L}\\p{M}\\p{N}]';
const patternOf = (word: string): RegExp =>
  word.endsWith('*')
    ? new RegExp(`(?<!${LETTER})${quoted(word.slice(0, -1))}`, 'iu')
    : new RegExp(`(?<!${LETTER})${quoted(word)}(?!${LETTER})`, 'iu');

/** @returns whether a text uses the word where it is not right. */
function useOf({ word, but = [], except = [] }: Term): (key: string, text: string) => boolean {
  const pattern = patternOf(word);
  const right = but.map((phrase) => new RegExp(quoted(phrase), 'giu'));
  return (key, text) =>
    !except.includes(key) && pattern.test(right.reduce((left, phrase) => left.replaceAll(phrase, ''), text));
}

/**
 * @param texts by key.
 * @returns a line for each forbidden word in them, with the key and the word to use.
 */
export function misused(texts: ReadonlyMap<string, string>, terms: readonly Term[]): string[] {
  const spoken = [...texts]
    .filter(([key]) => key !== SIGNED)
    .map(([key, text]) => [key, text.replaceAll(/\{+\w+\}+/g, '')] as const);
  return terms.flatMap((term) => {
    const isUsed = useOf(term);
    return spoken
      .filter(([key, text]) => isUsed(key, text))
      .map(([key, text]) => `${key}: not '${term.word}', say '${term.use}' (${text})`);
  });
}
