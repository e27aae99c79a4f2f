import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  detailsSchema,
  lineNameSchema,
  machineTextSchema,
  noteSchema,
  optionalPersonNameSchema,
  personNameSchema,
} from './fields.ts';
import { LIMITS } from './limits.ts';
import { cleanLine, cleanMachineText, cleanNote } from './text.ts';

/** With a title that can be read: U+202E. */
const named = (chars: readonly string[]): [string, string][] =>
  chars.map((char) => [
    Array.from(char, (one) => `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`).join(' '),
    char,
  ]);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_none, index) => from + index);
/** What must never stand in a name: one by one, as the issue and Unicode name them. */
const DECEIVERS = [
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...range(0x200b, 0x200b),
  ...range(0x200e, 0x200f),
  ...range(0x2060, 0x2065),
  ...range(0xfe00, 0xfe0f),
  ...range(0xe0020, 0xe007f),
  0x61c,
  0xfeff,
  0xad,
  0x180e,
  0x3164,
  0x2800,
].map((code) => String.fromCodePoint(code));
const LINE_ENDS = ['\n', '\r', '\r\n', '\t', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const REFUSED = [
  '\u0000',
  '\u0007',
  '\u001B',
  '\u007F',
  '\u009F',
  '\uE000',
  '\u{F0000}',
  '\u0378',
  '\uFFFF',
  '\uD800',
  '\uDC00',
];
/** Names as people of the ten languages write them, some with the joiners that their letters need. */
const NAMES = [
  'Asha',
  "Mary-Anne O'Brien",
  'सविता मोरे',
  'श्री कृष्ण',
  'दर्\u200Dया',
  'हक्\u200Cक',
  'শ্রী র\u200D্যাব',
  'ಕನ್ನಡ ರಾಜ್\u200Cಕುಮಾರ್',
  'తెలుగు సాయి\u200Cరామ్',
  'ગુજરાતી',
  'தமிழ்',
  'ਪੰਜਾਬੀ',
  'Peña',
];

const hostile = fc.oneof(
  fc.constantFrom(
    ...DECEIVERS,
    ...LINE_ENDS,
    ...REFUSED,
    '\u200C',
    '\u200D',
    ' ',
    '\u00A0',
    '\u3000',
    '\u0301',
    '\u0323',
    '\u094D',
  ),
  fc.constantFrom(...NAMES),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const anyText = fc.array(hostile, { maxLength: 40 }).map((parts) => parts.join(''));
const run = { numRuns: 3000, seed: 20_261_122 };

const deceives = (text: string) => DECEIVERS.some((char) => text.includes(char));
const hasLostJoiner = (text: string) =>
  /(^|[^\u0900-\u0DFF])[\u200C\u200D]|[\u200C\u200D]([^\u0900-\u0DFF]|$)/u.test(text);

describe('typed text', () => {
  test.each(NAMES)('%s stays as it is written', (name) => {
    expect(personNameSchema.parse(name)).toBe(name.normalize('NFC'));
    expect(noteSchema().parse(name)).toBe(name.normalize('NFC'));
  });

  test('cleaned twice is cleaned once', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const clean of [cleanLine, cleanNote, (given: string) => cleanMachineText(given, 30)])
          expect(clean(clean(text))).toBe(clean(text));
      }),
      run,
    );
  });

  test('a line is one line of what can be seen, whatever was pasted', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = optionalPersonNameSchema.safeParse(text);
        if (!result.success) return;
        expect(result.data).not.toMatch(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u);
        expect(deceives(result.data) || hasLostJoiner(result.data)).toBe(false);
        expect(result.data).not.toMatch(/^\s|\s$|\s\s|[^\S ]/u);
        expect(result.data).toBe(result.data.normalize('NFC'));
        expect(result.data.length).toBeLessThanOrEqual(LIMITS.nameLength);
      }),
      run,
    );
  });

  test('a note keeps its lines, and nothing else that a line would not', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = noteSchema().safeParse(text);
        if (!result.success) return;
        expect(result.data.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u);
        expect(deceives(result.data) || hasLostJoiner(result.data)).toBe(false);
        expect(result.data).not.toMatch(/^\s|\s$|\n{3}| \n|\n /u);
      }),
      run,
    );
    expect(noteSchema().parse(' one\r\ntwo \u2028\r\r\r\r three ')).toBe('one\ntwo\n\nthree');
  });

  test('what a machine says is never refused for its characters', () => {
    const schema = machineTextSchema(400);
    fc.assert(
      fc.property(
        anyText.filter((text) => text.length <= 400),
        (text) => {
          const said = schema.parse(text);
          expect(said).not.toMatch(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u);
          expect(deceives(said)).toBe(false);
          expect(said).toBe(said.normalize('NFC'));
        },
      ),
      run,
    );
  });

  test('nor does it bring unseen characters in its details', () => {
    const said = { network: 'Ji\u202Eo', list: ['a\r\nb', { deep: '\u0000x' }], level: 3, isOn: true, none: null };
    expect(detailsSchema.parse(said)).toEqual({
      network: 'Jio',
      list: ['a b', { deep: 'x' }],
      level: 3,
      isOn: true,
      none: null,
    });
  });

  test.each(named(DECEIVERS))('%s is taken out of a name', (_name, char) => {
    expect(personNameSchema.parse(`As${char}ha`)).toBe('Asha');
    expect(noteSchema().parse(`${char}paid${char}`)).toBe('paid');
  });

  test.each(named(LINE_ENDS))('%s becomes a space in a name', (_name, char) => {
    expect(personNameSchema.parse(`Asha${char}Rao${char}`)).toBe('Asha Rao');
  });

  test.each(named(REFUSED))('%s is refused', (_name, char) => {
    for (const schema of [personNameSchema, lineNameSchema(), noteSchema()]) {
      const { error } = schema.safeParse(`Asha${char}Rao`);
      expect(error?.issues.map(({ message }) => message)).toEqual(['field.characters']);
    }
  });

  test.each(['', ' ', '\u200B', '\u202E\u2066', '\u3164', '\u2800 \u2800', '\r\n'])('%j is no name', (text) => {
    const { error } = personNameSchema.safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual(['field.required']);
  });

  test.each(['123', '...', '\u0301', '<>'])('%j has no letter, so it is no name', (text) => {
    const { error } = personNameSchema.safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual(['field.characters']);
  });

  test('no letter bears a tower of marks', () => {
    expect(personNameSchema.parse(`Z${'\u0323'.repeat(60)}o`).length).toBeLessThanOrEqual(10);
  });

  test('the longest text that a body can carry is refused before the work of normalising it, which takes 20 s for these 120,000 marks', () => {
    const marks = `a${'\u0301\u0323'.repeat(60_000)}`;
    for (const schema of [personNameSchema, noteSchema(), machineTextSchema(40)])
      expect(schema.safeParse(marks).success).toBe(false);
    cleanLine(marks);
  });
});
