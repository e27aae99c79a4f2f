import { expect, it, test } from 'vitest';
import { organisationFileSchema } from './organisation-file.ts';
import { ownHostSchema, sharedHostProblem } from './own-host.ts';

it.each(['emi.example.in', 'a.io', 'xn--c1yn36f.xn--11b4c3d', 'ravi.localhost', '9.mobile.example', 'a-b.c-d.in'])(
  '%s can be an organisation’s own',
  (host) => expect(ownHostSchema.safeParse(host).success).toBe(true),
);

it.each([
  ['localhost', /this machine/],
  ['LOCALHOST', /small letters/],
  ['Emi.example.in', /small letters/],
  ['127.0.0.1', /number of a machine/],
  ['127.1', /number of a machine/],
  ['0x7f.1', /number of a machine/],
  ['2130706433', /number of a machine/],
  ['[::1]', /without https/],
  ['::1', /without https/],
  ['emi', /with a dot in it/],
  ['emi.example.in.', /dot at its end/],
  ['localhost.', /dot at its end/],
  ['emi.example.in:443', /port/],
  ['https://emi.example.in', /https/],
  ['emi.example.in/shop', /path/],
  ['emi example.in', /without https/],
  ['-emi.example.in', /as emi/],
  ['emi-.example.in', /as emi/],
  ['emi..example.in', /as emi/],
  ['.example.in', /as emi/],
  ['emi_1.example.in', /as emi/],
  ['emi.example.1n', /as emi/],
  ['emi.example.i', /as emi/],
  [`${'a'.repeat(64)}.in`, /as emi/],
  [`${'a.'.repeat(126)}in`, /as emi/],
  ['', /with a dot in it/],
])('%s can not', (host, why) => {
  const { error } = ownHostSchema.safeParse(host);
  expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(why)]);
  const file = organisationFileSchema.safeParse([{ org_id: 1, slug: 'one', name: 'One', host }]);
  expect(file.error?.issues.map(({ path }) => path.join('.'))).toEqual(['0.host']);
});

test('the installation’s own address is nobody’s alone', () => {
  expect(sharedHostProblem('kist.example.in', 'kist.example.in')).toMatch(/KIST_PUBLIC_URL/);
  expect(sharedHostProblem('emi.example.in', 'kist.example.in')).toBeUndefined();
});
