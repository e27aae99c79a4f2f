import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLAN, PLAN_NAMES, PROVISIONING, PROVISIONING_NAMES, type PlanName, planName } from '@kist/contract/codes';
import { atEnd } from '#test/at-end.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation } from '#test/factories.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import * as catalogue from './catalogue.ts';
import { type Plane, RUNNING_PLANES } from './planes.ts';

const db = await createTestDatabase();
const ALL: readonly Plane[] = [
  'DPC',
  'AMAPI',
  'LINKFL',
  'APPLE',
  'ANTI_THEFT',
  'EXTENDED_WARRANTY',
  'FAMILYCARE',
  'ANTIHACKING',
];
/** What each plan takes to be delivered, apart from the code's own table; null: not sold whatever runs. */
const TAKES: Record<PlanName | 'DPC by AMAPI', readonly Plane[] | null> = {
  DPC: ['DPC'],
  'DPC by AMAPI': ['AMAPI'],
  LINKFL: ['LINKFL'],
  APPLE: ['APPLE'],
  OLD_FL: null,
  ANTI_THEFT: ['ANTI_THEFT'],
  DPC_ANTITHEFT: ['DPC', 'ANTI_THEFT'],
  EXTENDED_WARRANTY: ['EXTENDED_WARRANTY'],
  FAMILYCARE: ['FAMILYCARE'],
  ANTIHACKING: ['ANTIHACKING'],
  ANTIHACKING_PRO: ['ANTIHACKING'],
  ANTIHACKING_PREMIUM: ['ANTIHACKING'],
};

beforeAll(async () => {
  await db.asOwner(`insert into org_directory (org_id, slug, name) values (20, 'shop', 'Shop')`);
  await db.asOwner(`insert into organisations (org_id, org_name, company_name) values (20, 'Shop', 'Shop')`);
  for (const name of PLAN_NAMES)
    await db.asOwner('insert into plans (org_id, plan_id, plan_type, name) values (20, $1, $1, $2)', [
      PLAN[name],
      name,
    ]);
  await db.asOwner(
    `insert into plans (org_id, plan_id, plan_type, provisioning_type, name) values (20, 100, 0, 1, 'DPC by AMAPI')`,
  );
  await db.asOwner(
    `insert into plans (org_id, plan_id, plan_type, name, is_active) values (20, 101, 0, 'withdrawn', false)`,
  );
});
const offered = async (running?: readonly Plane[]) =>
  (await db.read(20, (tx) => catalogue.plansOnOffer(tx, running))).map((plan) => plan.name).toSorted();

it('offers here and now what works from the sale to the release, and nothing else', async () => {
  expect(RUNNING_PLANES).toEqual(['DPC', 'LINKFL']);
  expect(await offered()).toEqual(['DPC', 'LINKFL']);
});

it.each([[], ...ALL.map((plane) => [plane]), ...ALL.map((plane) => ALL.filter((one) => one !== plane)), ALL])(
  'offers exactly what can be delivered where %j runs',
  async (...running) => {
    const expected = Object.entries(TAKES)
      .filter(([, takes]) => takes?.every((plane) => running.includes(plane)))
      .map(([name]) => name);
    expect(await offered(running)).toEqual(expected.toSorted());
  },
);

it('never takes a plan type for a provisioning type: LINKFL is 1 of one and 2 of the other', async () => {
  expect(catalogue.provisioningOf({ plan_type: PLAN.LINKFL, provisioning_type: null })).toBe(2);
  expect(catalogue.provisioningOf({ plan_type: PLAN.APPLE, provisioning_type: null })).toBe(3);
  expect(catalogue.provisioningOf({ plan_type: PLAN.DPC, provisioning_type: 1 })).toBe(1);
  const insert = (planType: number, provisioningType: number) =>
    db.asOwner('insert into plans (org_id, plan_id, plan_type, provisioning_type, name) values (20, 999, $1, $2, $3)', [
      planType,
      provisioningType,
      planName(planType),
    ]);
  for (const [planType, provisioningType] of [
    [PLAN.LINKFL, 1],
    [PLAN.APPLE, 2],
    [PLAN.DPC, 3],
    [PLAN.EXTENDED_WARRANTY, 0],
  ] as const)
    await expect(insert(planType, provisioningType)).rejects.toThrow('plans_provisioning_fits');
});

