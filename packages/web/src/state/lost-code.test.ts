// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { isLostCode } from './lost-code.ts';

it.each([
  'Failed to fetch dynamically imported module: https://shop.example/assets/screen-away-1.js',
  'error loading dynamically imported module: https://shop.example/assets/screen-away-1.js',
  'Importing a module script failed.',
  "'text/html' is not a valid JavaScript MIME type.",
  'Failed to fetch',
  'NetworkError when attempting to fetch resource.',
  'Load failed',
])('%s: the code is away', (sentence) => {
  expect(isLostCode(new TypeError(sentence))).toBe(true);
});

it('words that did not come are away too', () => {
  expect(isLostCode(new Error('/locales/more/en.json: 503, no words'))).toBe(true);
});

it.each([
  new TypeError("Cannot read properties of undefined (reading 'fetch')"),
  new TypeError("The requested module './a.js' does not provide an export named 'b'"),
  new ReferenceError('module is not defined'),
  'Failed to fetch',
])('%s: what is broken is not away', (error) => {
  expect(isLostCode(error)).toBe(false);
});
