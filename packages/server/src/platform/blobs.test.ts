import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { atEnd } from '#test/at-end.ts';
import { bytesOf, createDiskBlobs } from './blobs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kist-blobs-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const blobs = createDiskBlobs(path.join(folder, 'blobs'));

const listed = async (prefix: string) => {
  const keys: string[] = [];
  for await (const key of blobs.list(prefix)) keys.push(key);
  return keys.toSorted();
};
const read = async (key: string) => {
  const stream = await blobs.get(key);
  return stream && (await bytesOf(stream)).toString();
};

test('what is put is got, replaced, listed below its beginning, and deleted twice without a word', async () => {
  expect(await read('a/20/one')).toBeUndefined();
  expect(await listed('a')).toEqual([]);
  await blobs.put('a/20/one', Buffer.from('first'));
  await blobs.put('a/20/one', Readable.from([Buffer.from('sec'), Buffer.from('ond')]));
  await blobs.put('a/21/two', Buffer.from('other'));
  expect(await read('a/20/one')).toBe('second');
  expect(await listed('a')).toEqual(['a/20/one', 'a/21/two']);
  expect(await listed('a/20')).toEqual(['a/20/one']);
  await blobs.delete('a/20/one');
  await blobs.delete('a/20/one');
  expect(await listed('a')).toEqual(['a/21/two']);
});

test('files are for this account alone', async () => {
  await blobs.put('b/one', Buffer.from('x'));
  const modeOf = (...parts: string[]) => statSync(path.join(folder, 'blobs', ...parts)).mode & 0o777;
  expect([modeOf('b'), modeOf('b', 'one')]).toEqual([0o700, 0o600]);
});

test('what breaks off while it is put leaves what was there, and nothing beside it', async () => {
  await blobs.put('c/one', Buffer.from('before'));
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('the line is gone');
    })(),
  );
  await expect(blobs.put('c/one', broken)).rejects.toThrow('the line is gone');
  expect(await read('c/one')).toBe('before');
  expect(readdirSync(path.join(folder, 'blobs', 'c'))).toEqual(['one']);
});

test.each(['', '/', '../x', 'a/../../x', 'a//b', 'a/.', 'a\u0000b', '/etc/passwd', 'a\\b', 'A', 'a/'.repeat(9) + 'b'])(
  'no path comes of %j',
  async (key) => {
    writeFileSync(path.join(folder, 'x'), 'outside');
    await expect(blobs.put(key, Buffer.from('y'))).rejects.toThrow('not a key');
    await expect(blobs.get(key)).rejects.toThrow('not a key');
    await expect(Promise.resolve().then(() => blobs.delete(key))).rejects.toThrow('not a key');
  },
);

test('a file of more bytes than it may have is not read to its end', async () => {
  let read = 0;
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc((read += 1) && 10);
    })(),
  );
  await expect(bytesOf(endless, 25)).rejects.toThrow('more than 25 bytes');
  expect(read).toBeLessThan(100);
});
