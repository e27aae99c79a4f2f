import { latinSpelling, type Spelling, spelling } from './sound-latin.ts';

/**
 * Names by sound: what is typed in one script is found where it was written in another, or otherwise in the same. Between Latin letters and the scripts of India
 * the consonants are compared; vowels, aspiration and the half sounds between them are spelt in too many ways.
 * Scripts of India stand in Unicode in the same order, a block of 128 each, so that one table serves them all.
 * @see https://www.unicode.org/charts/ Devanagari 0900 … Malayalam 0D00
 */
const FIRST_BLOCK = 0x0900;
const LAST_BLOCK = 0x0d00;
const BLOCK = 0x80;
const BLOCKS = Array.from({ length: (LAST_BLOCK - FIRST_BLOCK) / BLOCK + 1 }, (_, n) => FIRST_BLOCK + n * BLOCK);
const TAMIL = 0x0b80;
const TAMIL_I = TAMIL + 0x07;
const BENGALI = 0x0980;

/** Sounds → their letters, as places in a block. */
const LETTERS: Record<string, readonly number[]> = {
  k: [0x15, 0x16, 0x58, 0x59],
  g: [0x17, 0x18, 0x5a],
  c: [0x1a, 0x1b],
  j: [0x1c, 0x1d, 0x5b],
  t: [0x1f, 0x20, 0x24, 0x25],
  d: [0x21, 0x22, 0x26, 0x27, 0x5c, 0x5d],
  n: [0x19, 0x1e, 0x23, 0x28, 0x29],
  p: [0x2a],
  f: [0x2b, 0x5e],
  b: [0x2c, 0x2d],
  m: [0x2e],
  y: [0x2f, 0x5f],
  r: [0x30, 0x31, 0x0b, 0x43],
  l: [0x32, 0x33, 0x34],
  v: [0x35],
  s: [0x36, 0x37, 0x38],
  h: [0x39],
};
/** A script with fewer letters says several sounds with one. */
const SHARED: Partial<Record<string, readonly (readonly [block: number, place: number])[]>> = {
  g: [[TAMIL, 0x15]],
  d: [
    [TAMIL, 0x1f],
    [TAMIL, 0x24],
  ],
  b: [[TAMIL, 0x2a]],
  f: [[TAMIL, 0x2a]],
  h: [[TAMIL, 0x15]],
  s: [[TAMIL, 0x1a]],
  v: [[BENGALI, 0x2c]],
};
const AU_SIGN = 0x4c;
const NASALS = [0x01, 0x02, 0x70];

/** Sounds → how they are spelt in Latin letters. */
const LATIN: Record<string, string> = {
  k: '(?:[kq]+|c+)',
  g: 'g+',
  c: 'c+h*',
  j: '[jz]+',
  t: 't+',
  d: 'd+',
  n: 'n+',
  p: 'p+',
  f: '(?:ph|f+)',
  b: 'b+',
  m: 'm+',
  y: '[yj]',
  r: 'r+',
  l: 'l+',
  // राव is written Rao.
  v: '(?:[vw]+|[ou]+)',
  s: '(?:s+|sh)',
  h: 'h',
};
const LATIN_GAP = '[aeiouyh]*';
const isSound = (char: string) =>
  BLOCKS.some((block) => char.charCodeAt(0) >= block && char.charCodeAt(0) < block + BLOCK);
const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
const everywhere = (places: readonly number[]) => BLOCKS.flatMap((block) => places.map((place) => block + place));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const classOf = (codes: readonly number[]) => `[${codes.map(escaped).join('')}]`;
/** Signs of vowels, silence and breath, h and y. */
const INDIC_GAP = `${classOf([...everywhere([0x03, 0x2f, 0x39, 0x3c, ...range(0x3e, 0x42), ...range(0x44, 0x4d), 0x71]), 0x200c, 0x200d])}*`;
const INDIC_VOWELS = classOf(everywhere(range(0x05, 0x14)));

const soundAt = (place: number) => Object.keys(LETTERS).find((sound) => LETTERS[sound]!.includes(place));
/** The sounds that a letter of a script may stand for. */
function soundsOf(code: number): string[] {
  const place = code % BLOCK;
  const own = soundAt(place);
  const shared = Object.keys(SHARED).filter((sound) => SHARED[sound]!.some(([block, at]) => block + at === code));
  return own ? [own, ...shared] : [];
}

/** The letters of a sound, those that a script with fewer has for it among them. */
const codesOf = (sound: string): number[] => [
  ...everywhere(LETTERS[sound]!),
  ...(SHARED[sound] ?? []).map(([block, place]) => block + place),
];

/** @returns the text with the digits of every script as 0 to 9: numbers are kept so. */
export const plainDigits = (text: string): string =>
  text.replaceAll(INDIC_DIGIT, (digit) => String((digit.charCodeAt(0) % BLOCK) - DIGIT_NOUGHT));
