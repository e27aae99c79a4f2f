import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { create } from '#server/commands/commands.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, OTHER_ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { plantSpentKey } from '#test/factories.ts';
import { CHECKIN_SQL, type CheckinInput, type CheckinRow } from '#server/commands/checkin-sql.ts';

/** A phone's own key proves who speaks, never that it speaks the truth: what follows is signed, and wrong. */
let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

interface Known {
  orgId: number;
  deviceId: string;
  enrolmentId: string;
}

async function known(deviceId: string, orgId = ORG): Promise<Known> {
  const [row] = await world.db.asOwner<{ id: string }>(
    'select enrolment_id as id from enrolments where device_id = $1 and ended_at is null',
    [deviceId],
  );
  return { orgId, deviceId, enrolmentId: row!.id };
}

let elapsedMs = 100_000;
const said = (phone: Known, change: Partial<CheckinInput> = {}): Omit<CheckinInput, 'n'> => ({
  org_id: phone.orgId,
  enrolment_id: phone.enrolmentId,
  key_sha256: null,
  boot_count: 1,
  elapsed_ms: (elapsedMs += 1000),
  wall_clock: new Date().toISOString(),
  highest_seq: 0,
  revision: 1,
  policy_digest: null,
  names_digest: true,
  lock_level: 0,
  lock_cause: null,
  names_cause: true,
  names_battery: true,
  names_push: true,
  lease_seq: 0,
  toggles: { camera_lock: false, app_lock: false, wallpaper: false },
  sims: [],
  battery: 50,
  agent_version: '1',
  location: null,
  located_at: null,
  push_token: null,
  acks: [],
  events: [],
  ...change,
});

/** One statement for all of them, as under load. */
async function batch(...phones: Omit<CheckinInput, 'n'>[]): Promise<CheckinRow[]> {
  const input = JSON.stringify(phones.map((phone, n) => ({ ...phone, n })));
  return (await world.db.devicePool.query<CheckinRow>(CHECKIN_SQL, [input])).rows;
}

/** A phone of another organisation, enrolled. */
async function foreignPhone(): Promise<Known> {
  const phone = { orgId: OTHER_ORG, deviceId: randomUUID(), enrolmentId: randomUUID() };
  const write = (text: string, ...more: unknown[]) =>
    world.db.asOwner(text, [OTHER_ORG, phone.deviceId, ...more] as unknown[]);
  const customerId = randomUUID();
  await world.db.asOwner(
    `insert into customers (org_id, customer_id, owner_user_id, plan_type, created_at, updated_at) values ($1, $2, $3, 0, now(), now())`,
    [OTHER_ORG, customerId, world.actor.userId],
  );
  await plantSpentKey(world.db, OTHER_ORG, customerId, world.actor.userId);
  await write(
    'insert into devices (org_id, device_id, customer_id, provisioning_type, created_at, enrolled_at) values ($1, $2, $3, 1, now(), now())',
    customerId,
  );
  await write(
    `insert into device_desired (org_id, device_id, revision, document, changed_at) select $1, $2, 1, document, now() from device_desired limit 1`,
  );
  await write('insert into device_reports (org_id, device_id) values ($1, $2)');
  await write(
    `insert into enrolments (org_id, device_id, enrolment_id, public_key_spki, grade, started_at) values ($1, $2, $3, '\\x01', 'none', now())`,
    phone.enrolmentId,
  );
  return phone;
}

const orderOf = ({ orgId, deviceId }: Known) =>
  world.db.transaction(orgId, (tx) =>
    create(tx, { deviceId, type: 'emi_alert', reason: 'EMI_OVERDUE', requestedBy: null, args: { text: 'x' } }),
  );
const stateOf = async (commandId: string) =>
  (
    await world.db.asOwner<{ state: string; result: unknown; fail_code: string | null }>(
      'select state, result, fail_code from commands where command_id = $1',
      [commandId],
    )
  )[0];
const lie = (id: string, status: string) => ({ id, seq: 1, status, result: { made: 'up' } });

