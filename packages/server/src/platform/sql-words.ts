/** Words of the code's own (never a given one) as SQL lists them: `in (${listed(WORDS)})`. */
export const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
