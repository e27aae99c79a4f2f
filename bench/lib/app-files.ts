import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { inRoot } from '#scripts/lib/root.mjs';

const dist = inRoot('packages', 'web', 'dist');
const IMPORTS = /(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g;

export const gzBytes = (content: string | Buffer): number => gzipSync(content, { level: 9 }).length;
export const builtFile = (name: string): string => readFileSync(path.join(dist, name), 'utf8');
export const builtBytes = (name: string): number => gzBytes(readFileSync(path.join(dist, name)));
export const indexPage = (): string => builtFile('index.html');

/** @returns these files and all that they import at once, relative to the built app */
export function closureOf(entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const [, relative] of builtFile(file).matchAll(IMPORTS))
      visit(path.posix.join(path.posix.dirname(file), relative!));
  };
  entries.forEach(visit);
  return found;
}

interface PageFiles {
  first: string[];
  files: string[];
  routes: Record<string, number[]>;
}

/** What the built page says of its files: vite.config.ts writes it, the page asks for them by it. */
function pageFiles(): PageFiles {
  const [, encoded = ''] = /name="route-files" content="([^"]*)"/.exec(indexPage()) ?? [];
  return JSON.parse(encoded.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as PageFiles;
}

/** @returns the app's entry and what it imports at once */
export const firstFiles = (): string[] => pageFiles().first;

/** @returns the chunks of each route, as the page lists them for preloading */
export function routeFiles(): Map<string, string[]> {
  const { files, routes } = pageFiles();
  return new Map(Object.entries(routes).map(([route, numbers]) => [route, numbers.map((number) => files[number]!)]));
}
