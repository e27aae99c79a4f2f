import { expect, it } from 'vitest';

const ours = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const contract = import.meta.glob<string>('../../../contract/src/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What a file imports for its values: types are gone once it is built. */
const valuesOf = (text: string): string[] =>
  [...text.matchAll(/^import\s+(?!type\b)([^;]*?)\s+from\s+'([^']+)'/gms)]
    .filter(([, names]) => !/^\{\s*(?:type\s+\w+\s*,?\s*)+\}$/.test(names!))
    .map(([, , from]) => from!);
const fileOf = (name: string) => contract[`../../../contract/src/${name}.ts`];

/** @returns the way from a module of the contract to the schemas, if there is one. */
function wayToSchemas(name: string, seen = new Set<string>()): string | undefined {
  if (seen.has(name)) return undefined;
  seen.add(name);
  for (const from of valuesOf(fileOf(name) ?? '')) {
    if (from === 'zod') return name;
    const further = from.startsWith('./') && wayToSchemas(from.slice(2, -3), seen);
    if (further) return `${name} → ${further}`;
  }
  return undefined;
}

it('no screen brings the schemas along, which are 25 KB on the line: lists and limits stand in files without them', () => {
  const taken = Object.entries(ours)
    .filter(([file]) => !/\.test\.tsx?$/.test(file))
    .flatMap(([file, text]) => [...valuesOf(text)].map((from) => ({ file, from })))
    .filter(({ from }) => from.startsWith('@kist/contract/'))
    .map(({ file, from }) => ({ file, name: from.slice('@kist/contract/'.length) }));
  expect(taken.length).toBeGreaterThan(50);
  expect(taken.every(({ name }) => fileOf(name) !== undefined)).toBe(true);
  const heavy = taken.flatMap(({ file, name }) => {
    const way = wayToSchemas(name);
    return way ? [`${file}: ${way}`] : [];
  });
  expect(heavy).toEqual([]);
});
