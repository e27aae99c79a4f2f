import { crc32, deflateSync } from 'node:zlib';

/** A part of a PNG, with its length and its checksum. */
export const chunk = (name: string, body: Uint8Array) => {
  const named = Buffer.concat([Buffer.from(name), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};
export interface MadePng {
  width?: number;
  height?: number;
  depth?: number;
  colour?: number;
  interlace?: number;
  rows?: Uint8Array;
  before?: Buffer[];
  packed?: Buffer;
}
/** PNG by hand: what our own writer would never make. */
export function png({
  width = 2,
  height = 2,
  depth = 8,
  colour = 2,
  interlace = 0,
  rows,
  before = [],
  packed,
}: MadePng = {}) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colour, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', head),
    ...before,
    chunk('IDAT', packed ?? deflateSync(rows ?? Buffer.alloc(height * (width * 3 + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
