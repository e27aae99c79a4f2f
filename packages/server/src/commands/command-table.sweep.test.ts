import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, COMMAND_TYPES, type CommandState, type CommandType, familyOf } from '@kist/contract/commands';
import { setDesired } from '#server/devices/desired.ts';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, commandState, createDeviceWorld } from '#test/device-world.ts';
import type { TestPhone } from '#test/phone.ts';
import { create, phoneErased } from './commands.ts';
import { reconcile } from './reconcile.ts';

/**
 * What each order is, written from the specification and not from the table: who changes a cell of the one must know why the other says otherwise.
 * writes: the part of the document · takes: what its holder loses · proof: what a report must show · days: how long it waits for the phone ·
 * each: asked twice is two
 */
const SAID = {
  lock: { writes: 'level', takes: 'phone', proof: 'level', days: 30, each: false, words: false, feature: 'lock' },
  unlock: { writes: 'level', takes: 'nothing', proof: 'level', days: 30, each: false, words: false, feature: 'unlock' },
  app_lock: {
    writes: 'app_lock',
    takes: 'apps',
    proof: 'switch',
    days: 30,
    each: false,
    words: false,
    feature: 'app_lock',
  },
  app_unlock: {
    writes: 'app_lock',
    takes: 'nothing',
    proof: 'switch',
    days: 30,
    each: false,
    words: false,
    feature: 'app_lock',
  },
  camera_lock: {
    writes: 'camera_lock',
    takes: 'camera',
    proof: 'switch',
    days: 30,
    each: false,
    words: false,
    feature: 'camera_lock',
  },
  camera_unlock: {
    writes: 'camera_lock',
    takes: 'nothing',
    proof: 'switch',
    days: 30,
    each: false,
    words: false,
    feature: 'camera_lock',
  },
  set_wallpaper: {
    writes: 'wallpaper',
    takes: 'wallpaper',
    proof: 'switch',
    days: 30,
    each: false,
    words: false,
    feature: 'wallpaper',
  },
  remove_wallpaper: {
    writes: 'wallpaper',
    takes: 'nothing',
    proof: 'switch',
    days: 30,
    each: false,
    words: false,
    feature: 'wallpaper',
  },
  location: {
    writes: null,
    takes: 'nothing',
    proof: 'result',
    days: 1,
    each: false,
    words: false,
    feature: 'fetch_location',
  },
  reboot: { writes: null, takes: 'nothing', proof: 'result', days: 1, each: false, words: false, feature: 'reboot' },
  sim_info: {
    writes: null,
    takes: 'nothing',
    proof: 'result',
    days: 1,
    each: false,
    words: false,
    feature: 'sim_info',
  },
  emi_alert: { writes: null, takes: 'nothing', proof: 'seen', days: 30, each: true, words: true, feature: 'emi_alert' },
} as const;
/** Those that are switched on. */
const ON = ['app_lock', 'camera_lock', 'set_wallpaper'];
const LOCKED_LEVEL = 4;

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

test('every order is what the specification says it is, cell by cell', () => {
  expect(Object.keys(SAID)).toEqual(COMMAND_TYPES);
  for (const type of COMMAND_TYPES) {
    const { writes, takes, proof, days, each, words, feature } = SAID[type];
    const cells = COMMANDS[type];
    expect([type, cells.kind]).toEqual([type, writes === null ? 'one-shot' : 'state']);
    expect({ type, ...cells }).toMatchObject({
      type,
      part: writes,
      restricts: takes,
      confirmedBy: proof,
      ttlS: days * 24 * 3600,
      isEachOne: each,
      takesText: words,
      feature,
    });
    if ('value' in cells) expect([type, cells.value]).toEqual([type, ON.includes(type)]);
    const sameShelf = COMMAND_TYPES.filter((other) => writes !== null && SAID[other].writes === writes);
    expect([type, familyOf(type)]).toEqual([type, sameShelf]);
  }
});

const STATES = ['QUEUED', 'SENT', 'DELIVERED', 'APPLIED'] as const;
type Open = (typeof STATES)[number];
interface Case {
  type: CommandType;
  phone: TestPhone;
  deviceId: string;
  commandId: string;
  seq: number;
  revision: number;
}
interface Event {
  does: (at: Case) => Promise<unknown>;
  /** Where it leaves an order of the document, and one of a moment. */
  state: (from: Open, at: { takes: string }) => CommandState;
  moment: (from: Open, at: { proof: string }) => CommandState;
}

