import { randomBytes } from 'node:crypto';
import { constants, deflateRawSync, deflateSync, inflateSync } from 'node:zlib';
import encode from '@jsquash/jpeg/encode.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { type Images, createImages } from './images.ts';
import { checkJpeg, readJpeg, writeJpeg } from './jpeg.ts';
import { UnusableImage, type Pixels } from '#server/platform/picture.ts';
import { onWhite, shrink } from '#server/platform/pixels.ts';
import { readPng, writePng } from '#server/platform/png.ts';
import { chunk, png } from '#test/png-file.ts';

const images = createImages();
const CANARY = 'GPS 19.9975 N <script>alert(1)</script> PK\u0003\u0004';
const canary = Buffer.from(CANARY);

/** A picture whose four corners have colours of their own. */
function corners(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      data.set([x < width / 2 ? 250 : 10, y < height / 2 ? 240 : 20, 128, 255], (y * width + x) * 4);
  return { width, height, data };
}
const at = ({ width, data }: Pixels, x: number, y: number) => [...data.subarray((y * width + x) * 4).subarray(0, 4)];

/** A segment put behind the start of a JPEG. */
const withSegment = (jpeg: Buffer, marker: number, body: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
};
/** EXIF that says how the camera was held, and where. */
const exif = (orientation: number) =>
  Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\u0008\0\u0001', 'latin1'),
    Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]),
    canary,
  ]);
/** @returns the place of the frame header's marker. */
const frameOf = (jpeg: Buffer) => jpeg.indexOf(Buffer.from([0xff, 0xc0]));
const changed = (jpeg: Buffer, change: (copy: Buffer, frame: number) => void) => {
  const copy = Buffer.from(jpeg);
  change(copy, frameOf(copy));
  return copy;
};

const photo = await writeJpeg(corners(64, 48), 0.9);
const scan = photo.indexOf(Buffer.from([0xff, 0xda]));

const progressive = await encode(
  { width: 64, height: 48, data: new Uint8ClampedArray(corners(64, 48).data) } as never,
  { progressive: true },
).then((made) => Buffer.from(made));
/** A photo that is drawn over and over: each scan is whole, and costs a pass over all of it. */
const ofScans = (count: number) => {
  const own = progressive.toString('latin1').split('\u00ff\u00da').length - 1;
  const last = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
  return Buffer.concat([
    progressive.subarray(0, -2),
    ...Array.from({ length: count - own }, () => progressive.subarray(last, -2)),
    progressive.subarray(-2),
  ]);
};

const outcome = (bytes: Buffer, to: 'image/png' | 'image/jpeg' = 'image/jpeg') =>
  images.remake('shop', bytes, to).then(
    (made) => made,
    (error: { code: string; options: { fields: { path: string }[] } }) =>
      `${error.code} ${error.options.fields[0]?.path}`,
  );

