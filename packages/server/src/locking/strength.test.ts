import { afterAll, beforeAll, expect, it } from 'vitest';
import { POLICY_PRESETS } from '@kist/contract/lock-policy';
import { view } from '#server/devices/devices.ts';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';

let world: LockWorld;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
  sale = await world.sell();
});
afterAll(() => world.close());

const lockOf = async () => (await world.inOrg((tx) => view(tx, sale.deviceId))).lock;

it('a phone whose agent nobody vouches for is shown as unproven, one that a vendor keeps is not', async () => {
  const enrolled = (grade: string, vendor: string) =>
    world.db.asOwner(
      `update enrolments set grade = $2, vendor = $3, public_key_spki = case when $3 <> 'guard' then public_key_spki end, handle = case when $3 = 'guard' then 'S1' end
       where device_id = $1 and ended_at is null`,
      [sale.deviceId, grade, vendor],
    );
  expect((await lockOf()).strength).toBe('enforced');
  for (const grade of ['none', 'software']) {
    await enrolled(grade, 'android-agent');
    expect((await lockOf()).strength).toBe('unproven');
  }
  await enrolled('none', 'guard');
  expect((await lockOf()).strength).toBe('enforced');
});

it('a phone that does not say which document it applied is shown as unproven, from its first word on', async () => {
  const one = await world.sell();
  const strength = async () => (await world.inOrg((tx) => view(tx, one.deviceId))).lock.strength;
  expect(await strength()).toBe('enforced');
  await world.obey(one);
  expect(await strength()).toBe('enforced');
  await world.db.asOwner('update device_reports set policy_digest = null where device_id = $1', [one.deviceId]);
  expect(await strength()).toBe('unproven');
});

it('a held phone that says nothing for the days it may is shown with its last word; a free one is not', async () => {
  await world.obey(sale);
  for (const day of ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  expect(await world.levelOf(sale)).toBe(3);
  await world.at('2026-03-08T11:00:00');
  expect((await lockOf()).silent_since).toBeNull();
  await world.at('2026-03-08T13:00:00');
  expect((await lockOf()).silent_since).toContain('2026-03-05T06:30');
  await world.pay(sale, 1);
  await world.obey(sale);
  await world.at('2026-03-20T13:00:00');
  expect((await lockOf()).silent_since).toBeNull();
});

it.each([
  [1, '2026-04', '14'],
  [5, '2026-05', '18'],
])('for how many days is what its agreement was signed under: %i', async (silentAfterDays, month, last) => {
  await world.at(`${month}-05T12:00:00`);
  const policy = { ...POLICY_PRESETS.dealer, silentAfterDays };
  const one = await world.sell({ policy, deliveredOn: `2026-0${Number(month.slice(-1)) - 1}-10` });
  await world.obey(one);
  for (const day of [10, 11, 12, 13]) await world.day(`${month}-${day}`);
  await world.at(`${month}-13T12:00:00`);
  await world.obey(one);
  const silentSince = async () => (await world.inOrg((tx) => view(tx, one.deviceId))).lock.silent_since;
  expect(await world.levelOf(one)).toBe(3);
  await world.at(`${month}-${last}T11:59:59`);
  expect(await silentSince()).toBeNull();
  await world.at(`${month}-${last}T12:00:01`);
  expect(await silentSince()).toContain(`${month}-13T06:30`);
});

it('a lock that nobody can carry to this very phone is refused with the reason, and nothing of it is written', async () => {
  await world.at('2026-03-05T12:00:00');
  const one = await world.sell();
  await world.db.asOwner(`update enrolments set vendor = 'nobody' where device_id = $1 and ended_at is null`, [
    one.deviceId,
  ]);
  const asked = world.inOrg((tx) =>
    world.locking.requestLock(tx, world.shop, one.customerId, { reason: 'ENROLMENT_TEST' }),
  );
  await expect(asked).rejects.toMatchObject({
    code: 'UNSUPPORTED_ON_DEVICE',
    options: { details: { why: 'devices.why.vendor' } },
  });
  expect(await world.levelOf(one)).toBe(0);
});
