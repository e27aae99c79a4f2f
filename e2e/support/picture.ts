import { crc32, deflateSync } from 'node:zlib';

const chunk = (name: string, body: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(name), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** A card as a camera sees one: paper of one colour, and a stripe of another where the number stands. */
export function cardPicture(width = 1600, height = 1000): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const row = (isStripe: boolean) => {
    const bytes = Buffer.alloc(1 + width * 3, 0xe8);
    bytes[0] = 0;
    if (isStripe) for (let x = Math.round(width * 0.2); x < width * 0.8; x += 1) bytes.set([200, 40, 40], 1 + x * 3);
    return bytes;
  };
  const rows = Array.from({ length: height }, (_, y) => row(y > height * 0.6 && y < height * 0.7));
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
