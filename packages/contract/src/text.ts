/**
 * The one rule for text that people type and other people read: on screens, in SMS, on receipts, on a locked phone. Without zod: the app
 * shows what will be kept. Kept is what can be seen; what cannot be seen is taken out, because its writer does not know that it is there
 * (it comes with pasting) and its reader can be deceived by it (a bidi override turns "exe.gpj" around, a zero-width space makes two names of
 * one, a line feed ends the header or the sentence it stands in).
 */

/** A zero-width joiner or non-joiner shapes the letters on both its sides in these scripts, and only there has it a place in a name. */
const indic =
  '[\\p{Script=Deva}\\p{Script=Beng}\\p{Script=Guru}\\p{Script=Gujr}\\p{Script=Orya}\\p{Script=Taml}\\p{Script=Telu}\\p{Script=Knda}\\p{Script=Mlym}\\p{Script=Sinh}]';
const lostJoiner = new RegExp(
  `(?<!(?=[\\p{L}\\p{M}])${indic})[\\u200C\\u200D]|[\\u200C\\u200D](?!(?=[\\p{L}\\p{M}])${indic})`,
  'gu',
);
const joinerRun = /([\u200C\u200D])[\u200C\u200D]+/gu;

/**
 * Bidi controls, zero-width characters, byte order marks, soft hyphens, fillers that look like a space, variation selectors, tags: whatever
 * Unicode calls a format control or says may be left out of what is shown. U+2800, the braille pattern without dots, is as empty as they are.
 */
const invisible = /(?![\u200C\u200D])[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Controls (but white space, which has its own rule), halves of surrogate pairs, private use, and code points that have no character yet. */
const unprintable = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u;
const unprintables = new RegExp(unprintable, 'gu');
/** No script stacks more marks on one letter; more of them run over the lines above and below. */
const surplusMarks = /(\p{M}{8})\p{M}+/gu;
/** Sorting marks for NFC takes the square of their number (25,000 took 2 s), so most of them go before it. */
const endlessMarks = /(\p{M}{32})\p{M}+/gu;

const lineEnd = /\r\n?|[\n\u0085\u2028\u2029\v\f]/gu;
const blanks = /[^\S\n]+/gu;

/**
 * Printable ASCII and the sign of the rupee with single spaces: clean already, and most of what phones say and every sum in a message. Without it a
 * check-in took three times as long to decode.
 */
const isPlain = (text: string): boolean => /^[!-~₹]+(?: [!-~₹]+)*$/.test(text);

/** NFC without what cannot be seen; line ends as one `\n`, every run of other white space one space. */
function normalised(text: string): string {
  return text
    .replace(lineEnd, '\n')
    .replace(invisible, '')
    .replace(joinerRun, '$1')
    .replace(lostJoiner, '')
    .replace(blanks, ' ')
    .replace(endlessMarks, '$1')
    .normalize('NFC')
    .replace(surplusMarks, '$1');
}

/** One line as it is kept: a name, a reference, a shop. Line ends and tabs become spaces. Cleaning twice changes nothing. */
export const cleanLine = (text: string): string =>
  isPlain(text) ? text : normalised(text).replace(/\s+/gu, ' ').trim();

/** Text of several lines as it is kept: line ends are `\n`, at most one empty line in a row, no blanks at the ends of lines. */
export const cleanNote = (text: string): string =>
  isPlain(text)
    ? text
    : normalised(text)
        .replace(/ ?\n ?/gu, '\n')
        .replace(/\n{3,}/gu, '\n\n')
        .trim();

/** Whether cleaned text is only what can be shown; line feeds are for notes alone and `cleanLine` leaves none. */
export const isShowable = (text: string): boolean => isPlain(text) || !unprintable.test(text.replaceAll('\n', ''));

/** Whether there is something to read: a letter or a digit, in any script. */
export const isReadable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Whether a name has a letter. */
export const hasLetter = (text: string): boolean => /\p{L}/u.test(text);

/**
 * What a machine says about itself (a browser's name, a phone's model, a network's operator), shown to people: never refused, because the
 * report it comes with matters more; what cannot be shown is left out and the rest is cut at `maxLength`.
 */
export const cleanMachineText = (text: string, maxLength: number): string =>
  text.length <= maxLength && isPlain(text)
    ? text
    : cleanLine(
        cleanLine(text.slice(0, 4 * maxLength).replace(unprintables, ' '))
          .slice(0, maxLength)
          .replace(/\p{Cs}/gu, ''),
      );

/**
 * @returns the text, with every number that may be an Aadhaar (12 digits) or stand for one (16) hidden but for its last four: what a file or a note says of it
 * is not kept. Digits in one piece that are fewer or more are a moment, an IMEI, a camera's count; in several pieces they may be an Aadhaar and a page.
 */
export const hideAadhaar = (text: string): string =>
  text.replaceAll(/\p{Nd}(?:[ .-]?\p{Nd}){11,}/gu, (number) => {
    const digits = number.replaceAll(/[ .-]/g, '');
    return digits === number && ![12, 16].includes(digits.length) ? number : `XXXX-${digits.slice(-4)}`;
  });