const stateOf = (phone: TestPhone, change: object) => ({
  revision: phone.revision,
  lock_level: phone.level,
  lock_cause: null,
  lease_seq: 0,
  toggles: phone.toggles,
  sims: phone.sims,
  battery: 1,
  agent_version: '1',
  ...change,
});
const says = (phone: TestPhone, state: object, more: object = {}) =>
  phone.checkin({ obey: false, change: { state: stateOf(phone, state), ...more } });
const answers = (status: string) => (at: Case) =>
  says(at.phone, { revision: at.revision - 1 }, { highest_seq: 0, acks: [{ id: at.commandId, seq: at.seq, status }] });
/** What the document asks for now, as the phone would report it. */
const wanted = async ({ deviceId }: Case) => {
  const [row] = await world.db.asOwner<{ level: number; toggles: Record<string, boolean>; revision: number }>(
    `select lock_level as level, document -> 'toggles' as toggles, revision::integer from device_desired where device_id = $1`,
    [deviceId],
  );
  return row!;
};
const newer = (type: CommandType) => (at: Case) => ordered(at.deviceId, type);
const same = (from: Open): CommandState => from;
const late =
  (ageS: number) =>
  async ({ commandId }: Case) => {
    await world.db.asOwner(
      `update commands set expires_at = kist_now() - make_interval(secs => $2) where command_id = $1`,
      [commandId, ageS],
    );
    await reconcile({ db: world.db, onReports: async () => undefined });
  };
/** An order that was handed out, and what a word about it makes of it. */
const handed =
  (to: CommandState) =>
  (from: Open): CommandState =>
    from === 'QUEUED' ? 'SENT' : to;
const notBack =
  (to: CommandState) =>
  (from: Open): CommandState =>
    from === 'QUEUED' ? 'SENT' : STATES.indexOf(to as Open) > STATES.indexOf(from) ? to : from;
/** A report that is behind: the document goes out with the answer. */
const behind = (from: Open): CommandState => (from === 'QUEUED' ? 'SENT' : from);

const EVENTS: Record<string, Event> = {
  'the phone reports from before it': {
    does: (at) => says(at.phone, { revision: at.revision - 1 }, { highest_seq: 0 }),
    state: behind,
    moment: behind,
  },
  'the phone has its revision and is as wanted': {
    does: async (at) => {
      const { level, toggles, revision } = await wanted(at);
      return says(at.phone, { revision, lock_level: level, toggles }, { highest_seq: 0 });
    },
    state: () => 'VERIFIED',
    moment: behind,
  },
  'the phone has its revision and is not as wanted': {
    does: async (at) => {
      const { level, toggles, revision } = await wanted(at);
      const turned = Object.fromEntries(Object.entries(toggles).map(([name, is]) => [name, !is]));
      return says(at.phone, { revision, lock_level: level === 0 ? 2 : 0, toggles: turned }, { highest_seq: 0 });
    },
    state: (from) => (from === 'QUEUED' || from === 'SENT' ? 'DELIVERED' : from),
    moment: behind,
  },
  'the phone has its revision, its level and its switches, of another document': {
    does: async (at) => {
      const { level, toggles, revision } = await wanted(at);
      const digest = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
      return says(at.phone, { revision, lock_level: level, toggles, policy_digest: digest }, { highest_seq: 0 });
    },
    // What gives back is done: that a phone is free is never held against its digest.
    state: (from, { takes }) =>
      takes === 'nothing' ? 'VERIFIED' : from === 'QUEUED' || from === 'SENT' ? 'DELIVERED' : from,
    moment: behind,
  },
  'the phone claims a revision that was never given': {
    does: async (at) => says(at.phone, { revision: (await wanted(at)).revision + 9 }, { highest_seq: 0 }),
    state: same,
    moment: behind,
  },
  'the phone says it stored it': {
    does: (at) => says(at.phone, { revision: at.revision - 1 }, { highest_seq: at.seq }),
    state: behind,
    moment: notBack('DELIVERED'),
  },
  'the phone says delivered': { does: answers('delivered'), state: behind, moment: notBack('DELIVERED') },
  'the phone says applied': {
    does: answers('applied'),
    state: behind,
    moment: (from, { proof }) => (proof === 'result' ? handed('VERIFIED')(from) : notBack('APPLIED')(from)),
  },
  'the phone says its holder saw it': { does: answers('seen'), state: behind, moment: handed('VERIFIED') },
  'the phone says it cannot': { does: answers('failed'), state: behind, moment: handed('FAILED') },
  'its time is over': {
    does: late(1),
    state: (from) => (from === 'QUEUED' || from === 'SENT' ? 'EXPIRED' : from),
    moment: (from) => (from === 'QUEUED' || from === 'SENT' ? 'EXPIRED' : from),
  },
  'its time has been over for days': {
    does: late(2 * 24 * 3600),
    state: (from) =>
      ({ QUEUED: 'EXPIRED', SENT: 'EXPIRED', DELIVERED: 'FAILED', APPLIED: 'APPLIED' })[from] as CommandState,
    moment: (from) =>
      ({ QUEUED: 'EXPIRED', SENT: 'EXPIRED', DELIVERED: 'FAILED', APPLIED: 'APPLIED' })[from] as CommandState,
  },
  'the phone is erased': {
    does: ({ deviceId }) => world.db.transaction(ORG, (tx) => phoneErased(tx, deviceId)),
    state: same,
    moment: (from) => (from === 'DELIVERED' ? 'FAILED' : from),
  },
};

