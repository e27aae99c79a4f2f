import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import { putGuardsAside } from '#server/platform/guards.ts';
import { BROKEN } from '#test/broken-invariants.ts';
import { MORE_BROKEN } from '#test/more-broken-invariants.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { unlockFleet } from './fleet.ts';
import { INVARIANTS } from './invariant-words-sql.ts';
import { checkInvariants, invariantStates, violations } from './invariants.ts';
import { invariants } from './governing.ts';

let world: LockWorld;
let client: pg.Client;
/** Late and locked, both; and one that has paid what was due. */
let late: Sale;
let alsoLate: Sale;
let paid: Sale;

beforeAll(async () => {
  world = await createLockWorld();
  client = new pg.Client(world.db.owner);
  await client.connect();
  await world.at('2026-03-05T12:00:00');
  [late, alsoLate, paid] = [await world.sell(), await world.sell(), await world.sell()];
  await world.inOrg((tx) => unlockFleet(tx, { waker: world.waker, onReleased: world.onReleased }));
  for (const day of ['2026-03-08', '2026-03-10', '2026-03-11']) await world.day(day);
  await world.pay(paid, 1);
  for (const day of ['2026-03-14', '2026-03-18']) await world.day(day);
  for (const sale of [late, alsoLate, paid]) await world.obey(sale);
});
afterAll(async () => {
  await client.end();
  await world.close();
});

const states = () => world.db.read(ORG, invariantStates);
const red = async () => (await states()).filter(({ state }) => state !== 'holds').map(({ invariant }) => invariant);

/** What the checks say while something that no program may write stands there; afterwards it never was. */
async function whilePlanted(tables: readonly string[], text: string, values: readonly unknown[] = []) {
  await client.query('begin');
  try {
    await client.query(`select set_config('kist.org_id', $1, true)`, [String(ORG)]);
    await putGuardsAside(client, tables);
    const { rowCount } = await client.query(text, [...values]);
    expect(rowCount ?? 1).toBeGreaterThan(0);
    return [...new Set((await violations(client)).map(({ invariant }) => invariant))];
  } finally {
    await client.query('rollback');
  }
}

/** The phone that has paid is wanted at a level that nobody decided upon, in the column and in the document; it is not there, and is taken to fit. */
const wantedAt = (level: number) =>
  world.db.asOwner(
    `update device_desired set lock_level = $2::int, document = jsonb_set(document, '{lock,level}', to_jsonb($2::int)) where device_id = $1`,
    [paid.deviceId, level],
  );

describe('in a world where nothing is wrong', () => {
  it('every invariant holds, with phones that are locked, in parts of any size, and each look is noted', async () => {
    expect(await world.levelOf(late)).toBeGreaterThan(1);
    for (const size of [1, 2, 1000]) {
      const results = await checkInvariants(world.db, ORG, size);
      expect(results.map(({ invariant }) => invariant)).toEqual(INVARIANTS);
      expect(results.flatMap((result) => [...result.violations, ...result.claims])).toEqual([]);
    }
    expect(await red()).toEqual([]);
    const [noted] = await world.db.asOwner<{ n: number; parts: number }>(
      `select count(*)::int as n, max(parts) as parts from invariant_checks where invariant = 'I3'`,
    );
    expect(noted).toMatchObject({ parts: 4 });
    expect(noted!.n).toBeGreaterThanOrEqual(3);
  });
});

describe('a look that takes longer than a statement may', () => {
  it('is taken again in halves, each seen once, and of a handful it is a fault that is told', async () => {
    await wantedAt(3);
    let reads = 0;
    const slow: Pick<typeof world.db, 'read' | 'transaction'> = {
      transaction: world.db.transaction,
      read: (orgId, work) =>
        world.db.read(orgId, async (tx) => {
          reads += 1;
          // The parts come through; the first invariant runs out of time.
          if (reads === 2) await tx.query(`set local statement_timeout = '1ms'; select pg_sleep(1)`);
          return work(tx);
        }),
    };
    const results = await checkInvariants(slow, ORG, 1000, 2);
    // The parts, the first look and where its middle is, its two halves, the other eleven.
    expect(reads).toBe(1 + 1 + 1 + 2 + 11);
    expect(results.flatMap((result) => result.violations)).toMatchObject([
      { invariant: 'I4', id: paid.deviceId },
      { invariant: 'I11', id: paid.deviceId },
    ]);
    reads = 0;
    await expect(checkInvariants(slow, ORG, 1000, 4)).rejects.toThrow('timeout');
    await wantedAt(0);
    await checkInvariants(world.db, ORG);
  });
});

describe('each is turned red by what breaks it, and no other is', () => {
  it.each([...BROKEN, ...MORE_BROKEN])('%s: %s', async (invariant, _what, tables, text, values) => {
    expect(await whilePlanted(tables, text, values({ late, alsoLate, paid }))).toEqual(invariant.split(' '));
  });

  it('has one for each', () => {
    expect(new Set(BROKEN.flatMap(([invariant]) => invariant.split(' ')))).toEqual(new Set(INVARIANTS));
  });
});

describe('one phone alone', () => {
  it('that says it is otherwise is shown, and reddens nothing', async () => {
    const says = `update device_reports set unfit_polls = $2, claimed_revision = $3, last_seen_at = kist_now() where device_id = $1`;
    await world.db.asOwner(says, [late.deviceId, 99, 9_000_000]);
    await checkInvariants(world.db, ORG);
    expect(await red()).toEqual([]);
    expect((await states()).find(({ invariant }) => invariant === 'I11')).toMatchObject({
      claims: 1,
      violations: 0,
      found: [{ id: late.deviceId }],
    });
    await world.db.asOwner(says, [late.deviceId, 0, 0]);
  });
});

describe('a look that did not take place', () => {
  it('is red after 26 hours, and a found violation stays red until it is looked at again', async () => {
    await checkInvariants(world.db, ORG);
    await world.at('2026-03-19T14:20:00');
    expect(await red()).toEqual([]);
    await world.at('2026-03-19T14:40:00');
    expect((await states()).map(({ state }) => state)).toEqual(INVARIANTS.map(() => 'unchecked'));
    await wantedAt(3);
    await checkInvariants(world.db, ORG);
    await wantedAt(0);
    expect((await states()).filter(({ state }) => state === 'violated')).toMatchObject([
      { invariant: 'I4', violations: 1 },
      { invariant: 'I11', violations: 1 },
    ]);
    await checkInvariants(world.db, ORG);
    expect(await red()).toEqual([]);
  });
});

describe('what the administrator is told', () => {
  it('is how each stands, and that a look which did not come is red', async () => {
    const admin = { ...SYSTEM(ORG), userType: 'admin' as const };
    const told = () => world.db.read(ORG, (tx) => invariants(tx, admin));
    await expect(world.db.read(ORG, (tx) => invariants(tx, world.shop))).rejects.toThrow('FORBIDDEN');
    await world.at('2026-03-25T12:00:00');
    await checkInvariants(world.db, ORG);
    const after = await told();
    expect(after).toMatchObject({ is_in_order: true, last_run_at: (await states())[0]!.checked_at });
    expect(after.invariants.map(({ invariant }) => invariant)).toEqual(INVARIANTS);
    await world.at('2026-03-26T14:01:00');
    const late = await told();
    expect(late.is_in_order).toBe(false);
    expect(late.last_run_at).toBe(after.last_run_at);
    for (const one of late.invariants) expect(one).toMatchObject({ is_red: true, state: 'unchecked' });
  });
});
