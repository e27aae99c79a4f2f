import { expect, test } from 'vitest';
import { memoryParameters, usableMemory } from './memory.ts';

const GIB = 2 ** 30;

test.each([
  [0.5 * GIB, '128MB'],
  [2 * GIB, '256MB'],
  [24 * GIB, '3072MB'],
  [1024 * GIB, '8192MB'],
])('of %d bytes the server keeps an eighth for pages, within bounds', (bytes, pages) => {
  expect(memoryParameters(bytes).shared_buffers).toBe(pages);
});

test('what may be used is no more than there is', () => {
  expect(usableMemory()).toBeGreaterThan(64 * 2 ** 20);
  expect(Number.isSafeInteger(Math.floor(usableMemory()))).toBe(true);
});