const DIGIT_NOUGHT = 0x66;
const INDIC_DIGIT = new RegExp(classOf(everywhere(range(DIGIT_NOUGHT, DIGIT_NOUGHT + 9))), 'gu');

/** Letters of one sound, doubled too: म्म is म, silence and म. */
const said = (codes: readonly number[], times = '+') => `(?:${classOf(codes)}${HUSH})${times}`;
const HUSH = `${classOf(everywhere([0x3c, 0x4d]))}*`;
const lettersOf = (sound: string) => classOf(everywhere(LETTERS[sound]!));
const VIRAMA = classOf(everywhere([0x4d]));
/** क्ष and what sounds so, which Latin letters write as ksh or x, and Tamil as ட்ச too. */
const KSH_SIGN = new RegExp(
  `${classOf(everywhere([0x15]))}${VIRAMA}${lettersOf('s')}|\\u0b9f\\u0bcd\\u0b9a\\u0bc1?`,
  'gu',
);
const KSH = `(?:${lettersOf('k')}${INDIC_GAP}${lettersOf('s')}|\\u0b9f\\u0bcd\\u0b9a)${INDIC_GAP}`;

/** ज्ञ, which is said in as many ways as there are regions: Dnyaneshwar, Gyaneshwar, Jnaneshwar. */
const JNY_LETTERS = `${classOf(everywhere([0x1c]))}${VIRAMA}${classOf(everywhere([0x1e]))}`;
const JNY_SIGN = new RegExp(JNY_LETTERS, 'gu');
const JNY_ENDS = classOf(everywhere([...LETTERS['d']!, ...LETTERS['g']!, ...LETTERS['j']!]));
const JNY = `(?:${JNY_LETTERS}|${JNY_ENDS}${INDIC_GAP}(?:${lettersOf('n')})?)${INDIC_GAP}`;
const LATIN_JNY = /dny|gny|gy|jny?/g;

/** Tamil puts an i before a name that begins with r or l, or does not: இராமன், ராமன். */
const TAMIL_LEAD = /^\u0b87(?=[\u0bb0\u0bb2](?!\u0bcd))/u;

/** A word of an Indian script with x and j for what is one sound there, and doubled consonants once. */
const joined = (word: string): string[] =>
  Array.from(word.replace(TAMIL_LEAD, '').replaceAll(KSH_SIGN, 'x').replaceAll(JNY_SIGN, 'j')).filter(
    (char, n, all) => n < 2 || !isDouble(all[n - 2]!, all[n - 1]!, char),
  );
const isDouble = (first: string, between: string, second: string): boolean => {
  const own = soundsOf(first.charCodeAt(0))[0];
  return own !== undefined && between.charCodeAt(0) % BLOCK === 0x4d && soundsOf(second.charCodeAt(0))[0] === own;
};

/** A word of an Indian script → how it may be spelt in Latin letters. */
function latinOf(word: string): string {
  let pattern = TAMIL_LEAD.test(word) ? 'i*' : '';
  for (const char of joined(word)) {
    if (char === 'x') {
      pattern += `(?:x|k+h?s+|t+c+)${LATIN_GAP}`;
      continue;
    }
    if (char === 'j') {
      pattern += `(?:dn|gn?|jn|n)${LATIN_GAP}`;
      continue;
    }
    const code = char.charCodeAt(0);
    const place = code % BLOCK;
    const sounds = soundsOf(code);
    const isFirst = pattern === '';
    if (NASALS.includes(place)) pattern += `[nm]+g?${LATIN_GAP}`;
    else if (isFirst && sounds.length === 0) pattern += `[aeiou]${LATIN_GAP}`;
    // चौधरी is written Chowdhary.
    else if (place === AU_SIGN) pattern += 'w?';
    else if (sounds.length === 0) continue;
    else if (sounds[0] === 'h' || sounds[0] === 'y') pattern += isFirst ? LATIN[sounds[0]]! + LATIN_GAP : '';
    else pattern += `(?:${sounds.map((sound) => LATIN[sound]!).join('|')})${LATIN_GAP}`;
  }
  return pattern;
}

