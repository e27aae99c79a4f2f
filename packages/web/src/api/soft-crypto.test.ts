import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { aesCbc, sha256 } from './soft-crypto.ts';

const bytes = (options: { minLength: number; maxLength: number }) =>
  fc.uint8Array(options).map((array) => new Uint8Array(array));

it('SHA-256 and AES-256-CBC agree with WebCrypto on any input', async () => {
  await fc.assert(
    fc.asyncProperty(
      bytes({ minLength: 0, maxLength: 200 }),
      bytes({ minLength: 16, maxLength: 16 }),
      bytes({ minLength: 0, maxLength: 80 }),
      async (path, iv, text) => {
        const digest = sha256(path);
        expect(digest).toEqual(new Uint8Array(await crypto.subtle.digest('SHA-256', path)));
        const key = await crypto.subtle.importKey('raw', digest, 'AES-CBC', false, ['encrypt']);
        expect(aesCbc(digest, iv, text)).toEqual(
          new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, text)),
        );
      },
    ),
    { numRuns: 200 },
  );
});

it('works where the page has no WebCrypto at all', () => {
  vi.stubGlobal('crypto', undefined);
  const key = sha256(new TextEncoder().encode('/api/health'));
  expect(aesCbc(key, new Uint8Array(16), new TextEncoder().encode('1750000000000'))).toHaveLength(16);
  vi.unstubAllGlobals();
});
