import { describe, expect, it } from 'vitest';
import { MORE_PARTS } from './backend.ts';
import { partsOf } from './more.ts';

const words = {
  ...import.meta.glob<object>('../../public/locales/en.json', { import: 'default', eager: true }),
  ...import.meta.glob<object>('../../public/locales/*/en.json', { import: 'default', eager: true }),
};
const main = words['../../public/locales/en.json'] ?? {};
const others = MORE_PARTS.flatMap((part) => Object.keys(words[`../../public/locales/${part}/en.json`] ?? {}));
const areas = [...new Set(others)];

/** The app's own files but for tests, as they are named below `src`. */
const sources = Object.entries(
  import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
)
  .filter(([file]) => !/\.test\.tsx?$/.test(file))
  .map(([file, text]) => ({ file: file.replace(/^\.\//, 'i18n/').replace(/^\.\.\//, ''), text }));
const named = new RegExp(`['"\`](?:${areas.join('|')})\\.[\\w.]*(?:['"\`]|\\$\\{)`);
/** Tables of keys, which say nothing on a screen. */
const IS_TABLE = /^i18n\/terms\.ts$/;

/** Parts of other screens that come later than these, with their words: what only a desk shows. */
const LATE_PARTS: readonly string[] = ['screens/root/desk.tsx', 'screens/root/shortcut-sheet.tsx'];

/** A screen of theirs, what comes late with those words, or a widget that only they use. */
function isOfMore(file: string, depth = 0): boolean {
  if (LATE_PARTS.includes(file)) return true;
  const [folder, screen = ''] = file.split('/');
  const name = file.split('/').at(-1) ?? '';
  if (folder === 'screens') return partsOf(screen).length > 0;
  const users = sources.filter(({ text }) => text.includes(`/${name}'`) && !text.includes(`/${name}'))`));
  const isLate = sources.some(({ text }) =>
    new RegExp(`late\\(async \\(\\) => \\(await import\\('[^']*/${name}'\\)\\)`).test(text),
  );
  return (
    folder === 'widgets' &&
    depth < 4 &&
    (users.length > 0 || isLate) &&
    users.every((user) => isOfMore(user.file, depth + 1))
  );
}

describe('words of screens that are not of every day', () => {
  it('stand in one file', () => {
    expect(others).toEqual(areas);
    expect(areas.length).toBeGreaterThan(3);
    expect(areas.filter((area) => area in main)).toEqual([]);
  });
  it('are said by those screens, and by widgets that only they use', () => {
    const saying = sources.filter(({ file, text }) => named.test(text) && !IS_TABLE.test(file));
    expect(saying.length).toBeGreaterThan(10);
    expect(saying.map(({ file }) => file).filter((file) => !isOfMore(file))).toEqual([]);
  });
});
