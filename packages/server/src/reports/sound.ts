/**
 * Names by sound, across scripts: what is typed in one is found where it was written in another. The consonants are compared; vowels, aspiration and the
 * half sounds between them are spelt in too many ways. Scripts of India stand in Unicode in the same order, a block of 128 each, so that one table serves them all.
 * @see https://www.unicode.org/charts/ Devanagari 0900 … Malayalam 0D00
 */
const FIRST_BLOCK = 0x0900;
const LAST_BLOCK = 0x0d00;
const BLOCK = 0x80;
const BLOCKS = Array.from({ length: (LAST_BLOCK - FIRST_BLOCK) / BLOCK + 1 }, (_, n) => FIRST_BLOCK + n * BLOCK);
const TAMIL = 0x0b80;
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

/** @returns the text with the digits of every script as 0 to 9: numbers are kept so. */
export const plainDigits = (text: string): string =>
  text.replaceAll(INDIC_DIGIT, (digit) => String((digit.charCodeAt(0) % BLOCK) - DIGIT_NOUGHT));
const DIGIT_NOUGHT = 0x66;
const INDIC_DIGIT = new RegExp(classOf(everywhere(range(DIGIT_NOUGHT, DIGIT_NOUGHT + 9))), 'gu');

/** क्ष, which Latin letters write as ksh or x. */
const KSH = new RegExp(
  `${classOf(everywhere([0x15]))}${classOf(everywhere([0x4d]))}${classOf(everywhere([0x37]))}`,
  'gu',
);

/** ज्ञ, which is said in as many ways as there are regions: Dnyaneshwar, Gyaneshwar, Jnaneshwar. */
const JNY = `${classOf(everywhere([0x1c]))}${classOf(everywhere([0x4d]))}${classOf(everywhere([0x1e]))}`;
const JNY_SIGN = new RegExp(JNY, 'gu');
const LATIN_JNY = /dny|gny|gy|jny?/g;

/** A word of an Indian script → how it may be spelt in Latin letters. */
function latinOf(word: string): string {
  let pattern = '';
  for (const char of word.replaceAll(KSH, 'x').replaceAll(JNY_SIGN, 'j')) {
    if (char === 'x') {
      pattern += `(?:x|k+s+)${LATIN_GAP}`;
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
    else if (sounds.length === 0) pattern += isFirst ? `[aeiou]${LATIN_GAP}` : '';
    else if (sounds[0] === 'h' || sounds[0] === 'y') pattern += isFirst ? LATIN[sounds[0]]! + LATIN_GAP : '';
    else pattern += `(?:${sounds.map((sound) => LATIN[sound]!).join('|')})${LATIN_GAP}`;
  }
  return pattern;
}

/** A word in Latin letters → how it may be written in any of the scripts. */
function indicOf(word: string): string {
  const heard = word
    .replaceAll(LATIN_JNY, 'J')
    .replaceAll('x', 'ks')
    .replaceAll(/c+h+/g, 'C')
    .replaceAll('ph', 'f')
    .replaceAll(/[cq]/g, 'k')
    .replaceAll('C', 'c')
    .replaceAll('w', 'v')
    .replaceAll('z', 'j')
    .replaceAll(/(.)\1+/g, '$1');
  let pattern = '';
  let before = '';
  for (const sound of heard) {
    if (sound === 'J') {
      const [ends, nose] = [[...LETTERS['d']!, ...LETTERS['g']!, ...LETTERS['j']!], LETTERS['n']!].map((at) =>
        classOf(everywhere(at!)),
      );
      pattern += `(?:${JNY}|${ends}${INDIC_GAP}(?:${nose})?)${INDIC_GAP}`;
      continue;
    }
    const letters = LETTERS[sound];
    const isFirst = pattern === '';
    const codes = letters && [...everywhere(letters), ...(SHARED[sound] ?? []).map(([block, at]) => block + at)];
    if (!codes) pattern += isFirst ? `${INDIC_VOWELS}${INDIC_GAP}` : '';
    // Tamil writes the breath within a word as k; the rest of India leaves it to be guessed.
    else if (sound === 'h' && !isFirst) pattern += `${classOf([TAMIL + 0x15])}?${INDIC_GAP}`;
    else if (sound === 'y' && !isFirst) continue;
    else if (sound === 'n' || sound === 'm') pattern += `${classOf([...codes, ...everywhere(NASALS)])}${INDIC_GAP}`;
    else pattern += `${classOf(codes)}${sound === 'g' && before === 'n' ? '?' : ''}${INDIC_GAP}`;
    before = sound;
  }
  // Rao is written राव.
  return /[aeiou][ou]$/.test(word) ? `${pattern}${classOf(everywhere(LETTERS['v']!))}?${INDIC_GAP}` : pattern;
}

/**
 * @returns a regular expression of PostgreSQL for a word as it may be written in the other script, at the beginning of a word; of one consonant alone the
 * whole word (ओम). Undefined where none is heard.
 */
export function soundOf(word: string): string | undefined {
  const isIndic = Array.from(word).some(isSound);
  const isLatin = /^[a-z]+$/.test(word);
  if (!isIndic && !isLatin) return undefined;
  const consonants = isIndic
    ? Array.from(word).filter((char) => soundsOf(char.charCodeAt(0)).length > 0).length
    : word.replaceAll(/[aeiouyh]/g, '').length;
  if (consonants === 0) return undefined;
  return `(^| )${isIndic ? latinOf(word) : indicOf(word)}${consonants === 1 ? '( |$)' : ''}`;
}
