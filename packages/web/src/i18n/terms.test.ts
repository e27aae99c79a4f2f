import { describe, expect, inject, it } from 'vitest';
import { LANGUAGES, type Language } from '@kist/contract/codes';
import { MORE_PARTS } from './backend.ts';
import { misused } from './misused.ts';
import { TERMS } from './terms.ts';

const files = {
  ...import.meta.glob<object>('../../public/locales/*.json', { import: 'default', eager: true }),
  ...import.meta.glob<object>('../../public/locales/*/*.json', { import: 'default', eager: true }),
};
const appOf = (code: Language): Texts =>
  new Map(
    ['', ...MORE_PARTS.map((part) => `${part}/`)].flatMap((part) => [
      ...flatten(files[`../../public/locales/${part}${code}.json`] ?? {}),
    ]),
  );
declare module 'vitest' {
  interface ProvidedContext {
    /** What reaches customers without the app, as its sources: messages by language, and the words of a phone's own screens. */
    told: { messages: Record<string, string>; phone: string };
  }
}
const told = inject('told');

type Texts = Map<string, string>;
function flatten(value: object, prefix = '', into: Texts = new Map()): Texts {
  for (const [name, child] of Object.entries(value)) {
    if (typeof child === 'string') into.set(prefix + name, child);
    else flatten(child as object, `${prefix}${name}.`, into);
  }
  return into;
}
/** `name: 'text'` of a table of words in TypeScript. */
const named = (source: string, prefix: string): Texts =>
  new Map(
    [...source.matchAll(/\b(\w+):\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)].map(([, name, single, double]) => [
      `${prefix}${name}`,
      (single ?? double ?? '').replaceAll(/\\(.)/g, '$1'),
    ]),
  );
const messagesOf = (code: Language) => named(told.messages[code] ?? '', 'sms.');
const phoneOf = (code: Language) =>
  named(new RegExp(`const ${code}: LockWords = \\{(.*?)\\n\\};`, 's').exec(told.phone)?.[1] ?? '', 'phone.');
const textsOf = (code: Language): Texts => new Map([...appOf(code), ...messagesOf(code), ...phoneOf(code)]);

describe.each(LANGUAGES)('the words of %s', (code) => {
  it('are all read: app, messages and the phone’s own screens', () => {
    expect([...messagesOf(code).keys()].toSorted()).toEqual([...messagesOf('en').keys()].toSorted());
    expect([...phoneOf(code).keys()].toSorted()).toEqual([...phoneOf('en').keys()].toSorted());
    expect(messagesOf(code).size).toBeGreaterThanOrEqual(14);
    expect(phoneOf(code).size).toBeGreaterThanOrEqual(35);
    expect(textsOf(code).size).toBeGreaterThan(800);
  });
  it('are one for each thing', () => {
    expect(misused(textsOf(code), TERMS[code])).toEqual([]);
  });
  it('for what to tap are in the message what they are on the phone', () => {
    const button = phoneOf(code).get('phone.dispute');
    const inQuotes = [...(messagesOf(code).get('sms.locked') ?? '').matchAll(/["“«]([^"”»]+)["”»]/g)];
    expect(inQuotes.map((hit) => hit[1])).toEqual([button]);
  });
  it('that are forbidden are found wherever they are planted, and each has another to use', () => {
    const places = [...textsOf(code)].filter(([key]) => /^(auth\.welcome|sms\.notice|phone\.notice)$/.test(key));
    expect(places).toHaveLength(3);
    for (const term of TERMS[code]) {
      const word = term.word.replace('*', 's');
      const planted = new Map(places.map(([key, text]) => [key, `${text} ${word}, ${word}.`]));
      expect(misused(planted, [term])).toHaveLength(3);
      expect(term.use).not.toBe('');
    }
  });
});

it('a word is a whole one, whatever its case, beside the phrases in which it is right', () => {
  const terms = [
    { word: 'code*', use: 'OTP', but: ['QR code'], except: ['c'] },
    { word: 'late', use: 'overdue', but: ['late fee'] },
    { word: 'बंद', use: 'लॉक' },
  ];
  const found = (key: string, text: string) => misused(new Map([[key, text]]), terms).length;
  expect(found('a', 'Codes of the day')).toBe(1);
  expect(found('a', 'Scan this QR code')).toBe(0);
  expect(found('a', 'This QR code, or the code of the day')).toBe(1);
  expect(found('c', 'The code')).toBe(0);
  expect(found('a', 'A template; a later date; a late fee; {{late}}')).toBe(0);
  expect(found('a', 'Two days LATE')).toBe(1);
  expect(found('a', 'कैमरा बंद है')).toBe(1);
  expect(found('a', 'बंदी')).toBe(0);
});
