import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { bytesOf } from '#server/platform/blobs.ts';
import { opened, sealed } from './sealed-stream.ts';

const KEY = 'sixteen letters or more';
const PIECE = 64 * 1024;
/** Magic and salt; then each piece is its length, its bytes, its tag. */
const HEAD = 28;
const SEALED_PIECE = 4 + PIECE + 16;

const seal = (plain: Buffer) => bytesOf(Readable.from(sealed(Readable.from([plain]), KEY)));
const open = (bytes: Buffer, key = KEY, cut = bytes.length) => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / cut) }, (_, at) =>
    bytes.subarray(at * cut, (at + 1) * cut),
  );
  return bytesOf(Readable.from(opened(Readable.from(pieces), key)));
};

describe('a sealed stream', () => {
  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])(
    'gives back %i bytes, however it is cut',
    async (length) => {
      const plain = Buffer.from(Array.from({ length }, (_, at) => at % 251));
      const bytes = await seal(plain);
      expect(bytes.includes(plain.subarray(0, 64)) && length >= 64).toBe(false);
      expect((await open(bytes)).equals(plain)).toBe(true);
      expect((await open(bytes, KEY, 1000)).equals(plain)).toBe(true);
    },
  );

  test('opens by its own key alone', async () => {
    const bytes = await seal(Buffer.from('a customer'));
    await expect(open(bytes, 'another sixteen letters')).rejects.toThrow('does not open: another key');
  });

  test('is refused with any of its bytes changed', async () => {
    const bytes = await seal(Buffer.alloc(100, 7));
    for (let at = 0; at < bytes.length; at += 29) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      await expect(open(changed)).rejects.toThrow(/backup/);
    }
  });

  test('is refused with a piece missing, moved, repeated, its end cut off, or more behind it', async () => {
    const bytes = await seal(Buffer.alloc(3 * PIECE + 9, 7));
    const piece = (number: number) => bytes.subarray(HEAD + number * SEALED_PIECE, HEAD + (number + 1) * SEALED_PIECE);
    const of = (...numbers: number[]) => Buffer.concat([bytes.subarray(0, HEAD), ...numbers.map(piece)]);
    expect((await open(of(0, 1, 2, 3))).length).toBe(3 * PIECE + 9);
    await expect(open(of(0, 2, 3))).rejects.toThrow('its piece 2 is not what was written there');
    await expect(open(of(1, 0, 2, 3))).rejects.toThrow('does not open');
    await expect(open(of(0, 1, 1, 2, 3))).rejects.toThrow('its piece 3');
    await expect(open(of(0, 1, 2))).rejects.toThrow('not whole');
    await expect(open(bytes.subarray(0, -1))).rejects.toThrow('not whole');
    await expect(open(Buffer.concat([bytes, Buffer.from('x')]))).rejects.toThrow('Something was added');
    await expect(open(Buffer.from('PK no backup at all, but long enough to be one'))).rejects.toThrow(
      'no backup of Kist',
    );
  });
});
