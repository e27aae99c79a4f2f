import { isoDate } from '@kist/contract/dates';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import {
  addHolidays,
  comingSteps,
  decidePolicy,
  lockPolicy,
  lockRules,
  policyFor,
  previewPolicy,
  removeHolidays,
} from './locking.ts';

let world: LockWorld;
let admin: Actor;
beforeAll(async () => {
  world = await createLockWorld();
  await world.inOrg(policyFor);
  admin = { ...SYSTEM(ORG), userType: 'admin' };
});
afterAll(() => world.close());

const auditLines = () =>
  world.db.asOwner<{ action: string }>(
    `select action from audit_lines where subject_kind = 'organisation' order by seq`,
  );
const preview = (days = 30, wanted: Parameters<typeof previewPolicy>[2]['wanted'] = null) =>
  world.db.read(ORG, (tx) => previewPolicy(tx, admin, { wanted, days }));

describe('the policy of an organisation', () => {
  it('is chosen and changed by its administrator alone, each time as the next version, on record', async () => {
    await expect(world.inOrg((tx) => decidePolicy(tx, world.shop, { preset: 'rbi-2026' }))).rejects.toThrow(
      'FORBIDDEN',
    );
    await expect(world.db.read(ORG, (tx) => lockPolicy(tx, world.shop))).rejects.toThrow('FORBIDDEN');
    const before = (await world.db.read(ORG, (tx) => lockPolicy(tx, admin))).policy.version;
    const change = { minDwellDays: 3 };
    const changed = await world.inOrg((tx) => decidePolicy(tx, admin, { change }));
    expect(changed).toMatchObject({
      is_changed: true,
      policy: { preset: 'dealer', minDwellDays: 3, version: before + 1 },
    });
    expect(await world.inOrg((tx) => decidePolicy(tx, admin, { change }))).toMatchObject({ is_changed: false });
    const chosen = await world.inOrg((tx) => decidePolicy(tx, admin, { preset: 'rbi-2026' }));
    expect(chosen.policy).toEqual({ ...POLICY_PRESETS['rbi-2026'], version: before + 2 });
    expect(await auditLines()).toEqual([{ action: 'lock_policy_set' }, { action: 'lock_policy_set' }]);
  });

  it('is never harder than its preset allows: the refusal says what would be', async () => {
    const harder = world.inOrg((tx) =>
      decidePolicy(tx, admin, { preset: 'rbi-2026', change: { overrideAllowed: true } }),
    );
    await expect(harder).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      options: { fields: [{ path: 'change' }], details: { problems: ['no override'] } },
    });
  });

  it('of a time before a bound is read and made milder, never refused for what it was', async () => {
    await world.inOrg((tx) => decidePolicy(tx, admin, { preset: 'rbi-2026' }));
    await world.db.plant(
      ['lock_policies'],
      `update lock_policies set policy = jsonb_set(policy, '{minDwellDays}', '1') where org_id = ${ORG} and version = (select max(version) from lock_policies where org_id = ${ORG})`,
    );
    const { policy } = await world.db.read(ORG, (tx) => lockPolicy(tx, admin));
    expect(policy).toMatchObject({ preset: 'rbi-2026', minDwellDays: 1 });
    const milder = world.inOrg((tx) => decidePolicy(tx, admin, { change: { minDwellDays: 9 } }));
    expect(await milder).toMatchObject({ is_changed: true, policy: { minDwellDays: 9 } });
  });

  it('is the next version for each of two that change it at once', async () => {
    const set = await Promise.all(
      [4, 5, 6].map((minDwellDays) =>
        world.inOrg((tx) => decidePolicy(tx, admin, { preset: 'dealer', change: { minDwellDays } })),
      ),
    );
    expect(new Set(set.map(({ policy }) => policy.version)).size).toBe(3);
    const { versions } = await world.db.read(ORG, (tx) => lockPolicy(tx, admin));
    for (const { policy } of set) expect(versions.map((one) => one.policy)).toContainEqual(policy);
  });
});

