import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { explained } from '#test/explained.ts';
import { makeOrganisation, setClock } from '#test/factories.ts';
import { type PlantedHouse, plantHouse } from '#test/planted-house.ts';
import { violations } from './invariants.ts';
import { readEvents } from './lock-timeline-store.ts';

const HOUSE: PlantedHouse = { orgId: 20, shops: 10, perShop: 120, today: '2026-05-10' };
const AGREEMENTS = HOUSE.shops * HOUSE.perShop;
/** Of one agreement: its instalments, lines, payments and histories, some times each. A statement that looks at all of them for each is a thousand times this. */
const ROWS_OF_AN_AGREEMENT = 300;
const db = await createTestDatabase();
await makeOrganisation(db, HOUSE.orgId);
await setClock(db, `${HOUSE.today}T12:00:00`);
await plantHouse(db, HOUSE);
/** A night on which every phone was decided about, each with its line. */
await db.plant(
  ['audit_lines', 'verdicts'],
  `with decided as (
     insert into verdicts (org_id, verdict_id, device_id, agreement_id, revision, allowed, rule, decided_at, facts, verdict)
     select ${HOUSE.orgId}, gen_random_uuid(), device_id, agreement_id, 1, true, 'OVERDUE_STEP', kist_now(), '{}', '{}' from agreements where org_id = ${HOUSE.orgId} returning *
   )
   insert into audit_lines (org_id, subject_kind, subject_id, seq, at, actor, action, data, prev_hash, hash)
   select org_id, 'device', device_id::text, 1, kist_now(), '{}', 'lock_level_decided',
     jsonb_build_object('causes', jsonb_build_array(jsonb_build_object('verdict_id', verdict_id))), '\\x00', sha256(verdict_id::text::bytea) from decided`,
);
await db.asOwner('vacuum analyze');

test('what the invariants handle grows with the fleet, not with its square', async () => {
  const costs = await db.read(HOUSE.orgId, async (plain) => {
    const look = explained(plain);
    await violations(look.tx);
    return look.costs;
  });
  expect(costs).toHaveLength(12);
  for (const { text, rowsHandled } of costs)
    expect(rowsHandled, text.slice(0, 200)).toBeLessThanOrEqual(ROWS_OF_AN_AGREEMENT * AGREEMENTS);
});

test("what was decided about one customer's agreement is found among the verdicts of all", async () => {
  const [one] = await db.asOwner<{ agreement_id: string }>(
    `select agreement_id from agreements where org_id = ${HOUSE.orgId} order by agreement_no limit 1`,
  );
  const costs = await db.read(HOUSE.orgId, async (plain) => {
    const look = explained(plain);
    expect(await readEvents(look.tx, one!.agreement_id)).not.toEqual([]);
    return look.costs;
  });
  expect(costs).toHaveLength(1);
  expect(costs[0]).toMatchObject({ wholeTables: [] });
  expect(costs[0]?.rowsRead).toBeLessThanOrEqual(ROWS_OF_AN_AGREEMENT);
});
