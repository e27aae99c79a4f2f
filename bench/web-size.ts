import { readdirSync } from 'node:fs';
import { barePage } from '#bench/lib/bare-page.ts';
import { builtBytes, builtFile, closureOf, firstFiles, gzBytes, indexPage, routeFiles } from '#bench/lib/app-files.ts';
import type { Bench, Figure } from '#bench/lib/figures.ts';
import { inRoot } from '#scripts/lib/root.mjs';

const KB = 1000;
const FIRST_ROUTE = 'login';
/** What a counter opens all day. Over HTTP/1.1 a phone fetches six files at a time: each six more are 562 ms on a slow line. */
const EVERY_DAY = ['dashboard', 'customers', 'customers/:customer_id', 'add-customer', 'view-emi-details/:customer_id'];
const kb = (bytes: number): string => `${(bytes / KB).toFixed(1)} KB`;
const sumOf = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + builtBytes(file), 0);

const heaviest = (files: readonly string[]): { file: string; bytes: number } =>
  files
    .map((file) => ({ file, bytes: builtBytes(file) }))
    .reduce((a, b) => (b.bytes > a.bytes ? b : a), { file: 'none', bytes: 0 });

/** What JavaScript a first visit of the screens of every day waits for: the most files and the most bytes. */
function firstVisit(shell: ReadonlySet<string>, routes: ReadonlyMap<string, string[]>): Figure[] {
  const visits = EVERY_DAY.map((route) => {
    const files = new Set([...shell, ...(routes.get(route) ?? [])]);
    return { route, files: files.size, bytes: sumOf(files) };
  });
  const most = visits.reduce((a, b) => (b.files > a.files ? b : a));
  const heaviest = visits.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return [
    {
      name: 'first visit, files',
      of: 'JavaScript before a screen of every day stands',
      value: most.files,
      unit: '',
      atMost: 12,
      detail: most.route,
    },
    {
      name: 'first visit, JS',
      of: 'gzip, before a screen of every day stands',
      value: heaviest.bytes / KB,
      unit: 'KB',
      atMost: 215,
      detail: heaviest.route,
    },
  ];
}

/** What comes over the line, gzip at its best: all JavaScript that runs before the sign-in screen can be used, against a bare React page. */
export const webSize: Bench = {
  name: 'web-size',
  async run() {
    const page = indexPage();
    const shell = closureOf(firstFiles());
    const routes = routeFiles();
    const first = closureOf([...shell, ...(routes.get(FIRST_ROUTE) ?? [])]);
    const inline = [...page.matchAll(/<script[^>]*>([\s\S]+?)<\/script>/g)].reduce(
      (sum, [, text]) => sum + gzBytes(text!),
      0,
    );
    const initial = sumOf(first) + inline;
    const bare = gzBytes((await barePage()).js);
    const chunks = [...new Set([...routes.values()].flat())].filter((file) => !shell.has(file));
    const isScreen = (file: string) => /\/screen-/.test(file);
    const screen = heaviest(chunks.filter(isScreen));
    const shared = heaviest(chunks.filter((file) => !isScreen(file)));
    const styles = [...page.matchAll(/href="\/(assets\/[^"]+\.css)"/g)].map(([, file]) => file!);
    const inlineStyles = [...page.matchAll(/<style[^>]*>([\s\S]+?)<\/style>/g)].reduce(
      (sum, [, text]) => sum + gzBytes(text!),
      0,
    );
    const locale = heaviest(
      readdirSync(inRoot('packages', 'web', 'dist', 'locales'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.json'))
        .map((name) => `locales/${name}`),
    );
    const precached = [
      ...new Set([...builtFile('sw.js').matchAll(/url:\s*"([^"]+)"/g)].map(([, url]) => url!.replace(/^\//, ''))),
    ];
    return [
      {
        name: 'initial JS',
        of: `shell and ${FIRST_ROUTE} ÷ bare React page, gzip`,
        value: initial / bare,
        unit: '×',
        atMost: 1.9,
        detail: `${kb(initial)} ÷ ${kb(bare)}`,
      },
      {
        name: 'initial JS, in all',
        of: 'gzip',
        value: initial / KB,
        unit: 'KB',
        atMost: 150,
        detail: `${first.size} files`,
      },
      ...firstVisit(shell, routes),
      {
        name: 'largest screen chunk',
        of: 'gzip',
        value: screen.bytes / KB,
        unit: 'KB',
        atMost: 20,
        detail: `${screen.file}, one of ${chunks.filter(isScreen).length}`,
      },
      {
        name: 'largest chunk that screens share',
        of: 'gzip',
        value: shared.bytes / KB,
        unit: 'KB',
        atMost: 20,
        detail: shared.file,
      },
      {
        name: 'CSS',
        of: 'gzip',
        value: (sumOf(styles) + inlineStyles) / KB,
        unit: 'KB',
        atMost: 12,
        detail: `${kb(inlineStyles)} of it in the page`,
      },
      {
        name: 'heaviest locale',
        of: 'gzip',
        value: locale.bytes / KB,
        unit: 'KB',
        atMost: 15,
        detail: locale.file,
      },
      {
        name: 'precache',
        of: 'gzip, all files',
        value: sumOf(precached) / KB,
        unit: 'KB',
        atMost: 320,
        detail: `${precached.length} files`,
      },
    ];
  },
};
