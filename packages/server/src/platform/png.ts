import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { checkArea, UnusableImage, type Pixels } from './picture.ts';

/** PNG by its specification (W3C, third edition): 8-bit colour comes out, and nothing beside it. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const GREY = 0;
const RGB = 2;
const PALETTE = 3;
const GREY_ALPHA = 4;
const RGB_ALPHA = 6;
const SAMPLES: Record<number, number> = { [GREY]: 1, [RGB]: 3, [PALETTE]: 1, [GREY_ALPHA]: 2, [RGB_ALPHA]: 4 };
const DEPTHS: Record<number, readonly number[]> = {
  [GREY]: [1, 2, 4, 8, 16],
  [RGB]: [8, 16],
  [PALETTE]: [1, 2, 4, 8],
  [GREY_ALPHA]: [8, 16],
  [RGB_ALPHA]: [8, 16],
};

interface Parts {
  width: number;
  height: number;
  depth: number;
  colour: number;
  palette: Buffer;
  transparency: Buffer;
  packed: Buffer;
}

const refuse = (): never => {
  throw new UnusableImage('unreadable');
};

/**
 * @param mostPixels known from the header, before anything is unpacked.
 * @returns the picture. Interlaced and animated ones are refused; text, profiles and whatever follows the end are not read.
 * @throws UnusableImage also when a checksum or a length does not hold: a file cut off is no picture.
 */
export function readPng(bytes: Buffer, mostPixels: number): Pixels {
  const parts = partsOf(bytes, mostPixels);
  const rowBytes = Math.ceil((parts.width * (SAMPLES[parts.colour] as number) * parts.depth) / 8);
  const rows = unpack(parts.packed, parts.height * (rowBytes + 1));
  const step = Math.max(1, ((SAMPLES[parts.colour] as number) * parts.depth) >> 3);
  const { width, height } = parts;
  const image = { width, height, data: new Uint8Array(width * height * 4) };
  let before: Buffer = Buffer.alloc(rowBytes);
  for (let y = 0; y < height; y += 1) {
    const at = y * (rowBytes + 1);
    const row = rows.subarray(at + 1, at + 1 + rowBytes);
    unfilter(rows[at] as number, row, before, step);
    spread(parts, row, image.data, y * width * 4);
    before = row;
  }
  return image;
}

/** Exactly as many bytes as the header promises: neither a bomb nor a file that ends early. */
function unpack(packed: Buffer, length: number): Buffer {
  try {
    const rows = inflateSync(packed, { maxOutputLength: length });
    return rows.length === length ? rows : refuse();
  } catch {
    return refuse();
  }
}

/** Walks the chunks; each one's checksum must hold. */
function partsOf(bytes: Buffer, mostPixels: number): Parts {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) refuse();
  let parts: Parts | undefined;
  const packed: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) refuse();
    const name = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, end - 4);
    if (name === 'IHDR' && !parts) parts = header(body, mostPixels);
    else if (!parts) refuse();
    else if (name === 'IEND') return packed.length > 0 ? { ...parts, packed: Buffer.concat(packed) } : refuse();
    else if (name === 'IDAT') packed.push(body);
    else if (name === 'PLTE') parts.palette = body;
    else if (name === 'tRNS') parts.transparency = body;
    // A critical chunk (capital letter) that is not known, or a second header; 'acTL' begins an animation.
    else if (/^[A-Z]/.test(name) || name === 'acTL') refuse();
    at = end;
  }
  return refuse();
}

