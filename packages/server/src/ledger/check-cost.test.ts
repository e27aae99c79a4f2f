import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { explained } from '#test/explained.ts';
import { makeOrganisation, setClock } from '#test/factories.ts';
import { type PlantedHouse, plantHouse } from '#test/planted-house.ts';
import { checkWhole, faultsOf } from './self-check.ts';

const HOUSE: PlantedHouse = { orgId: 20, shops: 10, perShop: 60, today: '2026-05-10' };
const AGREEMENTS = HOUSE.shops * HOUSE.perShop;
/** Of one agreement: its instalments by bucket, its lines, payments and sums, a dozen times. A statement that looks at all of them for each is a thousand times this. */
const ROWS_OF_AN_AGREEMENT = 500;
const db = await createTestDatabase();
await makeOrganisation(db, HOUSE.orgId);
await setClock(db, `${HOUSE.today}T12:00:00`);
await plantHouse(db, HOUSE);

test('what the check of the books handles grows with the books, not with their square', async () => {
  const costs = await db.read(HOUSE.orgId, async (plain) => {
    const look = explained(plain);
    expect(await faultsOf(look.tx, null)).toEqual([]);
    return look.costs;
  });
  for (const { text, rowsHandled } of costs)
    expect(rowsHandled, text.slice(0, 200)).toBeLessThanOrEqual(ROWS_OF_AN_AGREEMENT * AGREEMENTS);
});

test('in slices it finds what it finds at once, and misses nothing between two of them', async () => {
  expect((await checkWhole(db, HOUSE.orgId, 90)).faults).toEqual([]);
  const [{ id } = { id: '' }] = await db.plant<{ id: string }>(
    ['instalments'],
    `update instalments i set paid_principal_paise = paid_principal_paise - 1 from (select agreement_id from agreements where org_id = ${HOUSE.orgId}
       and paid_count > 0 order by agreement_id offset 342 limit 1) a where i.agreement_id = a.agreement_id and i.no = 1 returning i.agreement_id as id`,
  );
  const { faults } = await checkWhole(db, HOUSE.orgId, 90);
  expect(faults.length).toBeGreaterThan(0);
  const [{ no } = { no: '' }] = await db.asOwner<{ no: string }>(
    'select agreement_no as no from agreements where agreement_id = $1',
    [id],
  );
  for (const fault of faults) expect(fault).toContain(`(${no}`);
});
