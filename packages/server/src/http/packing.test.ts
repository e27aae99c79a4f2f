import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import type { Brand } from '#server/organisations/organisations.ts';
import { type Compress, type Packable, createPacking } from './packing.ts';
import { LOOKS_KEPT, loadStaticFiles } from './static-files.ts';

const built = mkdtempSync(path.join(tmpdir(), 'kist-packing-'));
afterAll(() => rmSync(built, { recursive: true }));
mkdirSync(path.join(built, 'assets'));
writeFileSync(path.join(built, 'index.html'), `<!doctype html><title>EMI</title>${'<p>words</p>'.repeat(200)}`);

/** What packs nothing, and keeps by which level it was asked to. */
function counting() {
  const levels: string[] = [];
  const compressAt: Compress = async (body, encoding, level) => {
    levels.push(`${encoding} ${level}`);
    return body;
  };
  return { levels, compressAt, of: (level: string) => levels.filter((one) => one === level).length };
}

const brand = (no: number): Brand => ({
  orgId: no,
  slug: `org-${no}`,
  name: `Shop ${no}`,
  accent: '#0b7a4b',
  layout: 'classic',
  languages: ['en'],
  logo: null,
});

test('looks that are kept are packed well, once; those for which no place is left in haste, however often they push one another out', async () => {
  const packed = counting();
  const looks = {
    of: async ({ headers }: { headers: Record<string, unknown> }) => ({
      brand: brand(Number(headers['x-org'])),
      isBySlug: false,
      isDemo: false,
    }),
    logo: async () => undefined,
  };
  const files = loadStaticFiles(built, 'production', looks, packed.compressAt)!;
  const app = fastify().get('/', async (request, reply) => {
    await files.serve(request, reply, '/');
    return reply;
  });
  const round = async (count: number) => {
    for (let no = 0; no < count; no += 1) {
      const reply = await app.inject({ url: '/', headers: { 'x-org': String(no), 'accept-encoding': 'br' } });
      expect(reply.body).toContain(`<title>Shop ${no}</title>`);
    }
  };
  await round(LOOKS_KEPT);
  await round(LOOKS_KEPT);
  expect(packed.levels.length).toBe(LOOKS_KEPT);
  expect(packed.of('br 9')).toBe(LOOKS_KEPT);
  await round(LOOKS_KEPT + 1);
  await round(LOOKS_KEPT + 1);
  // The 501st pushes out the first, the first the second, and so on: each request packs, and none at length.
  expect(packed.of('br 9')).toBe(LOOKS_KEPT);
  expect(packed.of('br 5')).toBeGreaterThan(LOOKS_KEPT);
  expect(packed.levels.length).toBe(packed.of('br 9') + packed.of('br 5'));
});

test('what was packed in haste and is asked for again is packed well behind that, one file a second', async () => {
  const packed = counting();
  let nowMs = 0;
  const pack = createPacking({ compressAt: packed.compressAt, nowMs: () => nowMs });
  const file = (): Packable => ({ body: Buffer.from('words'), audience: 'beyond', packed: new Map() });
  const [one, other] = [file(), file()];
  for (let round = 0; round < 3; round += 1) for (const each of [one, other]) await pack(each, 'br');
  expect(packed.levels).toEqual(['br 5', 'br 5', 'br 9']);
  nowMs = 999;
  await pack(other, 'br');
  expect(packed.levels).toHaveLength(3);
  nowMs = 1000;
  for (let round = 0; round < 3; round += 1) for (const each of [one, other]) await pack(each, 'br');
  expect(packed.levels).toEqual(['br 5', 'br 5', 'br 9', 'br 9']);
  await pack(one, 'gzip');
  expect(packed.levels.at(-1)).toBe('gzip 6');
});

test('what everybody gets is packed well at once and best behind that', async () => {
  const packed = counting();
  const pack = createPacking({ compressAt: packed.compressAt });
  const file: Packable = { body: Buffer.from('words'), audience: 'everybody', packed: new Map() };
  for (let round = 0; round < 3; round += 1) await pack(file, 'br');
  await pack(file, 'gzip');
  expect(packed.levels).toEqual(['br 9', 'br 11', 'gzip 9']);
});