/** Gives the order as its service would. */
async function ordered(deviceId: string, type: CommandType): Promise<{ commandId: string; revision: number }> {
  const { writes } = SAID[type];
  return world.db.transaction(ORG, async (tx) => {
    const change =
      writes === null
        ? {}
        : writes === 'level'
          ? { lock: { level: type === 'lock' ? LOCKED_LEVEL : 0, cause: null, screen: null } as const }
          : { toggles: { [writes]: ON.includes(type) } };
    const { revision } = await setDesired(tx, deviceId, writes === null ? { toggles: {} } : change);
    const order = { deviceId, type, reason: 'CUSTOMER_REQUEST', requestedBy: null };
    const commandId = await create(tx, writes === null ? order : { ...order, revision });
    return { commandId, revision };
  });
}

/** A fresh order of this type, put where it shall stand. */
async function placed(phone: TestPhone, deviceId: string, type: CommandType, from: Open): Promise<Case> {
  await world.db.asOwner(`update commands set state = 'CANCELLED' where device_id = $1`, [deviceId]);
  const { commandId, revision } = await ordered(deviceId, type);
  const [row] = await world.db.asOwner<{ seq: number }>(
    'update commands set state = $2 where command_id = $1 returning seq::integer as seq',
    [commandId, from],
  );
  return { type, phone, deviceId, commandId, seq: row!.seq, revision };
}

describe.each(COMMAND_TYPES)('%s', (type) => {
  const { writes, proof, takes } = SAID[type];

  test('moves as it should from every state by every event', { timeout: 60_000 }, async () => {
    const { deviceId, phone } = await world.enrolledPhone();
    await phone.checkin();
    const found: Record<string, CommandState> = {};
    const should: Record<string, CommandState> = {};
    for (const from of STATES) {
      for (const [event, { does, state, moment }] of Object.entries(EVENTS)) {
        const at = await placed(phone, deviceId, type, from);
        await does(at);
        found[`${from}: ${event}`] = await commandState(world.db, at.commandId);
        should[`${from}: ${event}`] = writes === null ? moment(from, { proof }) : state(from, { takes });
      }
    }
    expect(found).toEqual(should);
  });

  test('ends what writes the same part of the document, and nothing else', async () => {
    const { deviceId, phone } = await world.enrolledPhone();
    const ends: CommandType[] = [];
    for (const later of COMMAND_TYPES) {
      const at = await placed(phone, deviceId, type, 'SENT');
      await newer(later)(at);
      if ((await commandState(world.db, at.commandId)) === 'SUPERSEDED') ends.push(later);
    }
    expect(ends).toEqual(COMMAND_TYPES.filter((later) => writes !== null && SAID[later].writes === writes));
  });
});
