import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** How a pixel is written: 1 bit of black or white, or 8 bits each of red, green and blue. */
const FORMATS = {
  bits: { bitDepth: 1, colourType: 0, bytesPerRow: (width: number) => Math.ceil(width / 8) },
  rgb: { bitDepth: 8, colourType: 2, bytesPerRow: (width: number) => 3 * width },
} as const;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/**
 * A PNG (RFC 2083) without filters: what is drawn here has few colours and long runs, which deflate packs as well as any filter would.
 * @param row fills one row of pixels, whose bytes come zeroed
 */
export function encodePng(
  format: keyof typeof FORMATS,
  width: number,
  height: number,
  row: (y: number, bytes: Buffer) => void,
): Buffer {
  const { bitDepth, colourType, bytesPerRow } = FORMATS[format];
  const stride = bytesPerRow(width) + 1;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) row(y, pixels.subarray(y * stride + 1, (y + 1) * stride));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
}

/** Red, green and blue of every pixel, 8 bits each, row by row. */
export interface Pixels {
  width: number;
  height: number;
  rgb: Buffer;
}

/**
 * Reads a PNG of ours: 8 bits of red, green and blue, not interlaced, as the build makes its icons.
 * @returns undefined for any other
 */
export function decodeRgbPng(png: Buffer): Pixels | undefined {
  if (png.length < 33 || !png.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png.readUInt8(24) !== 8 || png.readUInt8(25) !== 2 || png.readUInt8(28) !== 0) return undefined;
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const stride = 3 * width;
  const raw = inflateSync(Buffer.concat(parts), { maxOutputLength: (stride + 1) * height });
  const rgb = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) unfilter(raw, rgb, y, stride);
  return { width, height, rgb };
}

/** Undoes one row's filter: every byte was written as its difference from its neighbours. */
function unfilter(raw: Buffer, to: Buffer, y: number, stride: number): void {
  const filter = raw[y * (stride + 1)];
  const row = y * stride;
  for (let x = 0; x < stride; x += 1) {
    const left = x >= 3 ? to[row + x - 3]! : 0;
    const above = y > 0 ? to[row + x - stride]! : 0;
    const corner = x >= 3 && y > 0 ? to[row + x - stride - 3]! : 0;
    const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0;
    to[row + x] = raw[y * (stride + 1) + 1 + x]! + guess;
  }
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
