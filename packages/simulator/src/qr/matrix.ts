import { correctBlock } from './galois.ts';

/** Whether the module at (x, y) is dark; x to the right, y down. */
export type Module = (x: number, y: number) => boolean;

/** ISO/IEC 18004, table 9: check bytes in a block and number of blocks, for versions 1–40 at L, M, Q, H. */
const ECC_PER_BLOCK = [
  [
    7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ],
  [
    13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
  [
    17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30, 30,
    30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
  ],
] as const;
const BLOCKS = [
  [
    1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19,
    20, 21, 22, 24, 25,
  ],
  [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
    35, 37, 38, 40, 43, 45, 47, 49,
  ],
  [
    1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45,
    48, 51, 53, 56, 59, 62, 65, 68,
  ],
  [
    1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51,
    54, 57, 60, 63, 66, 70, 74, 77, 81,
  ],
] as const;
/** Two format bits → row of the tables. */
const LEVEL_OF_BITS = [1, 0, 3, 2] as const;

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** @returns centres of the alignment patterns along one axis. */
function alignmentPlaces(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - index * step).reverse()];
}

/** Reads a sampled code. @returns its text; undefined when it cannot be mended. */
export function readMatrix(version: number, dark: Module): string | undefined {
  const size = version * 4 + 17;
  const format = readFormat(size, dark);
  if (!format) return undefined;
  const codewords = readCodewords(version, size, dark, MASKS[format.mask]!);
  const data = mend(codewords, version, format.level);
  return data && readText(data, version);
}

/** The 15 format bits stand twice; the nearest valid word within 3 errors counts. */
function readFormat(size: number, dark: Module): { level: number; mask: number } | undefined {
  const near = [0, 1, 2, 3, 4, 5, 7, 8];
  const first = [...near.map((y) => dark(8, y)), ...[7, 5, 4, 3, 2, 1, 0].map((x) => dark(x, 8))];
  const second = [
    ...Array.from({ length: 8 }, (_, index) => dark(size - 1 - index, 8)),
    ...Array.from({ length: 7 }, (_, index) => dark(8, size - 7 + index)),
  ];
  let best = { distance: 4, word: -1 };
  for (let word = 0; word < 32; word += 1) {
    const bits = formatBits(word);
    for (const seen of [first, second]) {
      const distance = seen.reduce(
        (count, bit, index) => count + (bit === ((bits >> index) & 1 ? true : false) ? 0 : 1),
        0,
      );
      if (distance < best.distance) best = { distance, word };
    }
  }
  return best.word < 0 ? undefined : { level: LEVEL_OF_BITS[best.word >> 3]!, mask: best.word & 7 };
}

function formatBits(word: number): number {
  let rest = word;
  for (let bit = 0; bit < 10; bit += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  return ((word << 10) | rest) ^ 0x5412;
}

function isFunction(version: number, size: number, places: number[], x: number, y: number): boolean {
  if (x === 6 || y === 6) return true;
  const isCorner = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8);
  if (isCorner) return true;
  if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true;
  const near = (value: number) => places.find((place) => Math.abs(place - value) <= 2);
  const [column, row] = [near(x), near(y)];
  if (column === undefined || row === undefined) return false;
  const last = places.at(-1);
  const isFinder = (column === 6 && (row === 6 || row === last)) || (column === last && row === 6);
  return !isFinder;
}

/** Two columns at a time, right to left, up and down in turn. */
function readCodewords(
  version: number,
  size: number,
  dark: Module,
  mask: (x: number, y: number) => boolean,
): Uint8Array {
  const places = alignmentPlaces(version);
  const bits: boolean[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let index = 0; index < size; index += 1) {
      const y = isUp ? size - 1 - index : index;
      for (const x of [right, right - 1]) {
        if (!isFunction(version, size, places, x, y)) bits.push(dark(x, y) !== mask(x, y));
      }
    }
    isUp = !isUp;
  }
  const codewords = new Uint8Array(Math.floor(bits.length / 8));
  for (const [index, bit] of bits.entries()) {
    const at = index >> 3;
    if (bit && at < codewords.length) codewords[at] = codewords[at]! | (0x80 >> (index & 7));
  }
  return codewords;
}

/** Takes the interleaved blocks apart and mends each. @returns the data bytes; undefined when one is beyond mending. */
function mend(codewords: Uint8Array, version: number, level: number): Uint8Array | undefined {
  const count = BLOCKS[level]![version - 1]!;
  const ecc = ECC_PER_BLOCK[level]![version - 1]!;
  const shortCount = count - (codewords.length % count);
  const shortData = Math.floor(codewords.length / count) - ecc;
  const blocks = Array.from(
    { length: count },
    (_, index) => new Uint8Array(shortData + ecc + (index < shortCount ? 0 : 1)),
  );
  let at = 0;
  for (let column = 0; column <= shortData; column += 1) {
    for (const [index, block] of blocks.entries()) {
      if (column < shortData || index >= shortCount) block[column] = codewords[at++]!;
    }
  }
  for (let column = 0; column < ecc; column += 1)
    for (const block of blocks) block[block.length - ecc + column] = codewords[at++]!;
  const parts: number[] = [];
  for (const block of blocks) {
    if (!correctBlock(block, ecc)) return undefined;
    parts.push(...block.subarray(0, block.length - ecc));
  }
  return Uint8Array.from(parts);
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** Segments: digits, capitals, bytes (UTF-8). Anything else is not what a provisioning QR holds. */
function readText(data: Uint8Array, version: number): string | undefined {
  let at = 0;
  const take = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index += 1, at += 1)
      value = (value << 1) | (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const long = version >= 27 ? 2 : version >= 10 ? 1 : 0;
  const bytes: number[] = [];
  const push = (text: string) => bytes.push(...Buffer.from(text));
  while (at + 4 <= data.length * 8) {
    const mode = take(4);
    if (mode === 0) break;
    if (mode === 4) {
      for (let count = take([8, 16, 16][long]!); count > 0; count -= 1) bytes.push(take(8));
    } else if (mode === 1) {
      for (let count = take([10, 12, 14][long]!); count > 0; count -= 3) {
        const digits = Math.min(3, count);
        push(String(take([0, 4, 7, 10][digits]!)).padStart(digits, '0'));
      }
    } else if (mode === 2) {
      for (let count = take([9, 11, 13][long]!); count > 0; count -= 2) {
        const value = take(count > 1 ? 11 : 6);
        push(count > 1 ? ALPHANUMERIC[Math.floor(value / 45)]! + ALPHANUMERIC[value % 45]! : ALPHANUMERIC[value]!);
      }
    } else if (mode === 7) take(8);
    else return undefined;
  }
  return Buffer.from(bytes).toString('utf8');
}