describe('what is no picture', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1')],
    ['a program', Buffer.from('\u007fELF', 'latin1')],
  ])('%s is refused', async (_name, bytes) => {
    expect(await outcome(bytes)).toBe('FILE_TYPE_UNSUPPORTED file');
  });
  it.each([
    [
      'HTML behind the first bytes of a PNG',
      Buffer.from('\u0089PNG\r\n\u001a\n<script>alert(1)</script>'.repeat(9), 'latin1'),
    ],
    [
      'HTML behind the first bytes of a JPEG',
      Buffer.from('\u00ff\u00d8\u00ff\u00e0<script>alert(1)</script>'.repeat(9), 'latin1'),
    ],
    ['random bytes behind the first bytes of a JPEG', Buffer.concat([photo.subarray(0, 3), randomBytes(5000)])],
    ['a JPEG cut off in its data', photo.subarray(0, photo.length - 40)],
    ['a JPEG cut off in its header', photo.subarray(0, scan - 3)],
    ['a JPEG without a picture', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    ['CMYK', changed(photo, (copy, frame) => (copy[frame + 9] = 4))],
    ['12 bits a colour', changed(photo, (copy, frame) => (copy[frame + 4] = 12))],
    ['an arithmetic JPEG', changed(photo, (copy, frame) => (copy[frame + 1] = 0xc9))],
    ['a lossless JPEG', changed(photo, (copy, frame) => (copy[frame + 1] = 0xc3))],
    ['a JPEG of no height', changed(photo, (copy, frame) => copy.writeUInt16BE(0, frame + 5))],
    [
      'a JPEG of a thousand scans',
      Buffer.concat([
        photo.subarray(0, -2),
        ...Array.from({ length: 1000 }, () => photo.subarray(scan, -2)),
        photo.subarray(-2),
      ]),
    ],
    ['a JPEG of 101 scans, each of them whole', ofScans(101)],
    ['a PNG cut off', png().subarray(0, -13)],
    ['a PNG with a wrong checksum', changed(png(), (copy) => (copy[45] = (copy[45] as number) ^ 1))],
    [
      'a PNG whose header is another than its checksum says',
      changed(png(), (copy) => (copy[32] = (copy[32] as number) ^ 1)),
    ],
    ['a PNG of no width', png({ width: 0 })],
    ['a PNG that ends early', png({ rows: Buffer.alloc(5) })],
    ['a PNG that unpacks to 200 MB', png({ packed: deflateSync(Buffer.alloc(200 * 2 ** 20)) })],
    ['a PNG that unpacks to nothing', png({ packed: canary })],
    ['an interlaced PNG', png({ interlace: 1 })],
    ['an animated PNG', png({ before: [chunk('acTL', Buffer.alloc(8))] })],
    ['a PNG with two headers', png({ before: [chunk('IHDR', Buffer.alloc(13))] })],
    ['a PNG with an unknown critical chunk', png({ before: [chunk('EVIL', canary)] })],
    ['a PNG with an unknown filter', png({ rows: Buffer.alloc(14, 9) })],
    ['a PNG of a depth that there is not', png({ depth: 3 })],
    ['a PNG of colours that its palette lacks', png({ colour: 3, rows: Buffer.from([0, 7, 7, 0, 7, 7]) })],
  ])('%s is refused as a picture that cannot be read', async (_name, bytes) => {
    expect(await outcome(bytes)).toBe('FILE_UNREADABLE file');
  });
  it.each([
    ['JPEG', changed(photo, (copy, frame) => copy.writeUInt32BE(0xffffffff, frame + 5))],
    ['PNG', png({ width: 60_000, height: 60_000 })],
    ['PNG of 2³¹ rows', png({ width: 1, height: 2 ** 31 - 1 })],
  ])('a small file that says it is a huge %s is refused before memory is spent on it', async (_name, bytes) => {
    expect(await outcome(bytes)).toBe('TOO_MANY_PIXELS file');
  });
});

it('a small file that unpacks to 1 GB is refused before memory is spent on it', async () => {
  const packed = zeros(1024);
  expect(inflateSync(zeros(8)).equals(Buffer.alloc(8 * 2 ** 20))).toBe(true);
  const bomb = png({ packed });
  expect(bomb.length).toBeLessThan(LIMITS.uploadBytes);
  const mostKb = () => process.resourceUsage().maxRSS;
  const before = mostKb();
  expect(await outcome(bomb)).toBe('FILE_UNREADABLE file');
  expect(() => readPng(bomb, LIMITS.imagePixels)).toThrow(UnusableImage);
  expect((mostKb() - before) / 1024).toBeLessThan(200);
});
/** So many MB of nothing: one packed piece, again and again. */
function zeros(megabytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  // Adler-32 of zeros: one, and how many there are.
  const sum = Buffer.from([0, 0, 0, 1]);
  sum.writeUInt16BE((megabytes * 2 ** 20) % 65_521, 0);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(megabytes).fill(piece), Buffer.from([3, 0]), sum]);
}

