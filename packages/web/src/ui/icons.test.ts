import { expect, it } from 'vitest';
import { FRONT_PATHS } from './icon-paths.ts';
import { INSIDE_PATHS } from './inside-icons.ts';

const files = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const texts = new Map(
  Object.entries(files).map(([file, text]) => [file.replace(/^\.\.\//, '').replace(/^\.\//, 'ui/'), text]),
);
const LOGIN = 'screens/login/screen.tsx';
const INSIDE = 'ui/inside-icons.ts';

/** @returns the file that a specifier in `from` means */
function fileOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('#web/')) return specifier.slice('#web/'.length);
  return specifier.startsWith('./') ? `${from.slice(0, from.lastIndexOf('/') + 1)}${specifier.slice(2)}` : undefined;
}
const meant = (file: string, pattern: RegExp): string[] =>
  [...(texts.get(file) ?? '').matchAll(pattern)].flatMap(([, specifier]) => fileOf(specifier!, file) ?? []);
const brought = (file: string) => [
  ...meant(file, /^import\s+(?!type\b)(?:[^;']*?\sfrom\s+)?'([^']+)'/gm),
  ...meant(file, /^export\s+[^;']*?\sfrom\s+'([^']+)'/gm),
];
const fetched = (file: string) => meant(file, /import\('([^']+)'\)/g);

/** All that comes with a file at once. */
function closure(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const file of brought(entry)) closure(file, seen);
  return seen;
}
const isInside = (name: string): boolean => name in INSIDE_PATHS;
/** Names of icons where an icon is asked for: `icon="lock"`, `icon: 'lock'`, `name="lock"`. */
const drawn = (parts: Iterable<string>): string[] =>
  [...parts].flatMap((file) =>
    file === INSIDE
      ? []
      : [...(texts.get(file) ?? '').matchAll(/\b(?:icon|name)(?:=|:\s*|=\{)["']([a-z]+)["']/g)].map(
          ([, name]) => name!,
        ),
  );

it('login brings the icons that it draws and no more: the rest is 2 KB on the line', () => {
  expect(texts.has(LOGIN)).toBe(true);
  const first = new Set([...closure('main.tsx'), ...closure(LOGIN)]);
  expect(first.size).toBeGreaterThan(30);
  expect(first.has(INSIDE)).toBe(false);
  expect(drawn(first).filter(isInside)).toEqual([]);
  expect(Object.keys(FRONT_PATHS).filter((name) => isInside(name))).toEqual([]);
});

it('whatever comes behind login has its icons with it', () => {
  const first = new Set([...closure('main.tsx'), ...closure(LOGIN)]);
  const screens = [...texts.keys()].filter((file) => /^screens\/[^/]+\/screen\.tsx$/.test(file));
  // A screen inside comes with the root's own code.
  const outside = screens.filter((file) => /\/(otp|m-pin|privacy-policy|signup-request|root)\//.test(file));
  expect(outside).toHaveLength(5);
  const behind = new Set([...outside, ...[...first].flatMap(fetched)]);
  const bare = [...behind].filter((entry) => {
    const parts = closure(entry);
    return !parts.has(INSIDE) && drawn(parts).some(isInside);
  });
  expect(bare).toEqual([]);
  // Toasts may say anything, and so may the four screens.
  for (const entry of [...outside, 'ui/toast-region.tsx']) expect(closure(entry).has(INSIDE), entry).toBe(true);
});
