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

/** What comes late brings all of these words, but where it is told that its page has its own already. */
const bringsAll = (text: string, name: string): boolean =>
  new RegExp(`late\\(\\s*async \\(\\) => \\(await import\\('[^']*/${name}'\\)\\)\\.\\w+\\)`).test(text);
const isLate = (name: string): boolean => sources.some(({ text }) => bringsAll(text, name));

/** A screen of theirs, what comes late with those words, or a widget that only they use. */
function isOfMore(file: string, depth = 0): boolean {
  if (LATE_PARTS.includes(file)) return true;
  const [folder, screen = ''] = file.split('/');
  const name = file.split('/').at(-1) ?? '';
  if (folder === 'screens') return partsOf(screen).length > 0;
  const users = sources.filter(({ text }) => text.includes(`/${name}'`) && !bringsAll(text, name));
  return (
    folder === 'widgets' &&
    depth < 4 &&
    (users.length > 0 || isLate(name)) &&
    users.every((user) => isOfMore(user.file, depth + 1))
  );
}

describe('words of screens that are not of every day', () => {
  it('stand in one file', () => {
    expect(others).toEqual(areas);
    expect(areas.length).toBeGreaterThan(3);
    expect(areas.filter((area) => area in main)).toEqual([]);
  });
  it('of a screen that has a folder of its own stand there', () => {
    const own = ['add-customer', 'customer-details'].map((screen) => [screen, partsOf(screen)] as const);
    expect(own.every(([, parts]) => parts.length === 1)).toBe(true);
    const missing = own.flatMap(([screen, [part]]) => {
      const there = Object.keys({ ...main, ...words[`../../public/locales/${part!}/en.json`] });
      const elsewhere = areas.filter((area) => !there.includes(area));
      const says = new RegExp(`['"\`](?:${elsewhere.join('|')})\\.[\\w.]*(?:['"\`]|\\$\\{)`);
      return sources.filter(
        ({ file, text }) =>
          file.startsWith(`screens/${screen}/`) && says.test(text) && !isLate(file.split('/').at(-1)!),
      );
    });
    expect(missing.map(({ file }) => file)).toEqual([]);
  });
  it('are said by those screens, and by widgets that only they use', () => {
    const saying = sources.filter(({ file, text }) => named.test(text) && !IS_TABLE.test(file));
    expect(saying.length).toBeGreaterThan(10);
    expect(saying.map(({ file }) => file).filter((file) => !isOfMore(file))).toEqual([]);
  });
});
