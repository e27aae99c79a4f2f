import { expect, test } from 'vitest';
import { addDays, isoDate } from '@kist/contract/dates';
import * as organisations from '#server/organisations/organisations.ts';
import { createTestDatabase } from '#test/database.ts';
import { otherOrganisations } from './brands.ts';
import { holidaysAfter } from './holidays.ts';
import { DEMO_ORG, makeOrganisation, makeOther } from './organisation.ts';

const TODAY = isoDate('2026-11-29');

test('the days of the nation and festivals of the year that comes, in order, none that is over', () => {
  const named = ['2026-12-25', '2027-01-26', '2027-03-22', '2027-08-15', '2027-09-04', '2027-10-02', '2027-10-09'];
  expect(holidaysAfter(TODAY)).toEqual([...named, '2027-10-29']);
  // Of a year whose festivals nobody has told yet.
  expect(holidaysAfter(isoDate('2031-01-26'))).toEqual(['2031-08-15', '2031-10-02', '2031-12-25', '2032-01-26']);
});

test('the demo’s shop and three others carry holidays, as they stand in a file; the shop’s first half year keeps its days', async () => {
  const db = await createTestDatabase();
  await db.operator.transaction(DEMO_ORG, (tx) => makeOrganisation(tx, TODAY));
  const others = otherOrganisations(TODAY).filter(({ holidays }) => holidays !== undefined);
  expect(others.map(({ org_id }) => org_id).toSorted((a, b) => a - b)).toEqual([35, 36, 46]);
  for (const one of others) await db.operator.transaction(one.org_id, (tx) => makeOther(tx, one));
  const daysOf = (orgId: number) => db.read(orgId, organisations.holidays);
  for (const { org_id } of others) expect(await daysOf(org_id)).toEqual(holidaysAfter(TODAY));
  const own = await daysOf(DEMO_ORG);
  expect(own).toEqual(expect.arrayContaining(['2027-08-15', '2027-10-02', '2027-10-29', '2028-01-26']));
  expect(own.every((day) => day > addDays(TODAY, 180))).toBe(true);
});
