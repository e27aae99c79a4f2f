import { crc32, deflateSync } from 'node:zlib';

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