describe('a plan that a shop names', () => {
  const sell = (planId: number, orgId = 20) => db.read(orgId, (tx) => catalogue.planForSale(tx, planId));

  it('is sold where it can be delivered', async () => {
    expect(await sell(PLAN.DPC)).toMatchObject({ plan_id: PLAN.DPC, plan_type: PLAN.DPC, is_active: true });
  });

  it('is refused where nothing delivers it, or it was withdrawn', async () => {
    for (const planId of [PLAN.ANTIHACKING, 101])
      await expect(sell(planId)).rejects.toMatchObject({
        code: 'PLAN_NOT_ON_SALE',
        options: { details: { plan_id: planId } },
      });
  });

  it('is a wrong field where there is none, and so is another organisation’s', async () => {
    await makeOrganisation(db, 21);
    await db.asOwner('insert into plans (org_id, plan_id, plan_type, name) values (21, 555, 0, $1)', ['Elsewhere']);
    const wrongField = { code: 'INVALID_INPUT', options: { fields: [{ path: 'plan_id' }] } };
    await expect(sell(9999)).rejects.toMatchObject(wrongField);
    await expect(sell(555)).rejects.toMatchObject(wrongField);
    expect((await db.read(21, (tx) => catalogue.plansOnOffer(tx))).map(({ name }) => name)).toEqual([
      'EMI phone',
      'EMI link',
      'Elsewhere',
    ]);
    expect((await sell(555, 21)).name).toBe('Elsewhere');
  });
});

it('places that could not be read once are read when they are asked for again, and then remembered', async () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'kist-places-')), 'pincodes');
  atEnd(() => rmSync(path.dirname(folder), { recursive: true, force: true }));
  const towns = path.join(path.dirname(folder), 'towns.txt');
  writeFileSync(towns, '# by state\nMaharashtra;Kalyan;PUNE\n');
  const places = catalogue.createPlaces({ pincodes: folder, towns });
  const names = async () => (await places.cities({ country: 'IN' })).map(({ name, pincodes }) => [name, ...pincodes]);
  await expect(names()).rejects.toThrow('ENOENT');
  mkdirSync(folder);
  writeFileSync(path.join(folder, '41.txt'), 'Pune;Maharashtra;1001 1002\n');
  // A town that is called like its district is the district.
  const both = [['Kalyan'], ['Pune', '411001', '411002']];
  expect(await names()).toEqual(both);
  rmSync(folder, { recursive: true });
  expect(await names()).toEqual(both);
});

describe('putting a plan on sale', () => {
  const offer = (plan: Parameters<typeof catalogue.offer>[2]) =>
    db.transaction(20, (tx) => catalogue.offer(tx, SYSTEM(20), plan));
  const plan = { plan_id: 600, plan_type: PLAN.DPC, name: 'Gold' };

  it('happens once for the same words, again for others, and brings back what was withdrawn', async () => {
    expect([await offer(plan), await offer(plan)]).toEqual(['created', 'unchanged']);
    await db.asOwner('update plans set is_active = false where org_id = 20 and plan_id = 600');
    expect(await offer({ ...plan, name: 'Golden' })).toBe('changed');
    expect(await offered()).toContain('Golden');
    const lines = await db.asOwner(`select data from audit_lines where org_id = 20 and action = 'plan_offered'`);
    expect(lines).toEqual([
      { data: { plan_id: 600, plan_type: PLAN.DPC } },
      { data: { plan_id: 600, plan_type: PLAN.DPC } },
    ]);
  });

  it('names a way that its phones are reached by, which stays and is on sale once that plane runs', async () => {
    const byGoogle = { plan_id: 601, plan_type: PLAN.DPC, name: 'By Google', provisioning_type: PROVISIONING.AMAPI };
    expect([await offer(byGoogle), await offer(byGoogle)]).toEqual(['created', 'unchanged']);
    expect(await offered()).not.toContain('By Google');
    const { provisioning_type: _, ...asItsType } = byGoogle;
    await expect(offer(asItsType)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await db.asOwner('delete from plans where org_id = 20 and plan_id = 601');
  });

  it('takes the ways that the database takes, of every type', async () => {
    for (const name of PLAN_NAMES)
      for (const way of PROVISIONING_NAMES) {
        const fits = await db
          .asOwner(
            'insert into plans (org_id, plan_id, plan_type, provisioning_type, name) values (20, 602, $1, $2, $3)',
            [PLAN[name], PROVISIONING[way], 'x'],
          )
          .then(
            () => true,
            () => false,
          );
        await db.asOwner('delete from plans where org_id = 20 and plan_id = 602');
        const given = { plan_id: 602, plan_type: PLAN[name], name: 'x', provisioning_type: PROVISIONING[way] };
        const taken = await offer(given).then(
          () => true,
          (error: unknown) => error,
        );
        expect([name, way, taken]).toEqual([name, way, fits || expect.objectContaining({ code: 'INVALID_INPUT' })]);
        await db.asOwner('delete from plans where org_id = 20 and plan_id = 602');
      }
  });

  it('is refused under the number of another type, and changes nothing', async () => {
    await expect(offer({ ...plan, plan_type: PLAN.LINKFL })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(await db.asOwner('select plan_type from plans where org_id = 20 and plan_id = 600')).toEqual([
      { plan_type: PLAN.DPC },
    ]);
  });
});
