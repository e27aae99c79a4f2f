import { expect, test } from 'vitest';
import { SCREEN_NAMES, screenPage } from './screens-page.ts';

const NUMBER = /9000000001/;

test('wherever a held phone names its shop’s number, one touch calls it', () => {
  const named = SCREEN_NAMES.filter((name) =>
    NUMBER.test(screenPage(name, 'en', 100).text.replaceAll(/<a [^]*?<\/a>/g, '')),
  );
  expect(named).toEqual([]);
  expect(SCREEN_NAMES.filter((name) => screenPage(name, 'en', 100).text.includes('href="tel:9000000001'))).not.toEqual(
    [],
  );
});