function header(body: Buffer, mostPixels: number): Parts {
  if (body.length !== 13) refuse();
  const [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
  const [depth, colour, compression, filter, interlace] = body.subarray(8) as unknown as number[];
  const isKnown = DEPTHS[colour as number]?.includes(depth as number) && !compression && !filter && !interlace;
  if (!isKnown) refuse();
  checkArea(width, height, mostPixels);
  const none = Buffer.alloc(0);
  return {
    width,
    height,
    depth: depth as number,
    colour: colour as number,
    palette: none,
    transparency: none,
    packed: none,
  };
}

/** Undoes a row's filter in place. @param step bytes of a pixel, at least 1. */
function unfilter(kind: number, row: Buffer, before: Buffer, step: number): void {
  if (kind > 4) refuse();
  if (kind === 0) return;
  for (let i = 0; i < row.length; i += 1) {
    const left = i < step ? 0 : (row[i - step] as number);
    const up = before[i] as number;
    const upLeft = i < step ? 0 : (before[i - step] as number);
    const guess = kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : paeth(left, up, upLeft);
    row[i] = (row[i] as number) + guess;
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const [byLeft, byUp, byBoth] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
  if (byLeft <= byUp && byLeft <= byBoth) return left;
  return byUp <= byBoth ? up : upLeft;
}

/** Writes a row as red, green, blue, alpha of 8 bits; of 16 bits the upper 8. */
function spread(parts: Parts, row: Buffer, into: Uint8Array, place: number): void {
  const { width, depth, colour } = parts;
  const samples = SAMPLES[colour] as number;
  const raw = (index: number): number => {
    if (depth === 8) return row[index] as number;
    if (depth === 16) return row.readUInt16BE(index * 2);
    return ((row[(index * depth) >> 3] as number) >> (8 - depth - ((index * depth) & 7))) & ((1 << depth) - 1);
  };
  if (colour === PALETTE) return spreadPalette(parts, raw, into, place);
  const level = (value: number) =>
    depth === 8 ? value : depth === 16 ? value >> 8 : (value * 255) / ((1 << depth) - 1);
  const isColour = colour === RGB || colour === RGB_ALPHA;
  const hasAlpha = colour === GREY_ALPHA || colour === RGB_ALPHA;
  const [clearRed, clearGreen, clearBlue] = clearColour(parts, samples);
  for (let x = 0; x < width; x += 1) {
    const from = x * samples;
    const red = raw(from);
    const green = isColour ? raw(from + 1) : red;
    const blue = isColour ? raw(from + 2) : red;
    const at = place + x * 4;
    into[at] = level(red);
    into[at + 1] = level(green);
    into[at + 2] = level(blue);
    const isClear = red === clearRed && green === clearGreen && blue === clearBlue;
    into[at + 3] = hasAlpha ? level(raw(from + samples - 1)) : isClear ? 0 : 255;
  }
}

/** @returns the one colour that a picture without an alpha channel may declare to be clear. */
function clearColour({ transparency }: Parts, samples: number): (number | undefined)[] {
  if (transparency.length !== samples * 2) return [];
  return [0, 1, 2].map((channel) => transparency.readUInt16BE(samples === 1 ? 0 : channel * 2));
}

function spreadPalette(parts: Parts, raw: (index: number) => number, into: Uint8Array, place: number): void {
  const { width, palette, transparency } = parts;
  for (let x = 0; x < width; x += 1) {
    const index = raw(x);
    if (index * 3 + 2 >= palette.length) refuse();
    for (let channel = 0; channel < 3; channel += 1)
      into[place + x * 4 + channel] = palette[index * 3 + channel] as number;
    into[place + x * 4 + 3] = transparency[index] ?? 255;
  }
}

const chunk = (name: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** @param rows each with the number of its filter in front */
function fileOf(width: number, height: number, depth: number, colour: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour], 8);
  const packed = deflateSync(rows, { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
}

/** @returns a PNG of these pixels and nothing else; without an alpha channel where all is opaque. */
export function writePng({ width, height, data }: Pixels): Buffer {
  let isOpaque = true;
  for (let at = 3; at < data.length && isOpaque; at += 4) isOpaque = data[at] === 255;
  const samples = isOpaque ? 3 : 4;
  const rows = Buffer.alloc(height * (width * samples + 1));
  for (let y = 0; y < height; y += 1) {
    const start = y * (width * samples + 1);
    // Each byte as its difference to the pixel on its left: lines on paper pack well.
    rows[start] = 1;
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < samples; channel += 1) {
        const from = (y * width + x) * 4 + channel;
        rows[start + 1 + x * samples + channel] = (data[from] as number) - (x === 0 ? 0 : (data[from - 4] as number));
      }
  }
  return fileOf(width, height, 8, isOpaque ? RGB : RGB_ALPHA, rows);
}

/** @returns a PNG of black and white, one bit a pixel. */
export function writeBlackAndWhite(width: number, height: number, isWhite: (x: number, y: number) => boolean): Buffer {
  const rowBytes = Math.ceil(width / 8) + 1;
  const rows = Buffer.alloc(height * rowBytes);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * rowBytes + 1 + (x >> 3);
      if (isWhite(x, y)) rows[at] = (rows[at] as number) | (0x80 >> (x & 7));
    }
  return fileOf(width, height, 1, GREY, rows);
}
