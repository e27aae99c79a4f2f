import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { readPng } from './png.ts';
import { readQrPicture } from './read-picture.ts';
import type { Picture } from './read-picture.ts';

type Code = ReturnType<typeof encode>;
const LEVELS = ['L', 'M', 'Q', 'H'] as const;

/** Draws a code as a camera would see it: turned, scaled, shaded, on a page. */
function draw(code: Code, { module = 4, turn = 0, shade = 0 } = {}): Picture {
  const edge = Math.ceil(code.size * module * 1.5) + 20;
  const grey = new Uint8Array(edge * edge);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  for (let y = 0; y < edge; y += 1) {
    for (let x = 0; x < edge; x += 1) {
      const [dx, dy] = [x - edge / 2, y - edge / 2];
      const column = Math.floor((dx * cos + dy * sin) / module + code.size / 2);
      const row = Math.floor((dy * cos - dx * sin) / module + code.size / 2);
      const isDark = code.data[row]?.[column] ?? false;
      grey[y * edge + x] = (isDark ? 30 : 235) * (1 - (shade * x) / edge);
    }
  }
  return { width: edge, height: edge, grey };
}

/** The text of a code drawn straight. */
const readCode = (code: Code) => readQrPicture(draw(code, { module: 2 }));

describe('reading a QR', () => {
  it('reads every version and every level', async () => {
    for (const ecc of LEVELS) {
      // Every version once; the tables of the other levels at every fifth.
      for (let version = 1; version <= 40; version += ecc === 'M' ? 1 : 5) {
        const text = `v${version}${ecc}`;
        const code = encode(text, { ecc, border: 0, minVersion: version, maxVersion: version, boostEcc: false });
        expect(await readCode(code)).toBe(text);
      }
    }
  });

  it('reads any text back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ minLength: 1, maxLength: 300 }),
          fc.stringMatching(/^[0-9]{1,60}$/),
          fc.stringMatching(/^[A-Z0-9 $%*+./:-]{1,60}$/),
        ),
        fc.constantFrom(...LEVELS),
        async (text, ecc) => {
          fc.pre(text.isWellFormed());
          expect(await readCode(encode(text, { ecc, border: 0 }))).toBe(text);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('mends damage within the level and never invents a text beyond it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 400 }), fc.integer(), async (hits, seed) => {
        const code = encode('A phone of the shop in Nashik', { ecc: 'H', border: 0 });
        const damaged = code.data.map((row) => [...row]);
        let state = seed | 1;
        for (let hit = 0; hit < hits; hit += 1) {
          state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
          const [x, y] = [9 + (state % (code.size - 18)), 9 + ((state >> 8) % (code.size - 18))];
          damaged[y]![x] = !damaged[y]![x];
        }
        const text = await readCode({ ...code, data: damaged });
        expect([undefined, 'A phone of the shop in Nashik']).toContain(text);
        if (hits <= 5) expect(text).toBe('A phone of the shop in Nashik');
      }),
    );
  });

  it('finds it in a picture: small, large, turned, in shade', async () => {
    const qr = JSON.stringify({
      'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE': { 'kist.token': 'k.'.padEnd(45, 'x') },
      filler: 'y'.repeat(500),
    });
    const code = encode(qr, { ecc: 'M', border: 4 });
    for (const look of [
      { module: 2 },
      { module: 3.3 },
      { module: 6 },
      { module: 4, turn: 0.12 },
      { module: 5, turn: 1.7 },
      { module: 4, shade: 0.6 },
    ]) {
      expect(await readQrPicture(draw(code, look)), JSON.stringify(look)).toBe(qr);
    }
  });

  it('says nothing of a picture without one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 4096, maxLength: 4096 }), async (grey) => {
        expect(await readQrPicture({ width: 64, height: 64, grey })).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });
});

/** A PNG of one kind, with every filter in turn. */
function png(width: number, height: number, type: 0 | 2 | 6, pixel: (x: number, y: number) => number[]): Buffer {
  const channels = { 0: 1, 2: 3, 6: 4 }[type];
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_unused, x) => pixel(x, y)).flat(),
  );
  const lines = rows.map((row, y) => {
    const filter = y % 3;
    const filtered = row.map(
      (value, x) => value - (filter === 1 ? (row[x - channels] ?? 0) : filter === 2 ? (rows[y - 1]?.[x] ?? 0) : 0),
    );
    return Buffer.from([filter, ...filtered.map((value) => value & 255)]);
  });
  const chunk = (name: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length, 0);
    head.write(name, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, type, 0, 0, 0], 8);
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('reading a PNG', () => {
  it.each([0, 2, 6] as const)('reads colour type %i with its filters, transparent as white', async (type) => {
    const code = encode('kist', { border: 4 });
    const shade = (x: number, y: number) => (code.data[y >> 2]![x >> 2]! ? 0 : 255);
    const file = png(code.size * 4, code.size * 4, type, (x, y) =>
      type === 0 ? [shade(x, y)] : type === 2 ? [shade(x, y), shade(x, y), shade(x, y)] : [0, 0, 0, 255 - shade(x, y)],
    );
    expect(await readQrPicture(readPng(file))).toBe('kist');
  });

  it('refuses what is none, in words', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => readPng(Buffer.from(bytes))).toThrow('PNG');
      }),
    );
  });
});
