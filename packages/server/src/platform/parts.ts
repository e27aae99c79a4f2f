/** So many parts a table that is too large for one night is looked at in, one a night: all of it within a week. */
export const PARTS = 7;

/** In which part a row is, 0 to 6, wherever it is asked; it stays there. @param id SQL of its id */
export const partOf = (id: string): string => `mod(abs(hashtext(${id}::text)::bigint), ${PARTS})`;
