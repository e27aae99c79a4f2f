import { beforeEach, expect, it } from 'vitest';
import type { DesiredPolicy } from '@kist/contract/agent';
import { setDesired } from '#server/devices/desired.ts';
import { lockViews } from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeRetailer } from '#test/factories.ts';
import { ORG, useHouse } from '#test/house.ts';
import type { TestPhone } from '#test/phone.ts';
import { checkInvariants, violations } from './invariants.ts';

/** A phone that has the right revision and does not do what it asks, by fault or on purpose, in the whole house. */
const db = await createTestDatabase();
const house = useHouse(db);
let shop: Actor;
let phone: TestPhone;
let deviceId: string;
let customerId: string;
beforeEach(async () => {
  shop = await makeRetailer(db, ORG);
  await house.give(shop, 1);
  const sold = await house.sell(shop);
  phone = house.phone(sold);
  ({ customerId } = sold);
  deviceId = (await phone.enrol(await house.codeFor(shop, sold), { serial: `S${sold.imei}` })).body.device_id;
  await polls(2);
});

/** Check-ins one after the other, each with all that follows from it. */
async function polls(count: number, does: (phone: TestPhone) => void = () => undefined): Promise<void> {
  for (let poll = 0; poll < count; poll += 1) {
    does(phone);
    await phone.checkin();
    await house.services.plane.whenQuiet();
  }
}
const order = (change: Parameters<typeof setDesired>[2]) => house.inOrg((tx) => setDesired(tx, deviceId, change));
const lockOf = () => db.read(ORG, async (tx) => (await lockViews(tx, [deviceId])).get(deviceId));
const desired = async () =>
  (
    await db.asOwner<{ revision: number; document: DesiredPolicy }>(
      'select revision::int, document from device_desired where device_id = $1',
      [deviceId],
    )
  )[0]!;
const bell = async () =>
  (
    await db.asOwner<{ kind: string }>(`select kind from notifications where user_id = $1 and kind like 'phone_%'`, [
      shop.userId,
    ])
  ).map(({ kind }) => kind);
const HELD = { level: 3, cause: 'debt' as const, screen: null };

it('stays locked though the order to open was taken: it is sent the same again after two polls, and opens', async () => {
  await order({ lock: HELD });
  await polls(2);
  expect(await lockOf()).toMatchObject({ lock_status: 1, pending: null });
  const { revision } = await order({ lock: { level: 0, cause: null, screen: null } });
  // It takes the revision and loses its way before it has opened.
  await polls(1);
  phone.level = 3;
  await polls(1);
  expect(await lockOf()).toMatchObject({ lock_status: 1, pending: { to: 'unlocked' } });
  expect((await desired()).revision).toBe(revision);
  await polls(1);
  const again = await desired();
  expect(again).toMatchObject({ revision: revision + 1, document: { lock: { level: 0 } } });
  await polls(2);
  expect(await lockOf()).toMatchObject({ lock_status: 0, pending: null, level: 0 });
  expect(await bell()).toEqual([]);
  await polls(3);
  expect((await desired()).revision).toBe(revision + 1);
});

const claims11 = async () =>
  (await checkInvariants(db, ORG))
    .find(({ invariant }) => invariant === 'I11')!
    .claims.filter(({ id }) => id === deviceId);

/** Its store is damaged: number, level and switches stay, what it would do next is another's. */
const mixedUp = (right: DesiredPolicy) => (one: TestPhone) =>
  (one.policy = { ...right, wallpaper_text: 'of another phone' });

it('is held by another document under the right number: sent anew after two polls, the shop hears after three, and it ends', async () => {
  const { revision } = await order({ lock: HELD });
  await polls(2);
  const right = (await desired()).document;
  await polls(1, mixedUp(right));
  expect((await desired()).revision).toBe(revision);
  await polls(1, mixedUp(right));
  expect(await desired()).toEqual({ revision: revision + 1, document: right });
  expect(await bell()).toEqual([]);
  // It is told, takes it, and mixes it up once more.
  await polls(2, mixedUp(right));
  expect(await bell()).toEqual(['phone_does_not_follow']);
  expect(await claims11()).toHaveLength(1);
  await polls(2);
  expect(phone.policy).toEqual(right);
  expect(await claims11()).toEqual([]);
  expect(await lockOf()).toMatchObject({ level: 3, pending: null });
});

