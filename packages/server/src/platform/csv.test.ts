import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, parseCsv } from './csv.ts';

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

describe('a file of comma-separated values', () => {
  it('is read with a byte order mark, CRLF or LF, quotes, commas and line ends inside them, and Hindi text', () => {
    expect(fieldsOf('\uFEFFनाम,शहर\r\n"शेख, ""इरफ़ान""",पुणे\r\n')).toEqual([
      ['नाम', 'शहर'],
      ['शेख, "इरफ़ान"', 'पुणे'],
    ]);
    expect(fieldsOf('a,b\n"one\r\ntwo",\n,')).toEqual([
      ['a', 'b'],
      ['one\r\ntwo', ''],
      ['', ''],
    ]);
  });
  it('names the line on which each record begins, and passes over empty lines', () => {
    expect(parseCsv('a\n\n"x\ny"\r\n\r\nb').map(({ line, fields }) => [line, ...fields])).toEqual([
      [1, 'a'],
      [3, 'x\ny'],
      [6, 'b'],
    ]);
  });
  it.each([
    ['a\n"never closed', 2],
    ['a\nb"c', 2],
    ['"a"b', 1],
  ])('%j is none, and says where', (text, line) => {
    const read = () => parseCsv(text);
    expect(read).toThrow(CsvError);
    expect(read).toThrow(expect.objectContaining({ line }) as Error);
  });
  it('gives back whatever was written by the rules', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', 'ह', ' '), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 }), (records) => {
        const text = records
          .map((fields) => fields.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        expect(fieldsOf(text)).toEqual(records);
      }),
    );
  });
});
