import { END, type Spelling, START } from './sound-latin.ts';
import { everyScript, inDevanagari, plainDigits, spellingsOf } from './sound.ts';

/** Beyond these a search says nothing more. */
const WORDS_AT_MOST = 8;

/** How people are addressed, which is not what they are called; of the scripts of India each stands once, whatever the script. */
const ADDRESSES = new Set(
  [
    'mr mrs ms miss mister missus dr sir madam mam',
    'shri shree sri sree smt shrimati shreemati srimati kum ku ji jee bhai bhaiya bhau ben behn behen bahen didi dada tai',
    'saheb sahab sahib saab janab anna akka garu avaru thiru tmt',
    'श्री श्रीमती श्रीमान सुश्री सौ कु जी भाई भैया भाऊ बेन बहन बहेन दीदी दादा ताई साहब साहेब साब सर मैडम मिस मिस्टर मिसेज डॉ जनाब',
    'ਸ੍ਰੀ ਸ਼੍ਰੀ ਸ੍ਰੀਮਤੀ ਸ਼੍ਰੀਮਤੀ ਭੈਣ ਸਾਹਿਬ শ্রীমতি জি দিদি திரு திருமதி ஜி ஐயா அண்ணா அக்கா சார்',
    'శ్రీమతి గారు అన్న అక్క ಶ್ರೀಮತಿ ಅವರು ಅಣ್ಣ ಅಕ್ಕ',
  ].flatMap((line) => line.normalize('NFC').split(' ').map(inDevanagari)),
);
/** Those that people write as the end of the name itself: Rameshbhai, Lakshmiji. */
const ADDRESS_END = /(?:ji|jee|bhai|bhau|ben|behn|bahen|saheb|sahab|garu|जी|भाई|भाऊ|बेन|बहेन|साहेब|साहब|गारु)$/;
const STEM_AT_LEAST = 3;

/** Names that are written short as often as not, as they are spelt whole and short. */
const SHORTENED = [
  { whole: ['mohammad', 'mahammad', 'mohmad'], short: ['md', 'mohd', 'mohmd', 'mo', 'मो', 'मोह', 'मोः'] },
  { whole: ['shaikh'], short: ['sk'] },
  { whole: ['kumar'], short: ['kr'] },
].map(({ whole, short }) => {
  const spelt = whole.flatMap(spellingsOf);
  return {
    short,
    isWhole: new RegExp(`^${anyWhole(spelt)}$`, 'u'),
    spellings: [...spelt, ...short.map((word) => ({ whole: everyScript(word) }))].map(wholeOnly),
  };
});

/** Only as a whole word: what it would be the beginning of is another name. */
function wholeOnly({ whole }: Spelling): Spelling {
  return { whole };
}
function anyWhole(spellings: readonly Spelling[]): string {
  return `${START}(?:${[...new Set(spellings.map(({ whole }) => whole))].join('|')})${END}`;
}

/** How a word may stand in what is searched, as regular expressions which PostgreSQL and a browser read alike: as a whole word, and as whole or beginning. */
export interface Sound {
  begins: string;
  whole: string;
}

/** @returns undefined where there is no other way to write the word. */
export function soundOf(word: string): Sound | undefined {
  const spellings = /\d/.test(word) ? gluedSpellings(word) : otherSpellings(word);
  if (spellings.length === 0) return undefined;
  const begins = new Set(spellings.map(({ begins: start, whole }) => start ?? `${whole}${END}`));
  return { begins: `${START}(?:${[...begins].join('|')})`, whole: anyWhole(spellings) };
}

function otherSpellings(word: string): readonly Spelling[] {
  const name = inDevanagari(word);
  const known = SHORTENED.find(({ short, isWhole }) => short.includes(name) || isWhole.test(word));
  // What sounds like a name written short is many names: only who is called just so.
  if (known?.short.includes(name)) return [...spellingsOf(word).map(wholeOnly), ...known.spellings];
  const end = ADDRESS_END.exec(name)?.[0] ?? '';
  const stem = end && word.length - end.length >= STEM_AT_LEAST ? word.slice(0, -end.length) : '';
  return [...spellingsOf(word), ...(known?.spellings ?? []), ...spellingsOf(stem).map(wholeOnly)];
}

/** Of letters and digits in one piece, as a model is typed: redmi13c is Redmi 13C. */
function gluedSpellings(word: string): readonly Spelling[] {
  if (isNumber(word)) return [];
  const pieces = word.match(/\d+|[\p{L}\p{M}]+/gu) ?? [];
  if (pieces.length < 2) return [];
  const whole = pieces
    .map((piece) =>
      /^[\da-z]+$/.test(piece) ? piece : `(?:${[piece, ...spellingsOf(piece).map((one) => one.whole)].join('|')})`,
    )
    .join('[ -]?');
  return [{ whole, begins: whole }];
}

export const isNumber = (word: string): boolean => /^[+\d().-]+$/.test(word);

/** What a word says without the signs around and within it; of a number and of what has digits they belong to it. */
function lettersOf(word: string): readonly string[] {
  if (!/\d/.test(word)) return word.split(/[^\p{L}\p{M}\u200c\u200d]+/u).filter(Boolean);
  return [isNumber(word) ? word : word.replaceAll(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '')];
}

/**
 * The words of a search.
 * @returns `all` in their order, and those that whoever is found `needs` to have: a form of address is one of them only where nothing else was typed.
 */
export function wordsOf(search: string): { all: readonly string[]; needed: readonly string[] } {
  const typed = plainDigits(search.normalize('NFC'))
    .toLowerCase()
    .split(/[\s,•]+/)
    .filter(Boolean);
  const words = typed.flatMap(lettersOf);
  // Whoever typed nothing but signs finds who has them, not everybody.
  const all = (words.length > 0 ? words : typed).slice(0, WORDS_AT_MOST);
  const names = all.filter((word) => !ADDRESSES.has(inDevanagari(word)));
  return { all, needed: names.length > 0 ? names : all };
}
