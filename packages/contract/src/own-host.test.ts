import { expect, it, test } from 'vitest';
import { organisationFileSchema } from './organisation-file.ts';
import { ownHostSchema, sharedHostProblem } from './own-host.ts';

it.each(['emi.example.in', 'a.io', 'xn--c1yn36f.xn--11b4c3d', 'ravi.localhost', '9.mobile.example', 'a-b.c-d.in'])(
  '%s can be an organisation’s own',
  (host) => expect(ownHostSchema.safeParse(host).success).toBe(true),
);

it.each([
  ['localhost', 'machine'],
  ['LOCALHOST', 'small'],
  ['Emi.example.in', 'small'],
  ['127.0.0.1', 'number'],
  ['127.1', 'number'],
  ['0x7f.1', 'number'],
  ['2130706433', 'number'],
  ['[::1]', 'alone'],
  ['::1', 'alone'],
  ['emi', 'whole'],
  ['emi.example.in.', 'dot'],
  ['localhost.', 'dot'],
  ['emi.example.in:443', 'alone'],
  ['https://emi.example.in', 'alone'],
  ['emi.example.in/shop', 'alone'],
  ['emi example.in', 'alone'],
  ['-emi.example.in', 'shape'],
  ['emi-.example.in', 'shape'],
  ['emi..example.in', 'shape'],
  ['.example.in', 'shape'],
  ['emi_1.example.in', 'shape'],
  ['emi.example.1n', 'shape'],
  ['emi.example.i', 'shape'],
  [`${'a'.repeat(64)}.in`, 'shape'],
  [`${'a.'.repeat(126)}in`, 'shape'],
  ['', 'whole'],
])('%s can not', (host, why) => {
  const { error } = ownHostSchema.safeParse(host);
  expect(error?.issues.map(({ message }) => message)).toEqual([`host.${why}`]);
  const file = organisationFileSchema.safeParse([{ org_id: 1, slug: 'one', name: 'One', host }]);
  expect(file.error?.issues.map(({ path }) => path.join('.'))).toEqual(['0.host']);
});

test('the installation’s own address is nobody’s alone', () => {
  expect(sharedHostProblem('kist.example.in', 'kist.example.in')).toBe('host.shared');
  expect(sharedHostProblem('emi.example.in', 'kist.example.in')).toBeUndefined();
});
