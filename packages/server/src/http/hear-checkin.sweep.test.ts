import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkinRequestSchema } from '@kist/contract/agent';
import { setDesired } from '#server/devices/desired.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import type { TestPhone } from '#test/phone.ts';

let world: DeviceWorld;
let phone: TestPhone;
let deviceId: string;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  ({ phone, deviceId } = await world.enrolledPhone());
  await phone.checkin();
  const screen = null;
  await world.db.transaction(ORG, (tx) =>
    setDesired(tx, deviceId, {
      lock: { level: 0, cause: null, screen },
      lease: { valid_until: '2099-01-01T00:00:00Z', reminders: [], notices: [], ladder: [], screen },
    }),
  );
});
afterAll(() => closeDeviceWorld(world));

const place = { latitude: 18.5, longitude: 73.8, accuracy_m: 20, at: '2026-01-01T00:00:00Z' };
/** A report that the contract describes; the phone stands locked and behind. */
const good = () => ({
  proto: 1,
  boot_count: 1,
  elapsed_ms: (phone.elapsedMs += 1000),
  wall_clock: '2026-01-01T00:00:00Z',
  highest_seq: 0,
  acks: [],
  events: [],
  state: {
    revision: 1,
    lock_level: 3,
    lock_cause: 'debt',
    lease_seq: 0,
    toggles: { camera_lock: false, app_lock: false, wallpaper: false },
    sims: [{ slot: 0, iccid: '8991000000000000001', operator: 'AIRTEL' }],
    battery: 80,
    agent_version: '1.0.0',
    location: place,
  },
  push_token: null,
});
type Report = ReturnType<typeof good>;

