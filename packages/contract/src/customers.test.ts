import { expect, test } from 'vitest';
import { EDIT_ACTIONS } from './codes.ts';
import { customerProfileSchema, registerBodySchema } from './customers.ts';

const person = { first_name: 'Savita', mobile: '9812345678' };
const read = (body: object) => registerBodySchema.safeParse({ draft: true, plan_id: 1, ...body });

test('an optional field of the form that was left empty counts as not sent', () => {
  const empty = { email: '', alternate_mobile: '', birth_on: '', aadhaar_last4: '', pan: '' };
  const parsed = read({ customer: { ...person, ...empty } });
  expect(parsed.error?.issues ?? []).toEqual([]);
  expect(JSON.stringify(parsed.data)).toBe(JSON.stringify(read({ customer: person }).data));
  const device = { imei1: '490154203237518', brand: 'Redmi', model: '13C' };
  expect(JSON.stringify(read({ device: { ...device, imei2: '' } }).data)).toBe(JSON.stringify(read({ device }).data));
});

test('and one that holds something is judged as before, in its own words', () => {
  const customer = { ...person, email: 'x', alternate_mobile: '1', birth_on: 'then', aadhaar_last4: '12', pan: 'abc' };
  const issues = read({ customer }).error?.issues.map(({ path, message }) => [path.at(-1), message]);
  expect(issues).toEqual([
    ['alternate_mobile', 'field.mobile'],
    ['email', 'field.email'],
    ['birth_on', 'field.date'],
    ['aadhaar_last4', 'field.aadhaar_last4'],
    ['pan', 'field.pan'],
  ]);
});

test('the number of a plan may be written as text; what is no number is none', () => {
  expect(read({ plan_id: '12' }).data?.plan_id).toBe(12);
  for (const plan_id of ['', 'x', '1e3', '-1', 1.5, null])
    expect([plan_id, read({ plan_id }).success]).toEqual([plan_id, false]);
});

test('what a profile offers are edits by their names: one that is spelled wrong is none', () => {
  const offered = customerProfileSchema.shape.edit_actions;
  expect(offered.safeParse([...EDIT_ACTIONS]).success).toBe(true);
  expect(offered.safeParse(['EDIT_DOCUMENT']).success).toBe(false);
  // @ts-expect-error the compiler says so too, wherever one asks for it
  expect(offered.parse([]).includes('EDIT_DOCUMENT')).toBe(false);
});
