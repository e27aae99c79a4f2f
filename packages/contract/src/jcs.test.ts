import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jcs } from './jcs.ts';

test('the example of RFC 8785, section 3.2', () => {
  const given = JSON.parse(
    String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
  ) as unknown;
  expect(jcs(given)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('names stand in the order of their UTF-16 units, as in section 3.2.3', () => {
  const names = ['€', '\r', '\ufb33', '1', '😀', '\u0080', 'ö'];
  const written = jcs(Object.fromEntries(names.map((name) => [name, name.length])));
  expect(Object.keys(JSON.parse(written) as object).filter((name) => name !== '1')).toEqual([
    '\r',
    '\u0080',
    'ö',
    '€',
    '😀',
    '\ufb33',
  ]);
  expect(written.startsWith(String.raw`{"\r":1,"1":1`)).toBe(true);
});

test('whatever order its names came in, a document is the same characters, and says the same', () => {
  const turned = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(turned)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([name, member]) => [name, turned(member)]),
          )
        : value;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const said = JSON.parse(JSON.stringify(value)) as unknown;
      expect(jcs(turned(said))).toBe(jcs(said));
      expect(JSON.parse(jcs(said))).toEqual(said);
    }),
  );
});
