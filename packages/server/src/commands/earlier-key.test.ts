import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DesiredPolicy, lockCauseSchema } from '@kist/contract/agent';
import { setDesired } from '#server/devices/desired.ts';
import { release } from '#server/devices/devices.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeRetailer } from '#test/factories.ts';
import { ORG, useHouse } from '#test/house.ts';
import type { TestPhone } from '#test/phone.ts';
import { lessOf } from './earlier-key.ts';

/** A phone stands locked; somebody enrols a program with its number and a new code of the shop's. Both keys speak from then on. */
const db = await createTestDatabase();
const house = useHouse(db);
let shop: Actor;
let real: TestPhone;
let fake: TestPhone;
let deviceId: string;
const HELD = { level: 3, cause: 'debt' as const, screen: null };
const FREE = { level: 0, cause: null, screen: null };
const order = (change: Parameters<typeof setDesired>[2]) => house.inOrg((tx) => setDesired(tx, deviceId, change));
const read = async <Row>(sql: string) => (await db.asOwner<Row & Record<string, unknown>>(sql, [deviceId]))[0];
const disputes = () =>
  read<{ n: number }>(
    'select count(*)::int as n from disputes d join agreements a using (org_id, agreement_id) where a.device_id = $1',
  );
const lease = (levels: number[]) => ({
  valid_until: '2099-01-01T00:00:00Z',
  reminders: [],
  notices: levels.length > 0 ? [{ no: 1, at: '2098-01-01T00:00:00Z', delivered_at: null }] : [],
  ladder: levels.map((level) => ({ at: '2098-01-01T00:00:00Z', level, notice_no: null, notice_days: 0 })),
  screen: null,
});
const leaseIn = (answer: { body: { lease: { payload: string } | null } }) =>
  answer.body.lease && JSON.parse(Buffer.from(answer.body.lease.payload, 'base64url').toString());

beforeEach(async () => {
  shop = await makeRetailer(db, ORG);
  await house.give(shop, 1);
  const sold = await house.sell(shop);
  [real, fake] = [house.phone(sold), house.phone(sold)];
  const enrolled = await real.enrol(await house.codeFor(shop, sold), { serial: `S${sold.imei}` });
  deviceId = enrolled.body.device_id;
  await order({ lock: HELD, toggles: { app_lock: true } });
  await real.checkin();
  await real.checkin();
  const answer = await fake.enrol(await house.codeFor(shop, sold), { serial: '' });
  if (real.level !== 3 || answer.body.device_id !== deviceId) throw new Error('not what this is about');
});

