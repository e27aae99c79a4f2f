import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SETUP_CODE_SIGNS, groupedSetupCode, readSetupCode, setupCode } from './setup-code.ts';

const orgs = fc.integer({ min: 1, max: 1_000_000 });
const secrets = fc.bigInt({ min: 0n, max: 2n ** 35n - 1n });

it('what is shown is at most 12 signs, and typed in any way it is read as the same code of the same organisation', () => {
  fc.assert(
    fc.property(orgs, secrets, (orgId, secret) => {
      const code = setupCode(orgId, secret)!;
      expect(code.length).toBeGreaterThanOrEqual(8);
      expect(code.length).toBeLessThanOrEqual(12);
      for (const typed of [
        code,
        groupedSetupCode(code),
        ` ${groupedSetupCode(code).toLowerCase().replaceAll('-', ' ')} `,
      ])
        expect(readSetupCode(typed)).toEqual({ code, orgId });
    }),
  );
});

it('two codes are two: of other organisations and of other secrets', () => {
  fc.assert(
    fc.property(orgs, secrets, orgs, secrets, (org, secret, otherOrg, otherSecret) => {
      fc.pre(org !== otherOrg || secret !== otherSecret);
      expect(setupCode(org, secret)).not.toBe(setupCode(otherOrg, otherSecret));
    }),
  );
});

it('no sign is taken for another, and what is no code is none', () => {
  for (const pair of ['0O', '1I', '1L', 'IL', '2Z', '5S', '8B', 'UV', '0Q', 'OQ'])
    expect(Array.from(pair).filter((sign) => SETUP_CODE_SIGNS.includes(sign)).length, pair).toBeLessThan(2);
  for (const typed of ['', 'hello', '3', '33333333', 'AAAA AAAA AAAA A', '1AAA-AAAA', '{"a":1}', 'आआआआ-आआआआ'])
    expect(readSetupCode(typed), typed).toBeUndefined();
  expect(setupCode(2_000_000, 1n)).toBeUndefined();
});

it('is shown in groups that the eye keeps', () => {
  expect(groupedSetupCode('34679ACDE')).toBe('346-79A-CDE');
  expect(groupedSetupCode('346789AC')).toBe('3467-89AC');
  expect(groupedSetupCode('346789ACDEFG')).toBe('3467-89AC-DEFG');
});
