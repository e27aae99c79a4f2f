import { describe, expect, it } from 'vitest';
import { MORE_PARTS } from './i18n/backend.ts';
import { partsOf } from './i18n/more.ts';

/** The app's own files by their names below `src`. */
const sources = new Map(
  Object.entries(import.meta.glob<string>('./**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true })).map(
    ([file, text]) => [file.slice(2), text],
  ),
);

/** @returns what comes with this file before any of it runs: what it imports, and what that imports; types bring nothing, and what is asked for while it runs comes later */
function bringsAtOnce(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = sources.get(file) ?? '';
  for (const [, name] of text.matchAll(/^import\s(?!type\b)(?:[^;'"]*? from )?'([^']+)';$/gm)) {
    if (name!.startsWith('#web/')) bringsAtOnce(name!.slice('#web/'.length), found);
    else if (name!.startsWith('./')) bringsAtOnce(`${file.slice(0, file.lastIndexOf('/'))}${name!.slice(1)}`, found);
    else found.add(name!);
  }
  return found;
}
const brought = (screen: string, wanted: RegExp) =>
  [...bringsAtOnce(`screens/${screen}/screen.tsx`)].filter((file) => wanted.test(file));

const words = import.meta.glob<object>('../public/locales/*/en.json', { import: 'default', eager: true });
const areasOf = (part: string) => Object.keys(words[`../public/locales/${part}/en.json`] ?? {});

describe('what a screen waits for before it stands', () => {
  it('is found at all', () => {
    expect(brought('add-customer', /identity-step/)).toEqual(['screens/add-customer/identity-step.tsx']);
    expect(brought('signature', /signature_pad/)).toEqual(['signature_pad']);
  });
  it('a sale does not wait for what its later steps show', () => {
    expect(brought('add-customer', /signature_pad|papers\/|scan\/|(device|emi|consent)-step|images\.ts/)).toEqual([]);
  });
  it('no screen waits for the menu and for what is stored for later', () => {
    expect(brought('root', /menu|birthday|passkey|stock-up/)).toEqual([]);
  });
  it('what is told and kept of a payment is there before the network can go', () => {
    expect(brought('root', /toast-region|app-outbox/)).toEqual(['offline/app-outbox.ts', 'ui/toast-region.tsx']);
  });
  it.each(['add-customer', 'customer-details'])(
    '%s says at once what stands in its own words, and waits for no other',
    (screen) => {
      const parts = partsOf(screen);
      expect(parts.length).toBe(1);
      const foreign = MORE_PARTS.filter((part) => !parts.includes(part)).flatMap(areasOf);
      const says = new RegExp(`['"\`](?:${foreign.join('|')})\\.[\\w.]*(?:['"\`]|\\$\\{)`);
      expect(brought(screen, /^/).filter((file) => says.test(sources.get(file) ?? ''))).toEqual([]);
    },
  );
});