describe('what is kept', () => {
  it('is the picture, and nothing that a file carried beside it', async () => {
    const laden = Buffer.concat([
      withSegment(
        withSegment(withSegment(photo, 0xfe, canary), 0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), canary])),
        0xe1,
        exif(1),
      ),
      canary,
    ]);
    const text = chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), canary]));
    const drawn = Buffer.concat([png({ before: [text, chunk('eXIf', canary), chunk('iCCP', canary)] }), canary]);
    for (const [bytes, to] of [
      [laden, 'image/jpeg'],
      [drawn, 'image/png'],
      [drawn, 'image/jpeg'],
    ] as const) {
      const made = (await images.remake('shop', bytes, to)).toString('latin1');
      for (const word of ['GPS', 'script', 'PK\u0003', 'Exif', 'ICC', 'Comment']) expect(made).not.toContain(word);
    }
  });
  it('is at most 1200 pixels wide and high, in the same shape, and shows the same', async () => {
    const made = await images.remake('shop', await writeJpeg(corners(2400, 1800), 0.9), 'image/jpeg');
    const seen = await readJpeg(made, LIMITS.imagePixels);
    expect([seen.width, seen.height]).toEqual([1200, 900]);
    const near = (pixel: number[], colour: number[]) =>
      pixel.forEach((value, channel) => expect(Math.abs(value - (colour[channel] as number))).toBeLessThan(12));
    near(at(seen, 10, 10), [250, 240, 128, 255]);
    near(at(seen, 1190, 10), [10, 240, 128, 255]);
    near(at(seen, 10, 890), [250, 20, 128, 255]);
  });
  it('stands upright, however the camera was held', async () => {
    const made = await images.remake('shop', withSegment(photo, 0xe1, exif(6)), 'image/jpeg');
    const seen = await readJpeg(made, LIMITS.imagePixels);
    expect([seen.width, seen.height]).toEqual([48, 64]);
    // Turned by a quarter to the right: what was below on the left is above on the left.
    expect(at(seen, 4, 4)[1]).toBeLessThan(60);
    expect(at(seen, 44, 4)[1]).toBeGreaterThan(200);
  });
  it('may come in a hundred scans', async () => {
    const seen = await readJpeg(await images.remake('shop', ofScans(100), 'image/jpeg'), LIMITS.imagePixels);
    expect([seen.width, seen.height]).toEqual([64, 48]);
  });
  it('may come as a progressive photo', async () => {
    const { width, height, data } = corners(300, 200);
    const progressive = await encode({ width, height, data: new Uint8ClampedArray(data) } as never, {
      progressive: true,
    });
    const seen = await readJpeg(
      await images.remake('shop', Buffer.from(progressive), 'image/jpeg'),
      LIMITS.imagePixels,
    );
    expect([seen.width, seen.height]).toEqual([300, 200]);
  });
  it.each([
    ['1 bit of grey', { depth: 1, colour: 0, rows: Buffer.from([0, 0b10_000000, 0, 0b01_000000]) }, [255, 0, 0, 255]],
    [
      '2 bits of grey',
      { depth: 2, colour: 0, rows: Buffer.from([0, 0b11_00_0000, 0, 0b00_11_0000]) },
      [255, 0, 0, 255],
    ],
    [
      '16 bits of colour',
      {
        depth: 16,
        colour: 2,
        rows: Buffer.from('00ff01ff01ff01000000000000' + '00000000000000ff09ff09ff09', 'hex'),
      },
      [255, 0, 0, 255],
    ],
    [
      'grey with alpha',
      { depth: 8, colour: 4, rows: Buffer.from([0, 255, 255, 0, 255, 0, 0, 255, 255, 255]) },
      [255, 0, 0, 255],
    ],
    [
      'a palette',
      {
        depth: 4,
        colour: 3,
        before: [chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))],
        rows: Buffer.from([0, 0x10, 0, 0x01]),
      },
      [255, 0, 0, 255],
    ],
  ])('may come as a PNG of %s', (_name, made, reds) => {
    const seen = readPng(png(made), 100);
    expect([0, 1, 2, 3].map((index) => seen.data[index * 4])).toEqual(reds);
  });
  it.each([
    ['colours', 2, Buffer.from([0, 1, 0, 2, 0, 3]), [1, 2, 3], [1, 2, 4]],
    ['grey', 0, Buffer.from([0, 7]), [7], [8]],
  ])('keeps the one colour clear that a PNG of %s says is clear, and no other', (_name, colour, clear, one, other) => {
    const rows = Buffer.from([0, ...one, ...other, 0, ...other, ...one]);
    const seen = readPng(png({ colour, before: [chunk('tRNS', clear)], rows }), 100);
    expect([0, 1, 2, 3].map((index) => seen.data[index * 4 + 3])).toEqual([0, 255, 255, 0]);
    expect(at(onWhite(seen), 0, 0)).toEqual([255, 255, 255, 255]);
  });
  it('keeps what is clear in a PNG, and shows it as paper in a JPEG', () => {
    const clear = readPng(
      png({
        colour: 3,
        before: [chunk('PLTE', Buffer.from([9, 9, 9])), chunk('tRNS', Buffer.from([0]))],
        rows: Buffer.from([0, 0, 0, 0, 0, 0]),
      }),
      100,
    );
    expect(at(readPng(writePng(clear), 100), 0, 0)).toEqual([9, 9, 9, 0]);
    expect(at(onWhite(clear), 0, 0)).toEqual([255, 255, 255, 255]);
  });
});