function put(target: object, [name, ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const inner = (target as Record<string, unknown>)[name!];
  return { ...target, [name!]: rest.length > 0 ? put((inner ?? {}) as object, rest, value) : value };
}
const leaseIn = (body: { lease: { payload: string } | null }) =>
  body.lease && JSON.parse(Buffer.from(body.lease.payload, 'base64url').toString());
/** What a phone must have to be free. */
const freedom = ({ desired, lease }: { desired: unknown; lease: { payload: string } | null }) => ({
  desired,
  lease: leaseIn({ lease }),
});
const ask = (report: unknown) => phone.call('/agent/v1/checkin', report);
const row = async () =>
  (
    await world.db.asOwner<Record<string, unknown>>(
      'select sims, battery, agent_version, location, lock_level, push_token, elapsed_ms::int from device_reports where device_id = $1',
      [deviceId],
    )
  )[0]!;

describe('one odd field of a report', () => {
  const sim = (change: object) => ({ sims: [{ slot: 0, iccid: '1', operator: 'Jio', ...change }] });
  it.each([
    ['an operator with a NUL', sim({ operator: 'AIRTEL\0' }), { sims: [{ slot: 0, iccid: '1', operator: 'AIRTEL' }] }],
    ['an operator of 41 characters', sim({ operator: 'A'.repeat(41) }), sim({ operator: 'A'.repeat(40) })],
    ['an iccid of 23', sim({ iccid: '9'.repeat(23) }), sim({ iccid: '9'.repeat(22) })],
    ['a version of 21', { agent_version: 'v'.repeat(21) }, { agent_version: 'v'.repeat(20) }],
    [
      'an accuracy of 200 km',
      { location: { ...place, accuracy_m: 200_000 } },
      { location: { ...place, accuracy_m: 100_000 } },
    ],
    ['a battery of 101', { battery: 101 }, { battery: 100 }],
    ['no battery', { battery: null }, { battery: null }],
    ['a field of a later version', { mood: 'good' }, { battery: 80 }],
  ])('%s is cut or left out, the rest is heard, the answer is whole', async (_what, change, kept) => {
    const whole = freedom((await ask(good())).body);
    expect(whole).toMatchObject({ desired: { revision: 2 }, lease: { seq: 1 } });
    const report = good();
    const answer = await ask({ ...report, state: { ...report.state, ...change } });
    expect([answer.status, freedom(answer.body)]).toEqual([200, whole]);
    expect(await row()).toMatchObject({ ...kept, elapsed_ms: report.elapsed_ms });
  });

  it('an event or an acknowledgement that cannot be kept goes alone; words are cut', async () => {
    const at = new Date().toISOString();
    const [long, unknown, other] = [randomUUID(), randomUUID(), randomUUID()];
    const events = [
      { id: long, kind: 'dispute', at: 'yesterday', data: { text: 'x'.repeat(5000) } },
      { id: unknown, kind: 'danced', at, data: {} },
      7,
      { id: other, kind: 'booted', at, data: { ['a\0b']: 1, n: 2 } },
    ];
    const acks = [{ id: 'no id', seq: 1, status: 'seen' }, null];
    expect((await ask({ ...good(), events, acks })).status).toBe(200);
    const noted = await world.db.asOwner<{ id: string; size: number }>(
      `select event_id as id, length(data ->> 'text') as size from device_events where event_id = any($1::uuid[]) order by kind`,
      [[long, unknown, other]],
    );
    expect(noted).toEqual([
      { id: other, size: null },
      { id: long, size: 2000 },
    ]);
  });

  it('of those that the state stands by leaves the books as they were, and the answer is everything there is', async () => {
    await ask(good());
    const before = await row();
    for (const path of ['boot_count', 'elapsed_ms', 'state', 'state.lock_level', 'state.revision', 'state.toggles'])
      for (const value of ['x', null, -1, {}]) {
        const { status, body } = await ask(put(good(), path.split('.'), value));
        expect([path, value, status, body.desired?.revision, leaseIn(body)?.seq]).toEqual([path, value, 200, 2, 1]);
      }
    expect(await row()).toEqual(before);
  });

  it.each([['[]'], ['7'], ['null'], ['{"proto":2}'], ['{"proto":"1"}'], ['{}']])(
    'but what is no report of this protocol is refused: %s',
    async (text) => {
      expect((await ask(JSON.parse(text))).body.code).toBe('INVALID_INPUT');
    },
  );
});

it(
  'any change of what informs, of any shape, is answered 200 with the same desired state and the same lease',
  { timeout: 120_000 },
  async () => {
    const whole = freedom((await ask(good())).body);
    const odd = fc.oneof(
      fc.anything({ withNullPrototype: false }),
      fc.string({ unit: 'binary', maxLength: 500 }),
      fc.constantFrom('\0', '\uD800', 'x'.repeat(5000), -1, 1e308, 2 ** 53, '9999-12-31T23:59:59+23:59', [], {}, null),
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 80 }),
    );
    const informs = [
      'wall_clock',
      'highest_seq',
      'acks',
      'events',
      'push_token',
      'other',
      ...['lock_cause', 'sims', 'battery', 'agent_version', 'location', 'other'].map((name) => `state.${name}`),
      ...['latitude', 'accuracy_m', 'at', 'other'].map((name) => `state.location.${name}`),
    ];
    const changes = fc.array(fc.tuple(fc.constantFrom(...informs), odd), { minLength: 1, maxLength: 4 });
    const given = fc.sample(changes, { numRuns: 2000, seed: 23 });
    for (let at = 0; at < given.length; at += 100)
      await Promise.all(
        given.slice(at, at + 100).map(async (list) => {
          const report = list.reduce<object>((made, [path, value]) => put(made, path.split('.'), value), good());
          const answer = await ask(report);
          expect([answer.status, answer.status === 200 && freedom(answer.body)]).toEqual([200, whole]);
        }),
      );
    const kept = await row();
    expect(checkinRequestSchema.shape.state.shape.sims.safeParse(kept['sims']).success).toBe(true);
    expect(kept['lock_level']).toBe(3);
  },
);

it('a report as the contract describes it is taken as it is', async () => {
  const report: Report = good();
  await ask(report);
  const { sims, battery, agent_version } = report.state;
  expect(await row()).toMatchObject({ sims, battery, agent_version, location: place, lock_level: 3 });
});