/** A word in Latin letters → how it may be written in any of the scripts. */
function indicOf(word: string): string {
  const heard = word
    .replaceAll(LATIN_JNY, 'J')
    .replaceAll(/x|k+h?s+h*/g, 'X')
    .replaceAll(/c+h+/g, 'C')
    .replaceAll('ph', 'f')
    .replaceAll(/[cq]/g, 'k')
    .replaceAll('C', 'c')
    .replaceAll('w', 'v')
    .replaceAll('z', 'j')
    .replaceAll(/(.)\1+/g, '$1');
  let pattern = /^[rl]/.test(heard) ? `${escaped(TAMIL_I)}?` : '';
  let before = '';
  for (const sound of heard) {
    if (sound === 'J' || sound === 'X') {
      pattern += sound === 'J' ? JNY : KSH;
      before = sound;
      continue;
    }
    const isFirst = before === '';
    const codes = sound in LETTERS ? codesOf(sound) : undefined;
    if (!codes) pattern += isFirst ? `${INDIC_VOWELS}${INDIC_GAP}` : '';
    // Tamil writes the breath within a word as k; the rest of India leaves it to be guessed.
    else if (sound === 'h' && !isFirst) pattern += `${classOf([TAMIL + 0x15])}?${INDIC_GAP}`;
    else if (sound === 'y' && !isFirst) continue;
    else if (sound === 'n' || sound === 'm') pattern += said([...codes, ...everywhere(NASALS)]) + INDIC_GAP;
    else pattern += said(codes, sound === 'g' && before === 'n' ? '*' : '+') + INDIC_GAP;
    before = sound;
  }
  // Rao is written राव.
  return /[aeiou][ou]$/.test(word) ? `${pattern}${classOf(everywhere(LETTERS['v']!))}?${INDIC_GAP}` : pattern;
}

/** Vowels → their letters and signs, the long with the short. */
const VOWELS = [
  [0x05, 0x06, 0x3e],
  [0x07, 0x08, 0x3f, 0x40],
  [0x09, 0x0a, 0x41, 0x42],
  [...range(0x0d, 0x10), ...range(0x45, 0x48)],
  [...range(0x11, 0x14), ...range(0x49, 0x4c)],
];
const SILENT = `${classOf([...everywhere([0x03, 0x3c, 0x4d, 0x71]), 0x200c, 0x200d])}*`;
const NASAL = classOf(everywhere([...NASALS, ...LETTERS['n']!, ...LETTERS['m']!]));

/**
 * A word of an Indian script → how else it may be written, in its own and in the others. Their vowels are the same ones, so that they count: सुनिता is सुनीता and
 * not सनत.
 */
function indicSpelling(word: string, isShort: boolean): Spelling {
  let stem = '';
  let vowel: string | undefined;
  for (const char of joined(word)) {
    if (vowel !== undefined) stem += `${vowel}+${SILENT}`;
    const code = char.charCodeAt(0);
    const place = code % BLOCK;
    const family = VOWELS.find((places) => places.includes(place));
    vowel = family && classOf(everywhere(family));
    if (vowel === undefined) stem += consonantOf(char, stem === '');
  }
  return spelling(stem, vowel ?? '', isShort);
}

function consonantOf(char: string, isFirst: boolean): string {
  if (char === 'x') return KSH;
  if (char === 'j') return JNY;
  const code = char.charCodeAt(0);
  if (NASALS.includes(code % BLOCK)) return `${NASAL}${SILENT}`;
  const sounds = soundsOf(code);
  const [own] = sounds;
  if (own === undefined) return '';
  const codes = sounds.flatMap(codesOf);
  if (own === 'n' || own === 'm') return said([...codes, ...everywhere(NASALS)]) + SILENT;
  if (own === 'h' && !isFirst) return `${classOf([...codes, TAMIL + 0x15])}?${SILENT}`;
  return said(codes, own === 'y' && !isFirst ? '*' : '+') + SILENT;
}

/**
 * @returns how a word may be written, in its own script and in the others, as parts of a regular expression; of one consonant alone the whole word is
 * meant (ओम). None where no consonant is heard.
 */
export function spellingsOf(word: string): readonly Spelling[] {
  const isIndic = Array.from(word).some(isSound);
  if (!isIndic && !/^[a-z]+$/.test(word)) return [];
  const consonants = isIndic
    ? joined(word).filter((char) => /[xj]/.test(char) || soundsOf(char.charCodeAt(0)).length > 0).length
    : word.replaceAll(/(.)\1+/g, '$1').replaceAll(/[aeiouyh]/g, '').length;
  if (consonants === 0) return [];
  const isShort = consonants === 1;
  return isIndic
    ? [indicSpelling(word, isShort), spelling(latinOf(word), '', isShort)]
    : [latinSpelling(word, isShort), spelling(indicOf(word), '', isShort)];
}

/** @returns the word as it would be written in Devanagari: what stands in a list once is known in every script. */
export const inDevanagari = (word: string): string =>
  word.replaceAll(/[\u0900-\u0d7f]/g, (char) => String.fromCharCode(FIRST_BLOCK + (char.charCodeAt(0) % BLOCK)));

/** @returns a word of Devanagari as it may stand in every script. */
export const everyScript = (word: string): string =>
  Array.from(word, (char) => (isSound(char) ? classOf(everywhere([char.charCodeAt(0) % BLOCK])) : char)).join('');
