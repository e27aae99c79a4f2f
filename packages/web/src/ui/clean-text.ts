/** @returns a function that keeps at most so many digits. */
export const digits =
  (most: number) =>
  (text: string): string =>
    text.replace(/\D/g, '').slice(0, most);

const PAN_LENGTH = 10;
/** A PAN as it is printed: capitals and digits. */
export const panLetters = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, PAN_LENGTH);
