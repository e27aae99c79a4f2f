import { describe, expect, inject, it } from 'vitest';
import { LANGUAGES, type Language } from '@kist/contract/codes';
import { ERROR_CODES } from '@kist/contract/errors';
import { RULE_CODES } from '@kist/contract/lock-policy';
import { MORE_PARTS } from './backend.ts';
import { tagOf } from './languages.ts';

const files = import.meta.glob<string>(['../../public/locales/*.json', '../../public/locales/*/*.json'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
declare module 'vitest' {
  interface ProvidedContext {
    /** Our sources, and those of contract and server, which name keys too (`field.*`, `errors.*`, `rules.*`, notices). */
    sources: { ours: string; theirs: string };
  }
}
const { ours, theirs } = inject('sources');

type Words = Map<string, string>;
function flatten(value: object, prefix = '', into: Words = new Map()): Words {
  for (const [name, child] of Object.entries(value)) {
    if (typeof child === 'string') into.set(prefix + name, child);
    else flatten(child as object, `${prefix}${name}.`, into);
  }
  return into;
}
const PARTS = ['', ...MORE_PARTS.map((part) => `${part}/` as const)];
const textOf = (part: string, code: Language) => files[`../../public/locales/${part}${code}.json`] ?? '{}';
const load = (code: Language): Words =>
  new Map(PARTS.flatMap((part) => [...flatten(JSON.parse(textOf(part, code)) as object)]));
const english = load('en');
const PLURAL = /_(zero|one|two|few|many|other)$/;
const baseOf = (key: string) => key.replace(PLURAL, '');
const isPlural = (key: string) => PLURAL.test(key) && english.has(`${baseOf(key)}_other`);
const englishBases = new Set([...english.keys()].map((key) => (isPlural(key) ? baseOf(key) : key)));
const blanks = (text: string) => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((hit) => hit[1] as string).toSorted();

/** Keys that a language must have: each plural of English in the forms of that language. */
const wanted = (code: Language): string[] => {
  const forms = new Intl.PluralRules(tagOf(code)).resolvedOptions().pluralCategories;
  return [...englishBases]
    .flatMap((base) => (english.has(base) ? [base] : forms.map((form) => `${base}_${form}`)))
    .toSorted();
};

/** Words that stay as they are in every language: names, abbreviations, the product's own terms. */
const SAME_WORDS =
  /\b(IMEI|OTP|PDF|SMS|QR|PIN|M-PIN|EMI|EMIs|UPI|SIM|APR|PAN|Aadhaar|WhatsApp|JPEG|PNG|MB|GPS|Wi-Fi|Android|iPhone|Apple|DPC|AMAPI|LINKFL|ABCDE1234F|OK|AM|PM|s|N)\b/g;
/** A language may write a short everyday word as English does; each is listed by key. */
const SAME_KEYS: Partial<Record<Language, readonly string[]>> = { sp: ['customers.plan'] };
const isTranslatable = (text: string) =>
  /[A-Za-z]{2}/.test(text.replace(/\{\{\s*\w+\s*\}\}/g, '').replace(SAME_WORDS, ''));

const sources = `${ours}\n${theirs}`;
const areas = [...new Set([...englishBases].map((key) => key.split('.')[0] as string))].join('|');
/** 'area.key' in quotes, anywhere: also in tables that are handed to t() elsewhere. */
const literals = new Set(
  [...sources.matchAll(new RegExp(`['"\`]((?:${areas})\\.[\\w.]+)['"\`]`, 'g'))].map((hit) => hit[1] as string),
);
/** `area.${part}` in back quotes. */
const patterns = [...sources.matchAll(new RegExp(`\`((?:${areas})\\.[^\`\\s]*\\$\\{[^\`]*)\``, 'g'))].map(
  (hit) =>
    new RegExp(
      `^${(hit[1] as string)
        .replace(/\$\{[^}]*\}/g, '\u0000')
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('\u0000', '[\\w.]+')}$`,
    ),
);
const isUsed = (base: string) => literals.has(base) || patterns.some((pattern) => pattern.test(base));

describe('English', () => {
  it('has a sentence for every key that the code names', () => {
    const named = [...ours.matchAll(/\bt\(\s*'([\w.]+)'/g)].map((hit) => hit[1] as string);
    expect(named.filter((key) => !englishBases.has(key))).toEqual([]);
    expect([...literals].filter((key) => /^(field|messages)\./.test(key) && !englishBases.has(key))).toEqual([]);
  });
  it('has a sentence for every error code and every rule of the gate', () => {
    expect(ERROR_CODES.filter((code) => !englishBases.has(`errors.${code}`))).toEqual([]);
    expect(RULE_CODES.filter((code) => !englishBases.has(`rules.${code}`))).toEqual([]);
  });
  it('counts with a form for one, or says the number behind what it counts', () => {
    const without = [...english].filter(([key, text]) => !isPlural(key) && /\{\{count\}\} \p{L}+s\b/u.test(text));
    expect(without).toEqual([]);
  });
  it('has no key that nothing uses', () => {
    expect([...englishBases].filter((base) => !isUsed(base))).toEqual([]);
  });
});

describe.each(LANGUAGES)('%s', (code) => {
  const words = load(code);
  it('has exactly the keys of English, plurals in its own forms', () => {
    expect([...words.keys()].toSorted()).toEqual(wanted(code));
  });
  it('keeps every blank of a sentence', () => {
    const wrong = [...words].filter(([key, text]) => {
      const model = english.get(key) ?? english.get(`${baseOf(key)}_other`) ?? '';
      const lost = blanks(model).filter((blank) => !blanks(text).includes(blank));
      const added = blanks(text).filter((blank) => !blanks(model).includes(blank));
      // A form for one may say the number as a word.
      return added.length > 0 || lost.some((blank) => blank !== 'count' || !PLURAL.test(key));
    });
    expect(wrong).toEqual([]);
  });
  it('is nowhere empty and nowhere left in English', () => {
    const bad = [...words].filter(([key, text]) => {
      if (text.trim() === '') return true;
      if (code === 'en' || SAME_KEYS[code]?.includes(key)) return false;
      return text === english.get(key) && isTranslatable(text);
    });
    expect(bad).toEqual([]);
  });
  it('writes numbers in the digits of money', () => {
    const otherDigits = /(?![0-9])\p{Nd}/u;
    expect([...words].filter(([, text]) => otherDigits.test(text))).toEqual([]);
  });
  it.each(PARTS)('is at most 15 KB on the wire: %s', async (part) => {
    const zipped = new Response(new Response(textOf(part, code)).body?.pipeThrough(new CompressionStream('gzip')));
    expect((await zipped.arrayBuffer()).byteLength).toBeLessThanOrEqual(15 * 1024);
  });
});