it('is free and holds another document: sent anew and shown, the unlock is done, and no bell says that it does not follow', async () => {
  await order({ lock: HELD });
  await polls(2);
  const { revision } = await order({ lock: { level: 0, cause: null, screen: null } });
  const right = (await desired()).document;
  await polls(1);
  await polls(2, mixedUp(right));
  expect(await desired()).toEqual({ revision: revision + 1, document: right });
  await polls(4, mixedUp(right));
  expect(await bell()).toEqual([]);
  expect(await claims11()).toHaveLength(1);
  expect(await lockOf()).toMatchObject({ level: 0, pending: null, strength: 'unproven' });
  await polls(3);
  expect(phone.policy).toEqual(right);
  expect(await claims11()).toEqual([]);
});

it('an agent that says no digest is taken at its number, and never shown as enforced', async () => {
  await db.asOwner(`update enrolments set grade = 'hardware' where device_id = $1`, [deviceId]);
  expect(await lockOf()).toMatchObject({ strength: 'enforced' });
  phone.policy = undefined;
  await order({ lock: HELD });
  await polls(3);
  expect(await lockOf()).toMatchObject({ level: 3, pending: null, strength: 'unproven' });
  expect(await bell()).toEqual([]);
  phone.policy = (await desired()).document;
  await polls(1);
  expect(await lockOf()).toMatchObject({ strength: 'enforced' });
});

it('says a wrong digest: it is shown no better than one that says none, until it says the right one', async () => {
  await db.asOwner(`update enrolments set grade = 'hardware' where device_id = $1`, [deviceId]);
  await order({ lock: HELD });
  await polls(2);
  expect(await lockOf()).toMatchObject({ level: 3, pending: null, strength: 'enforced' });
  for (const digest of ['A'.repeat(43), 'x'])
    for (const revision of [phone.revision, 1]) {
      await phone.checkin({ change: { state: { ...phone.reported(), revision, policy_digest: digest } } });
      expect(await lockOf()).toMatchObject({ level: 3, strength: 'unproven' });
    }
  await house.services.plane.whenQuiet();
  await polls(3);
  expect(await lockOf()).toMatchObject({ level: 3, pending: null, strength: 'enforced' });
});

it('is free and says a wrong digest: the cure is confirmed all the same', async () => {
  await order({ lock: HELD });
  await polls(2);
  await house.inOrg((tx) =>
    tx.query(
      `insert into cures (org_id, cure_id, agreement_id, device_id, cured_at)
       select org_id, gen_random_uuid(), agreement_id, $1, kist_now() from agreements where customer_id = $2`,
      [deviceId, customerId],
    ),
  );
  await order({ lock: { level: 0, cause: null, screen: null } });
  await phone.checkin();
  await phone.checkin({ change: { state: { ...phone.reported(), policy_digest: 'A'.repeat(43) } } });
  await house.services.plane.whenQuiet();
  const cures = await db.asOwner('select confirmed_at is not null as "isConfirmed" from cures where device_id = $1', [
    deviceId,
  ]);
  expect(cures).toEqual([{ isConfirmed: true }]);
});

it('was let go and says a wrong digest: level 0 under the right number is its last word', async () => {
  await house.inOrg(async (tx) => {
    await tx.query('update devices set released_at = kist_now() where device_id = $1', [deviceId]);
    await setDesired(tx, deviceId, { lock: { level: 0, cause: null, screen: null }, released: true });
  });
  await phone.checkin();
  const lie = { ...phone.reported(), policy_digest: 'A'.repeat(43), toggles: { ...phone.toggles, app_lock: true } };
  await phone.checkin({ change: { state: lie } });
  await house.services.plane.whenQuiet();
  const ended = await db.asOwner('select ended_at is not null as "isEnded" from enrolments where device_id = $1', [
    deviceId,
  ]);
  expect(ended).toEqual([{ isEnded: true }]);
});

