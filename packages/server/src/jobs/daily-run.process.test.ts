import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkWhole } from '#server/ledger/ledger.ts';
import { type TestDatabase, createTestDatabase } from '#test/database.ts';
import { makeOrganisation, setClock } from '#test/factories.ts';
import { type PlantedHouse, plantHouse } from '#test/planted-house.ts';

const HOUSE: PlantedHouse = { orgId: 20, shops: 20, perShop: 40, today: '2026-05-10' };
const KILLS = 5;
const program = path.join(import.meta.dirname, '../../test/day-program.ts');

async function house(): Promise<TestDatabase> {
  const db = await createTestDatabase();
  await makeOrganisation(db, HOUSE.orgId);
  await setClock(db, `${HOUSE.today}T12:30:00`);
  await plantHouse(db, HOUSE);
  return db;
}

/** Lives the day in a process of its own. @param killedAfterMs of its work it is killed; undefined: it may end. @returns how long it worked */
async function live(db: TestDatabase, killedAfterMs?: number): Promise<number> {
  const child = spawn(process.execPath, [program, JSON.stringify({ connection: db.serving, orgId: HOUSE.orgId })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  await once(child.stdout, 'data');
  const startedAt = performance.now();
  if (killedAfterMs !== undefined) {
    await Promise.race([sleep(killedAfterMs), ended]);
    child.kill('SIGKILL');
  }
  const [code] = await ended;
  if (killedAfterMs === undefined) expect(code).toBe(0);
  return performance.now() - startedAt;
}

/** Everything that a day makes, by what it is of. */
const made = async (db: TestDatabase) => ({
  charges: await db.asOwner(
    'select agreement_id, instalment_no, amount_paise, charged_on from charges order by 1, 2, 4, charge_id',
  ),
  journals: await db.asOwner(`select effect_key from journals where kind = 'penal_charged' order by 1`),
  lines: await db.asOwner(
    `select agreement_id, bucket, sum(debit) as debit, sum(credit) as credit, count(*) as n from journal_lines group by 1, 2 order by 1, 2`,
  ),
  notices: await db.asOwner('select agreement_id, kind, no, due_on, channel from notices order by 1, 2, 3, 4, 5'),
  told: await db.asOwner(
    `select subject_id, count(*) as n from audit_lines where action = 'penal_charged' group by 1 order by 1`,
  ),
  steps: await db.asOwner('select business_on, step from daily_steps order by 1, 2'),
});

test('a day that is killed again and again charges and tells each customer once, as an undisturbed one does', async () => {
  const [calm, shaken] = await Promise.all([house(), house()]);
  const wholeMs = await live(calm);
  let unfinished = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    // At a moment by chance in each fifth of what an undisturbed run takes.
    await live(shaken, ((kill + Math.random()) / KILLS) * wholeMs);
    const [{ n } = { n: 0 }] = await shaken.asOwner<{ n: number }>('select count(*)::int as n from daily_steps');
    if (n < 5) unfinished += 1;
  }
  await live(shaken);
  const wanted = await made(calm);
  expect(wanted.charges.length).toBeGreaterThan(100);
  expect(await made(shaken)).toEqual(wanted);
  expect((await checkWhole(shaken, HOUSE.orgId)).faults).toEqual([]);
  expect(unfinished).toBeGreaterThan(0);
}, 240_000);