describe('the dry run of the next 30 days', () => {
  it('lists what the daily run then does, day by day, and nothing for a phone that is paid up', async () => {
    await world.at('2026-03-08T09:00:00');
    const late = await world.sell();
    const paid = await world.sell();
    for (const no of [1, 2]) await world.pay(paid, no);
    const { steps, agreements, next_after } = await preview(8);
    expect([agreements, next_after]).toEqual([1, null]);
    const told = steps.map(({ agreement_id, on, kind, no, level }) => {
      expect(agreement_id).toBe(late.agreement.agreement_id);
      return `${on} ${kind} ${no ?? level}`;
    });
    expect(told).toEqual([
      '2026-03-08 reminder 1',
      '2026-03-09 reminder 2',
      '2026-03-10 reminder 3',
      '2026-03-11 notice 1',
      '2026-03-11 level 1',
      '2026-03-12 level 2',
      '2026-03-13 level 3',
    ]);
    for (const day of ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13']) {
      await world.day(day);
      const level = steps.findLast(({ kind, on }) => kind === 'level' && on <= day)?.level ?? 0;
      expect([day, await world.levelOf(late), await world.levelOf(paid)]).toEqual([day, level, 0]);
    }
  });

  it('of another policy is as if all had been signed under it; the agreements keep theirs', async () => {
    expect((await preview(5, { preset: 'rbi-2026' })).steps).toMatchObject([{ kind: 'unlock', on: '2026-03-13' }]);
    expect((await preview(5)).steps).toMatchObject([{ kind: 'level', level: 4, on: '2026-03-17' }]);
    const stamped = await world.db.asOwner<{ preset: string }>(
      `select distinct policy ->> 'preset' as preset from agreements`,
    );
    expect(stamped).toEqual([{ preset: 'dealer' }]);
  });

  it('is nobody’s but the administrator’s', async () => {
    const asked = world.db.read(ORG, (tx) => previewPolicy(tx, world.shop, { wanted: null, days: 3 }));
    await expect(asked).rejects.toThrow('FORBIDDEN');
  });
});

describe('a holiday', () => {
  const day = isoDate('2026-05-11');
  it('raises nothing: not by the daily run, and not by a phone that follows its lease', async () => {
    await world.at('2026-05-08T09:00:00');
    const sale = await world.sell({ deliveredOn: '2026-04-10' });
    const stepsOn = async () =>
      (await world.leaseOf(sale)).ladder.filter(({ at }) =>
        new Date(Date.parse(at) + 19_800_000).toISOString().startsWith(day),
      );
    expect(await stepsOn()).toHaveLength(1);
    await expect(world.inOrg((tx) => addHolidays(tx, world.shop, [day]))).rejects.toThrow('FORBIDDEN');
    expect(await world.inOrg((tx) => addHolidays(tx, admin, [day]))).toEqual([day]);
    expect(await world.inOrg((tx) => addHolidays(tx, admin, [day]))).toEqual([day]);
    await world.locking.runLadder(world.db, ORG);
    expect(await stepsOn()).toEqual([]);
    await world.day(day);
    expect(await world.levelOf(sale)).toBe(0);
    expect(await world.inOrg((tx) => removeHolidays(tx, admin, [day]))).toEqual([]);
    await expect(world.inOrg((tx) => removeHolidays(tx, admin, [day]))).rejects.toThrow('NOT_FOUND');
    await world.day('2026-05-11T13:00:00');
    expect(await world.levelOf(sale)).toBe(1);
  });

  it('is not made of a day that is over', async () => {
    const past = world.inOrg((tx) => addHolidays(tx, admin, [isoDate('2026-05-01')]));
    await expect(past).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await auditLines()).slice(-2)).toEqual([{ action: 'holidays_added' }, { action: 'holidays_removed' }]);
  });
});

describe('what a shop reads of the rules', () => {
  it('is the policy that it sells under, since when, and the holidays of this year', async () => {
    await world.at('2026-03-05T12:00:00');
    await world.inOrg((tx) => addHolidays(tx, admin, [isoDate('2026-10-20'), isoDate('2027-01-26')]));
    const rules = await world.db.read(ORG, (tx) => lockRules(tx, world.shop));
    const { policy } = await world.db.read(ORG, (tx) => lockPolicy(tx, admin));
    expect(rules.policy).toEqual(policy);
    expect(rules.since).toMatch(/^\d{4}-/);
    expect(rules.holidays).toContain('2026-10-20');
    expect(rules.holidays).not.toContain('2027-01-26');
    await world.inOrg((tx) => removeHolidays(tx, admin, [isoDate('2026-10-20'), isoDate('2027-01-26')]));
  });

  it('is what comes upon its own customers, by day and by name, and upon nobody else’s', async () => {
    await world.forgetDays();
    await world.at('2026-03-05T12:00:00');
    const sale = await world.sell();
    const mine = await world.db.read(ORG, (tx) => comingSteps(tx, world.shop, { days: 30 }));
    const his = mine.steps.filter(({ customer_id }) => customer_id === sale.customerId);
    expect(new Set(his.map(({ kind }) => kind))).toEqual(new Set(['reminder', 'notice', 'level']));
    expect(his[0]).toMatchObject({ customer_name: 'Irfan Shaikh', agreement_no: sale.agreement.agreement_no });
    const days = mine.steps.map(({ on }) => on);
    expect(days).toEqual(days.toSorted());
    const sibling = { ...world.shop, userId: newId(), visibleOwnerIds: [newId()] };
    expect(await world.db.read(ORG, (tx) => comingSteps(tx, sibling, { days: 30 }))).toEqual({
      steps: [],
      agreements: 0,
      next_after: null,
    });
  });
});