describe('the phone with the earlier key', () => {
  it('is freed when the debt is gone, whatever the newer one says, and is told so only once', async () => {
    await order({ lock: FREE, toggles: { app_lock: false } });
    await fake.checkin();
    const answer = await real.checkin();
    expect(answer).toMatchObject({ status: 200, isSigned: true, body: { commands: [] } });
    expect([real.level, real.toggles.app_lock]).toEqual([0, false]);
    expect((await real.checkin()).body).toMatchObject({ desired: null, next: { after_s: 600 } });
  });

  it('is freed when the phone is released, and stays heard when the newer enrolment has ended with that', async () => {
    await house.inOrg((tx) => release(tx, SYSTEM(ORG), deviceId));
    await fake.checkin();
    await fake.checkin();
    await house.services.plane.whenQuiet();
    expect((await fake.checkin()).body.code).toBe('AGENT_UNKNOWN');
    // A key that the release ended is heard in nothing: there is nothing left that it could dispute.
    await fake.call('/agent/v1/dispute', { text: 'I paid' });
    expect(await disputes()).toEqual({ n: 0 });
    expect((await real.checkin()).body.desired.policy).toMatchObject({ released: true, lock: { level: 0 } });
    expect(real.level).toBe(0);
  });

  it('is never given more than it is held by: no higher level, no switch, no step and no notice of a lease', async () => {
    await order({ lock: { ...HELD, level: 4 }, toggles: { wallpaper: true }, wallpaperText: 'x', lease: lease([4]) });
    const answer = await real.checkin();
    expect(answer.body.desired.policy).toMatchObject({
      lock: { level: 3, cause: 'debt' },
      toggles: { app_lock: true, wallpaper: false },
      wallpaper_text: null,
    });
    expect(leaseIn(answer)).toMatchObject({ ladder: [], notices: [] });
    await order({ lock: FREE });
    await real.checkin();
    await order({ lock: HELD });
    await real.checkin();
    expect(real.level).toBe(0);
  });

  it('that took a step of its lease by itself is put back under a number that it takes', async () => {
    real.level = 4;
    const { body } = await real.checkin();
    expect(body.desired).toMatchObject({ revision: real.revision, policy: { lock: { level: 3 } } });
    expect(real.level).toBe(3);
    expect((await real.checkin()).body.desired).toBeNull();
  });

  it('may say that it is wrong, and is woken', async () => {
    expect((await real.call('/agent/v1/dispute', { text: 'I paid' })).status).toBe(200);
    expect(await disputes()).toEqual({ n: 1 });
    await real.checkin();
    const poll = real.call('/agent/v1/poll', {});
    await order({ lock: FREE });
    house.services.waker.signal('wake', [deviceId]);
    expect((await poll).body).toEqual({ wake: true });
  });

  it('colours nothing of the books', async () => {
    const books = () => read(`select to_jsonb(r) - 'last_seen_at' as r from device_reports r where device_id = $1`);
    const counts = () =>
      read(
        'select (select count(*)::int from device_events where device_id = $1) as events, (select count(*)::int from device_changes) as changes',
      );
    await fake.checkin();
    await house.services.plane.whenQuiet();
    const before = [await books(), await counts()];
    Object.assign(real, { level: 0, revision: 99, bootCount: 9 });
    real.events = [
      { id: crypto.randomUUID(), kind: 'payment_claimed', at: new Date().toISOString(), data: {} },
      { id: crypto.randomUUID(), kind: 'lease_step', at: new Date().toISOString(), data: { level: 4 } },
    ];
    expect((await real.checkin({ obey: false })).status).toBe(200);
    await house.services.plane.whenQuiet();
    expect([await books(), await counts()]).toEqual(before);
  });
});

it('the shop hears that another enrolment took the place of a live one, not of a first', async () => {
  const bell = await db.asOwner(`select kind, data from notifications where user_id = $1`, [shop.userId]);
  expect(bell).toEqual([{ kind: 'phone_enrolled_again', data: { level: 3 } }]);
});

it('whatever is wanted and whatever it says, no answer holds more than it says it is held by', () => {
  const toggles = fc.record({ camera_lock: fc.boolean(), app_lock: fc.boolean(), wallpaper: fc.boolean() });
  const lock = fc.record({
    level: fc.integer({ min: 0, max: 4 }),
    cause: fc.constantFrom(null, ...lockCauseSchema.options),
    screen: fc.constant(null),
  });
  const wanted = fc.record({
    lock,
    toggles,
    wallpaper_text: fc.option(fc.string()),
    released: fc.boolean(),
  }) satisfies fc.Arbitrary<DesiredPolicy>;
  fc.assert(
    fc.property(wanted, lock, toggles, (policy, held, on) => {
      const state = { revision: 1, lease_seq: 1, lock_level: held.level, lock_cause: held.cause, toggles: on };
      const less = lessOf(policy, state);
      expect(less.lock.level).toBeLessThanOrEqual(Math.min(policy.lock.level, held.level));
      for (const name of ['camera_lock', 'app_lock', 'wallpaper'] as const)
        expect(!less.toggles[name] || (policy.toggles[name] && on[name])).toBe(true);
      expect(less.wallpaper_text === null || less.toggles.wallpaper).toBe(true);
      expect(less.released).toBe(policy.released);
      if (policy.lock.level === 0) expect(less.lock).toEqual({ level: 0, cause: null, screen: null });
      if (policy.lock.cause === held.cause) expect(less.lock.level).toBe(Math.min(policy.lock.level, held.level));
    }),
    { numRuns: 1000 },
  );
});