describe('answers to orders', () => {
  it.each(['delivered', 'seen', 'failed'])("of a neighbour in the same batch change nothing ('%s')", async (status) => {
    const victim = await known((await world.enrolledPhone()).deviceId);
    const liar = await known((await world.enrolledPhone()).deviceId);
    const commandId = await orderOf(victim);
    await batch(said(victim));
    expect(await stateOf(commandId)).toMatchObject({ state: 'SENT' });
    await batch(said(liar, { acks: [lie(commandId, status)] }), said(victim));
    await batch(said(victim), said(liar, { acks: [lie(commandId, status)] }));
    expect(await stateOf(commandId)).toEqual({ state: 'SENT', result: null, fail_code: null });
    await batch(said(liar), said(victim, { acks: [lie(commandId, 'seen')] }));
    expect(await stateOf(commandId)).toMatchObject({ state: 'VERIFIED' });
  });

  it('of another organisation change nothing, in either direction', async () => {
    const own = await known((await world.enrolledPhone()).deviceId);
    const foreign = await foreignPhone();
    const [ownOrder, foreignOrder] = [await orderOf(own), await orderOf(foreign)];
    await batch(said(own), said(foreign));
    await batch(said(own, { acks: [lie(foreignOrder, 'seen')] }), said(foreign, { acks: [lie(ownOrder, 'failed')] }));
    expect(await stateOf(ownOrder)).toEqual({ state: 'SENT', result: null, fail_code: null });
    expect(await stateOf(foreignOrder)).toEqual({ state: 'SENT', result: null, fail_code: null });
  });

  it('over the wire, from two phones that check in at once, reach nobody but their own', async () => {
    const [victim, liar] = [await world.enrolledPhone(), await world.enrolledPhone()];
    await Promise.all([victim.phone.checkin(), liar.phone.checkin()]);
    const commandId = await orderOf(await known(victim.deviceId));
    await victim.phone.checkin({ obey: false });
    // More than can leave at once, so that the rest gathers to one statement.
    const others = await Promise.all(Array.from({ length: 12 }, () => world.enrolledPhone()));
    await Promise.all(others.map(({ phone }) => phone.checkin()));
    liar.phone.acks = [lie(commandId, 'seen')];
    await Promise.all([
      ...others.map(({ phone }) => phone.checkin()),
      liar.phone.checkin(),
      victim.phone.checkin({ obey: false }),
    ]);
    expect(await stateOf(commandId)).toMatchObject({ state: 'SENT', result: null });
  });

  it('that were never handed out count for nothing', async () => {
    const phone = await known((await world.enrolledPhone()).deviceId);
    const commandId = await orderOf(phone);
    await batch(said(phone, { acks: [lie(commandId, 'seen')] }));
    expect(await stateOf(commandId)).toMatchObject({ state: 'SENT', result: null });
  });
});

describe('the time of what a phone tells', () => {
  it.each([
    ['a year ahead', 365, 'now'],
    ['20 days back', -20, 'enrolment'],
  ])('%s is no later than now and no earlier than its enrolment', async (_what, days, expected) => {
    const phone = await known((await world.enrolledPhone()).deviceId);
    const at = new Date(Date.now() + days * 86_400_000).toISOString();
    const place = { latitude: 1, longitude: 2, accuracy_m: 3, at };
    await batch(
      said(phone, { events: [{ id: randomUUID(), kind: 'booted', at, data: {} }], location: place, located_at: at }),
    );
    const [row] = await world.db.asOwner<{ events: boolean; located: boolean }>(
      `select e.at = case when $2 = 'now' then r.reported_at else n.started_at end as events, r.located_at <= r.reported_at as located
       from device_events e join device_reports r using (org_id, device_id) join enrolments n using (org_id, device_id)
       where e.device_id = $1 and e.kind = 'booted'`,
      [phone.deviceId, expected],
    );
    expect(row).toEqual({ events: true, located: true });
  });
});

describe('what a phone may tell in a day', () => {
  const flood = (phone: Known, kind: string, count: number) =>
    batch(
      said(phone, {
        events: Array.from({ length: count }, () => ({
          id: randomUUID(),
          kind,
          at: new Date().toISOString(),
          data: {},
        })),
      }),
    );
  const kept = async ({ deviceId }: Known) =>
    (
      await world.db.asOwner<{ booted: number; dropped: number; other: number }>(
        `select count(*) filter (where kind = 'booted')::int as booted, count(*) filter (where kind = 'low_battery')::int as other,
           (select events_dropped::int from device_reports r where r.device_id = $1) as dropped
         from device_events where device_id = $1 and kind <> 'enrolled'`,
        [deviceId],
      )
    )[0]!;

  it('is 500 events of a kind: 641 in a second leave 500, the rest is counted, neighbours and other kinds are heard', async () => {
    const [phone, neighbour] = [
      await known((await world.enrolledPhone()).deviceId),
      await known((await world.enrolledPhone()).deviceId),
    ];
    for (let sent = 0; sent < 640; sent += 32) await flood(phone, 'booted', 32);
    await flood(phone, 'booted', 1);
    expect(await kept(phone)).toEqual({ booted: LIMITS.eventsPerDayAndKind, dropped: 141, other: 0 });
    await flood(phone, 'low_battery', 1);
    await flood(neighbour, 'booted', 1);
    expect(await kept(phone)).toMatchObject({ other: 1 });
    expect(await kept(neighbour)).toEqual({ booted: 1, dropped: 0, other: 0 });
    await world.db.asOwner('update device_events set received_on = received_on - 1 where device_id = $1', [
      phone.deviceId,
    ]);
    await flood(phone, 'booted', 2);
    expect(await kept(phone)).toMatchObject({ booted: LIMITS.eventsPerDayAndKind + 2, dropped: 141 });
  });

  it('does not depend on the days that it dates its events to', async () => {
    const phone = await known((await world.enrolledPhone()).deviceId);
    await world.db.asOwner(`update enrolments set started_at = started_at - interval '300 days' where device_id = $1`, [
      phone.deviceId,
    ]);
    for (let day = 0; day < 20; day += 1)
      await batch(
        said(phone, {
          events: Array.from({ length: 32 }, () => ({
            id: randomUUID(),
            kind: 'booted',
            at: new Date(Date.now() - day * 86_400_000).toISOString(),
            data: {},
          })),
        }),
      );
    expect(await kept(phone)).toMatchObject({ booted: LIMITS.eventsPerDayAndKind, dropped: 140 });
  });
});
