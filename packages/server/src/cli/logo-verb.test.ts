import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import * as organisations from '#server/organisations/organisations.ts';
import type { Pixels } from '#server/platform/picture.ts';
import { readPng, writePng } from '#server/platform/png.ts';
import { makeOrganisation } from '#test/factories.ts';
import { useKist } from '#test/kist-command.ts';
import { chunk, png } from '#test/png-file.ts';

const { db, kist } = await useKist();
const folder = mkdtempSync(path.join(tmpdir(), 'kist-logo-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  await makeOrganisation(db, 20);
  await makeOrganisation(db, 21);
});

const fileOf = (name: string, bytes: Buffer | string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
};
const set = (file: string, org = '20') => kist<{ change: string } & string>('org', 'logo', 'set', org, file);
const logoOf = async (orgId: number) =>
  (await db.read(orgId, (tx) => organisations.config(tx, { mode: 'production' }))).theme.logo;
const kept = (orgId: number, edge: number) =>
  db.read(orgId, async (tx) => {
    const { rows } = await tx.query<{ png: Buffer }>('select png from organisation_logos where edge = $1', [edge]);
    return rows[0]?.png;
  });

/** A picture of one colour, or with a round sign in the middle of nothing. */
function picture(
  width: number,
  height: number,
  at: (x: number, y: number) => [number, number, number, number],
): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.set(at(x, y), (y * width + x) * 4);
  return { width, height, data };
}
const sign = (red: number, green: number, blue: number) =>
  writePng(picture(600, 600, (x, y) => [red, green, blue, Math.hypot(x - 300, y - 300) < 200 ? 255 : 0]));
const pixel = ({ width, data }: Pixels, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
];

test('a logo becomes squares of the sizes that are shown, its name is its address, and of another organisation nothing changes', async () => {
  expect(await logoOf(20)).toBeNull();
  expect(await set(fileOf('a.png', sign(200, 30, 40)))).toMatchObject({ org_id: 20, change: 'changed' });
  const first = await logoOf(20);
  expect(first).toMatch(/^\/icons\/icon-192\.png\?org=[\w-]+&v=[0-9a-f]{12}$/);
  for (const edge of [192, 512]) {
    const made = readPng((await kept(20, edge))!, edge * edge);
    expect([made.width, made.height]).toEqual([edge, edge]);
    // On white, and nothing of it in the fifth that a launcher may cut away.
    expect([pixel(made, 0, 0), pixel(made, edge / 2, Math.floor(edge * 0.09))]).toEqual([
      [255, 255, 255],
      [255, 255, 255],
    ]);
    expect(pixel(made, edge / 2, edge / 2)).toEqual([200, 30, 40]);
  }
  expect(await set(fileOf('same.png', sign(200, 30, 40)))).toMatchObject({ change: 'unchanged' });
  expect(await set(fileOf('b.png', sign(10, 30, 40)))).toMatchObject({ change: 'changed' });
  expect(await logoOf(20)).not.toBe(first);
  expect([await logoOf(21), await kept(21, 192)]).toEqual([null, undefined]);
  const lines = await db.asOwner(
    `select action from audit_lines where org_id = 20 and action like 'logo%' order by seq`,
  );
  expect(lines.map(({ action }) => action)).toEqual(['logo_set', 'logo_set']);
  // What else is said of the organisation leaves its logo where it is.
  await kist('org', 'edit', '20', '--accent', '#0b7a4b');
  expect(await logoOf(20)).not.toBeNull();
  expect(await kist('org', 'logo', 'remove', '20')).toMatchObject({ change: 'changed' });
  expect([await logoOf(20), await kept(20, 512)]).toEqual([null, undefined]);
  expect(await kist('org', 'logo', 'remove', '20')).toMatchObject({ change: 'unchanged' });
});

test('a logo with a ground of its own keeps it, one made for the dark stands on the dark', async () => {
  await set(fileOf('ground.png', writePng(picture(600, 300, (x) => [20, 60, x > 250 && x < 350 ? 200 : 90, 255]))));
  const own = readPng((await kept(20, 192))!, 192 * 192);
  expect([pixel(own, 0, 0), pixel(own, 191, 191), pixel(own, 96, 96)]).toEqual([
    [20, 60, 90],
    [20, 60, 90],
    [20, 60, 200],
  ]);
  await set(fileOf('light.png', sign(250, 250, 245)));
  const light = readPng((await kept(20, 192))!, 192 * 192);
  expect(pixel(light, 0, 0)).toEqual([28, 27, 25]);
});

test('of the file only its pixels are kept: no text, no place, nothing behind its end', async () => {
  // A row begins with its filter: 0, none.
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(600 * 3, 90)]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: 600 }, () => row)));
  const hides = Buffer.concat([
    png({
      width: 600,
      height: 600,
      packed: rows,
      before: [chunk('tEXt', Buffer.from('Comment\0GPS 19.9975 N')), chunk('eXIf', Buffer.from('MM\0*KISTCAM'))],
    }),
    Buffer.from('<script>alert(1)</script>'),
  ]);
  expect(await set(fileOf('hides.png', hides))).toMatchObject({ change: 'changed' });
  for (const edge of [192, 512])
    for (const word of ['GPS', 'KISTCAM', 'script', 'Comment', 'eXIf'])
      expect((await kept(20, edge))!.includes(word), word).toBe(false);
});

test.each([
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'FILE_TYPE_UNSUPPORTED'],
  ['an svg that is called a PNG', '<?xml version="1.0"?><svg/>', 'FILE_TYPE_UNSUPPORTED'],
  ['gif', 'GIF89a\u0001\u0000\u0001\u0000', 'FILE_TYPE_UNSUPPORTED'],
  ['html', '<!doctype html><script>alert(1)</script>', 'FILE_TYPE_UNSUPPORTED'],
  ['nothing', '', 'FILE_TYPE_UNSUPPORTED'],
  ['a PNG cut off', sign(1, 2, 3).subarray(0, 300), 'FILE_UNREADABLE'],
  ['50,000 by 50,000 pixels', png({ width: 50_000, height: 50_000 }), 'TOO_MANY_PIXELS'],
  ['too many bytes', Buffer.alloc(LIMITS.uploadBytes + 1), 'larger than 5 MB'],
  ['too few pixels', writePng(picture(200, 300, () => [1, 2, 3, 255])), 'too small'],
])('%s is refused with a reason, and the logo of before stays', async (name, bytes, why) => {
  const before = await logoOf(20);
  expect(before).not.toBeNull();
  expect(await set(fileOf(`${name.replaceAll(/\W/g, '-')}.png`, bytes))).toContain(why);
  expect(await logoOf(20)).toBe(before);
});

test('what is not there is said: a file, an organisation, what to do', async () => {
  expect(await set(path.join(folder, 'none.png'))).toContain('UsageError: there is no file');
  expect(await set(fileOf('a.png', sign(1, 2, 3)), '99')).toContain('there is no organisation');
  for (const words of [
    ['set', '20'],
    ['remove', '20', 'x.png'],
    ['draw', '20'],
  ])
    expect(await kist('org', 'logo', ...words)).toContain('UsageError');
});
