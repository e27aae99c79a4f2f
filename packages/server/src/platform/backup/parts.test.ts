import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bytesOf } from '#server/platform/blobs.ts';
import { type Manifest, type Part, framed, readParts } from './parts.ts';

const file = (key: string, text: string): Part => ({
  head: { kind: 'file', key },
  data: Readable.from([Buffer.from(text)]),
});
const rows = (text: string, count: number): Part => ({
  head: { kind: 'table', table: 'users', org_id: 20, columns: ['org_id'] },
  data: Readable.from([Buffer.from(text)]),
  rows: () => count,
});

async function written(...parts: Part[]): Promise<{ bytes: Buffer; manifest: Manifest }> {
  let manifest: Manifest = { parts: [] };
  const bytes = await bytesOf(
    Readable.from(framed({ made_at: 'now' }, Readable.from(parts), (made) => void (manifest = made))),
  );
  return { bytes, manifest };
}
async function read(bytes: Buffer, counted = 2): Promise<string[]> {
  const found: string[] = [];
  await readParts(Readable.from([bytes]), {
    about: async (about) => void found.push(JSON.stringify(about)),
    part: async (head, data) => {
      found.push(`${head.kind} ${(await bytesOf(Readable.from(data))).toString()}`);
      return head.kind === 'table' ? counted : undefined;
    },
  });
  return found;
}

test('parts come back in their order and as they were', async () => {
  const { bytes, manifest } = await written(
    rows('20\n20\n', 2),
    file('documents/20/aa/x', 'sealed'),
    file('documents/20/bb/y', ''),
  );
  expect(await read(bytes)).toEqual(['{"made_at":"now"}', 'table 20\n20\n', 'file sealed', 'file ']);
  expect(manifest.parts.map(({ name, bytes: size, rows: count }) => [name, size, count])).toEqual([
    ['table users of 20', 6, 2],
    ['file documents/20/aa/x', 6, undefined],
    ['file documents/20/bb/y', 0, undefined],
  ]);
});

test('a part that is missing, changed, one too many or short of a row is named', async () => {
  const parts = () => [rows('20\n20\n', 2), file('documents/20/aa/x', 'sealed')];
  const { bytes } = await written(...parts());
  const changed = Buffer.from(bytes);
  changed[bytes.indexOf('sealed')]! ^= 1;
  await expect(read(changed)).rejects.toThrow('part file documents/20/aa/x is not what was written');
  await expect(read(bytes, 1)).rejects.toThrow('part table users of 20 is not what was written');
  await expect(read(bytes.subarray(0, -40))).rejects.toThrow('not whole');
  // The list of both behind one of them, and the other way round.
  const one = await written(parts()[0]!);
  const listAt = (text: Buffer) => text.lastIndexOf('{"parts"') - 5;
  const body = (text: Buffer) => text.subarray(0, listAt(text));
  const list = (text: Buffer) => text.subarray(listAt(text));
  await expect(read(Buffer.concat([body(one.bytes), list(bytes)]))).rejects.toThrow('lacks its part file documents');
  await expect(read(Buffer.concat([body(bytes), list(one.bytes)]))).rejects.toThrow(
    'parts that its list does not name',
  );
});