it('says for ever that it is free: the shop hears of it once, never sees locked, and the order goes out ever more rarely', async () => {
  const { revision } = await order({ lock: HELD });
  await polls(30, (liar) => (liar.level = 0));
  expect(await lockOf()).toMatchObject({ lock_status: 0, level: 0, pending: { to: 'locked' } });
  expect(await bell()).toEqual(['phone_does_not_follow']);
  const sent = (await desired()).revision - revision;
  expect(sent).toBeGreaterThanOrEqual(4);
  expect(sent).toBeLessThanOrEqual(6);
});

it('names a cause that we never gave: locked shows, and that we want it free, and no theft', async () => {
  const state = async (level: number, cause: string | null) => {
    const { body } = await phone.checkin({ obey: false });
    const revision = body.desired?.revision ?? phone.revision;
    const { toggles, sims } = phone;
    const claim = {
      revision,
      lock_level: level,
      lock_cause: cause,
      lease_seq: 0,
      toggles,
      sims,
      battery: 80,
      agent_version: '1',
    };
    await phone.checkin({ obey: false, change: { state: claim } });
    await house.services.plane.whenQuiet();
  };
  await state(4, 'theft');
  expect(await lockOf()).toMatchObject({ lock_status: 1, level: 4, cause: null, pending: { to: 'unlocked' } });
  await order({ lock: HELD });
  await state(4, 'theft');
  expect(await lockOf()).toMatchObject({ lock_status: 1, level: 4, desired_level: 3, cause: 'debt' });
});

it('keeps a switch that was given back: it is sent the same again', async () => {
  const off = { camera_lock: false, app_lock: false, wallpaper: false };
  await order({ toggles: { app_lock: true } });
  await polls(2);
  expect(phone.toggles.app_lock).toBe(true);
  await order({ toggles: off });
  await polls(1);
  phone.toggles = { ...off, app_lock: true };
  const { revision } = await desired();
  await polls(2);
  expect((await desired()).revision).toBe(revision + 1);
  await polls(2);
  expect(phone.toggles).toEqual(off);
});

it('names a revision that was never given: it is stepped over, and no check of the organisation turns red', async () => {
  await order({ lock: HELD });
  await polls(2, (liar) => Object.assign(liar, { revision: 900, level: 0 }));
  const [row] = await db.asOwner<{ revision: number; claimed: number }>(
    'select revision::int, claimed_revision::int as claimed from device_reports where device_id = $1',
    [deviceId],
  );
  expect(row).toEqual({ revision: 1, claimed: 900 });
  expect(await lockOf()).toMatchObject({ lock_status: 0, pending: { to: 'locked' } });
  expect((await db.read(ORG, violations)).filter(({ invariant }) => invariant === 'I6')).toEqual([]);
  expect((await desired()).revision).toBe(901);
  await polls(2);
  expect(await lockOf()).toMatchObject({ lock_status: 1, pending: null });
});

it.each([
  ['no number can be above', Number.MAX_SAFE_INTEGER, (revision: number) => revision],
  ['far above ours', 5_000_000_000, (revision: number) => revision],
  ['a little above ours', 500, () => 501],
])('claims a revision that %s: it is handed the unlock all the same, at the next poll', async (_what, claim, given) => {
  await order({ lock: HELD });
  await polls(2);
  const { revision } = await order({ lock: { level: 0, cause: null, screen: null } });
  const own = phone.revision;
  phone.revision = claim;
  const { body } = await phone.checkin({ obey: false });
  expect(body.desired).toMatchObject({ revision: given(revision), policy: { lock: { level: 0 } } });
  // What it said was not so: it takes the document by the number that it really has.
  phone.revision = own;
  const lie = { ...phone.reported(), revision: claim };
  await phone.checkin({ change: { state: lie } });
  expect(phone.level).toBe(0);
  await polls(2);
  expect(await lockOf()).toMatchObject({ lock_status: 0, level: 0, pending: null });
});
