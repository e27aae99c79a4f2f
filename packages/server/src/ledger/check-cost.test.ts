import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { type Cost, explained } from '#test/explained.ts';
import { makeOrganisation, setClock } from '#test/factories.ts';
import { type PlantedHouse, plantHouse } from '#test/planted-house.ts';
import { checkMoved, checkWhole, faultsOf } from './self-check.ts';

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

test('a night has two slices looked at side by side, so that a machine of two cores is done in half the time, and never more', async () => {
  let open = 0;
  let most = 0;
  const watched: Pick<typeof db, 'read' | 'transaction'> = {
    transaction: db.transaction,
    read: async (orgId, work) => {
      open += 1;
      most = Math.max(most, open);
      try {
        return await db.read(orgId, work);
      } finally {
        open -= 1;
      }
    },
  };
  await checkWhole(watched, HOUSE.orgId, 90);
  expect(most).toBe(2);
});

test('where both slices side by side take longer than a statement may, and finding the next does too, all is looked at in smaller ones', async () => {
  const most = 120;
  const looked: string[] = [];
  const slow: Pick<typeof db, 'read' | 'transaction'> = {
    transaction: db.transaction,
    read: (orgId, work) =>
      db.read(orgId, (tx) => {
        const query: typeof tx.query = async (text, values, name) => {
          const ids = (values ?? []).find((value): value is string[] => Array.isArray(value)) ?? [];
          const isAskedForMore = / limit \$\d/.test(text) && (values ?? []).some((value) => Number(value) > most);
          if (ids.length > most || isAskedForMore)
            await tx.query(`set local statement_timeout = '1ms'; select pg_sleep(1)`);
          if (text.includes("'number of instalments'")) looked.push(...ids);
          return tx.query(text, values, name);
        };
        return work({ ...tx, query });
      }),
  };
  expect((await checkWhole(slow, HOUSE.orgId, AGREEMENTS / 2)).faults.length).toBeGreaterThan(0);
  expect(looked).toHaveLength(AGREEMENTS);
  expect(new Set(looked).size).toBe(AGREEMENTS);
});

test('what moved is found by walking its journals once, however small the slices, and each agreement of it is looked at once', async () => {
  const [{ journals } = { journals: 0 }] = await db.asOwner<{ journals: number }>(
    `select count(*)::int as journals from journals where org_id = ${HOUSE.orgId}`,
  );
  // Each in a transaction of its own, as payments are; a proof of before the books began: everything has moved since.
  await db.plant(
    ['journals'],
    `update journals j set txid = (3 + n.no)::text::xid8 from (select journal_id, row_number() over (order by journal_id) as no from journals) n where n.journal_id = j.journal_id`,
  );
  await db.plant(
    ['book_checks'],
    `insert into book_checks (org_id, check_id, checked_at, is_whole, proved_up_to, faults) values (${HOUSE.orgId}, gen_random_uuid(), kist_now() + interval '1 hour', true, '3', 0)`,
  );
  const costs: Cost[] = [];
  const looked: string[] = [];
  const counted: Pick<typeof db, 'read' | 'transaction'> = {
    transaction: db.transaction,
    read: (orgId, work) =>
      db.read(orgId, async (plain) => {
        const look = explained(plain);
        const query: typeof plain.query = (text, values) => {
          if (text.includes("'number of instalments'"))
            looked.push(...(values ?? []).flatMap((value) => (Array.isArray(value) ? value : [])));
          return look.tx.query(text, values);
        };
        const result = await work({ ...look.tx, query });
        costs.push(...look.costs);
        return result;
      }),
  };
  expect(await checkMoved(counted, HOUSE.orgId, { slice: 60 })).toMatchObject({ isWhole: false });
  expect(looked.toSorted()).toEqual([...new Set(looked)].toSorted());
  expect(looked).toHaveLength(AGREEMENTS);
  const walked = costs.filter(({ text }) => text.includes('journal_id as id') || text.includes('agreement_id as id'));
  const rows = walked.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  // Each journal's own row, and its lines.
  expect(rows).toBeLessThan(journals * 10);
});
