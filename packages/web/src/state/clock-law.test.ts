import { expect, it } from 'vitest';

const files = import.meta.glob<string>(['../{screens,widgets,ui,i18n}/**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const linesOf = (text: string) => text.split('\n');
const found = (isWrong: (line: string) => boolean): string[] =>
  Object.entries(files).flatMap(([file, text]) =>
    linesOf(text)
      .filter(isWrong)
      .map((line) => `${file}: ${line.trim()}`),
  );

it('no screen reads this phone’s clock by itself: ages and days are told by the product’s, which a demo moves', () => {
  expect(Object.keys(files).length).toBeGreaterThan(150);
  expect(found((line) => /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bTemporal\.Now\b/.test(line))).toEqual([]);
});

it('what is waited for here is told to nobody as a date or an age', () => {
  const users = found((line) => line.includes('phoneNowMs'));
  expect(users.length).toBeGreaterThan(5);
  expect(users.filter((line) => /\bformat[A-Z]|businessDate|toISOString/.test(line))).toEqual([]);
});