describe('any picture', () => {
  const pixels = fc
    .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }))
    .chain(([width, height]) =>
      fc
        .uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 })
        .map((data) => ({ width, height, data })),
    );
  it('comes back from a PNG exactly', () => {
    fc.assert(
      fc.property(pixels, (image) => {
        expect(readPng(writePng(image), 1600)).toEqual({ ...image, data: Uint8Array.from(image.data) });
      }),
    );
  });
  it('made smaller keeps its shape within a pixel and its colours between the darkest and the lightest', () => {
    fc.assert(
      fc.property(pixels, fc.integer({ min: 1, max: 50 }), (image, edge) => {
        const small = shrink(onWhite(image), edge);
        expect(Math.max(small.width, small.height)).toBeLessThanOrEqual(
          Math.max(1, Math.min(edge, Math.max(image.width, image.height))),
        );
        expect(Math.abs(small.width / small.height - image.width / image.height) * small.height).toBeLessThanOrEqual(
          1 + small.height / small.width + image.width / image.height,
        );
        expect(small.data.length).toBe(small.width * small.height * 4);
      }),
    );
  });
  it('damaged anywhere is read or refused, and never anything else', () => {
    const drawn = writePng(corners(12, 9));
    const isHandled = (read: () => unknown) => {
      try {
        read();
      } catch (error) {
        expect(error).toBeInstanceOf(UnusableImage);
      }
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }), fc.nat(), (hits, cut) => {
        for (const [whole, read] of [
          [drawn, readPng],
          [photo, checkJpeg],
        ] as const) {
          const hurt = Buffer.from(whole);
          for (const [place, value] of hits) hurt[place % hurt.length] = value;
          isHandled(() => read(hurt, 10_000));
          isHandled(() => read(hurt.subarray(0, cut % hurt.length), 10_000));
        }
      }),
      { numRuns: 2000 },
    );
  });
  it('of damaged data is read or refused by the codec too', async () => {
    for (let round = 0; round < 60; round += 1) {
      const hurt = Buffer.from(photo);
      for (let hit = 0; hit < 5; hit += 1)
        hurt[scan + 14 + Math.floor(Math.random() * (photo.length - scan - 16))] = Math.floor(Math.random() * 255);
      await readJpeg(hurt, 10_000).catch((error: unknown) => expect(error).toBeInstanceOf(UnusableImage));
    }
  });
});

describe('the threads', () => {
  it('end a picture that takes too long', async () => {
    const hasty = createImages({ timeoutMs: 1 });
    await expect(hasty.remake('shop', photo, 'image/jpeg')).rejects.toMatchObject({ code: 'TOO_MANY_PIXELS' });
    expect((await images.remake('shop', photo, 'image/jpeg')).length).toBeGreaterThan(0);
  });
  const outcomes = (of: Images, owners: readonly string[]) =>
    Promise.all(
      owners.map((owner) =>
        of.remake(owner, photo, 'image/jpeg').then(
          () => `${owner} kept`,
          (error: { code: string; options: { retryAfterS: number } }) =>
            `${owner} ${error.code} ${error.options.retryAfterS}`,
        ),
      ),
    );

  it('are few: who comes when all places are taken is told to come again; who has none under way has twice as many', async () => {
    const narrow = createImages({ atOnce: 1, places: 3 });
    const answers = await outcomes(narrow, Array.from('aabbcdefgh'));
    expect(answers.map((answer) => answer.slice(2))).toEqual([
      'kept',
      'kept',
      'kept',
      'UNAVAILABLE 2',
      'kept',
      'kept',
      'kept',
      'UNAVAILABLE 2',
      'UNAVAILABLE 2',
      'UNAVAILABLE 2',
    ]);
    expect(await narrow.remake('g', photo, 'image/jpeg')).toBeInstanceOf(Buffer);
  });
  it('are shared: one shop that sends many pictures neither takes every place nor goes before another', async () => {
    const narrow = createImages({ atOnce: 1, places: 8, placesOfOne: 4 });
    const order: string[] = [];
    const noted = {
      remake: async (...args: Parameters<Images['remake']>) => {
        const made = await narrow.remake(...args);
        order.push(args[0]);
        return made;
      },
    };
    const answers = await outcomes(noted, [...Array(6).fill('greedy'), 'other']);
    expect(answers.filter((answer) => answer.includes('UNAVAILABLE'))).toEqual(Array(2).fill('greedy UNAVAILABLE 2'));
    expect(order.indexOf('other')).toBeLessThanOrEqual(2);
  });
});
