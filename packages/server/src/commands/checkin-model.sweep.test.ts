import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS, type CommandState, type CommandType } from '@kist/contract/commands';
import { setDesired } from '#server/devices/desired.ts';
import { afterAck, afterReport, move, supersedes } from '#test/command-model.ts';
import { createTestDatabase } from '#test/database.ts';
import { digestOf } from '#test/phone.ts';
import { type DeviceWorld, ORG, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import { create } from './commands.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

interface Known {
  id: string;
  seq: number;
  type: CommandType;
  state: CommandState;
  revision: number;
}
type Status = 'delivered' | 'applied' | 'seen' | 'failed';
const RANK: Status[] = ['delivered', 'applied', 'seen', 'failed'];

/** That of no document of ours. */
const OTHER = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const documentOf = async (deviceId: string): Promise<object> =>
  (
    await world.db.asOwner<{ document: object }>('select document from device_desired where device_id = $1', [deviceId])
  )[0]!.document;

const step = fc.oneof(
  fc.record({
    do: fc.constant('order' as const),
    type: fc.constantFrom<CommandType>('location', 'emi_alert', 'reboot'),
  }),
  fc.record({
    do: fc.constant('switch' as const),
    type: fc.constantFrom<CommandType>('camera_lock', 'camera_unlock', 'lock', 'unlock'),
  }),
  fc.record({
    do: fc.constant('report' as const),
    acks: fc.array(fc.record({ which: fc.nat({ max: 9 }), status: fc.constantFrom(...RANK) }), { maxLength: 4 }),
    obeys: fc.constantFrom('all', 'revision only', 'another document', 'nothing'),
    saysDigest: fc.boolean(),
    isStale: fc.boolean(),
  }),
);

test(
  'the check-in statement moves orders exactly as the lifecycle in TypeScript does, whatever is ordered and reported',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { deviceId, phone } = await world.enrolledPhone();
        await phone.checkin();
        const known: Known[] = [];
        const desired = {
          revision: 1,
          lockLevel: 0,
          toggles: { camera_lock: false, app_lock: false, wallpaper: false },
        };
        const reported = { revision: 1, lockLevel: 0, toggles: { ...desired.toggles }, isOurs: true };
        for (const now of steps) {
          if (now.do === 'report') {
            if (now.obeys !== 'nothing') reported.revision = desired.revision;
            const isOther = now.obeys === 'another document';
            reported.isOurs = !isOther || !now.saysDigest;
            if (now.obeys === 'all' || isOther)
              Object.assign(reported, { lockLevel: desired.lockLevel, toggles: { ...desired.toggles } });
            const acks =
              known.length === 0
                ? []
                : now.acks.map(({ which, status }) => ({ ...known[which % known.length]!, status }));
            if (now.isStale) phone.elapsedMs -= 1000;
            const answer = await phone.checkin({
              obey: false,
              change: {
                acks: acks.map(({ id, seq, status }) => ({ id, seq, status })),
                state: {
                  revision: reported.revision,
                  ...(now.saysDigest && { policy_digest: isOther ? OTHER : digestOf(await documentOf(deviceId)) }),
                  lock_level: reported.lockLevel,
                  lock_cause: null,
                  lease_seq: 0,
                  toggles: reported.toggles,
                  sims: phone.sims,
                  battery: 1,
                  agent_version: '1',
                },
              },
            });
            expect(answer.status).toBe(200);
            for (const command of known) command.state = predict(command, acks, reported, desired, now.isStale);
          } else {
            known.push(await order(deviceId, now.type, desired, known));
          }
          const rows = await world.db.asOwner<{ id: string; state: string }>(
            'select command_id as id, state from commands where device_id = $1',
            [deviceId],
          );
          expect(Object.fromEntries(rows.map(({ id, state }) => [id, state]))).toEqual(
            Object.fromEntries(known.map(({ id, state }) => [id, state])),
          );
        }
      }),
      { numRuns: 60, seed: 8 },
    );
  },
);

async function order(
  deviceId: string,
  type: CommandType,
  desired: { revision: number; lockLevel: number; toggles: Record<string, boolean> },
  known: Known[],
): Promise<Known> {
  const definition = COMMANDS[type];
  const seq = known.length + 1;
  return world.db.transaction(ORG, async (tx) => {
    if (definition.kind === 'state') {
      if ('toggle' in definition) desired.toggles[definition.toggle] = definition.value;
      else desired.lockLevel = type === 'lock' ? 4 : 0;
      const change =
        'toggle' in definition
          ? { toggles: { [definition.toggle]: definition.value } }
          : { lock: { level: desired.lockLevel, cause: null, screen: null } };
      ({ revision: desired.revision } = await setDesired(tx, deviceId, change));
    }
    const revision = definition.kind === 'state' ? desired.revision : 0;
    const id = await create(tx, { deviceId, type, revision, reason: 'CUSTOMER_REQUEST', requestedBy: null });
    for (const older of known) if (supersedes({ type, revision }, older)) older.state = 'SUPERSEDED';
    return { id, seq, type, state: 'QUEUED', revision };
  });
}

function predict(
  command: Known,
  acks: (Known & { status: Status })[],
  reported: Parameters<typeof afterReport>[1],
  desired: Parameters<typeof afterReport>[2],
  isStale: boolean,
): CommandState {
  if (COMMANDS[command.type].kind === 'state') {
    if (!isStale && reported.revision >= command.revision) return afterReport(command, reported, desired);
    return command.state === 'QUEUED' && reported.revision < desired.revision
      ? move(command.state, 'SENT')
      : command.state;
  }
  // An answer to what was not handed out yet counts for nothing: the order is handed out now.
  const ranks = acks.filter(({ id }) => id === command.id).map(({ status }) => RANK.indexOf(status));
  if (ranks.length > 0 && command.state !== 'QUEUED')
    return afterAck(command.type, command.state, RANK[Math.max(...ranks)]!);
  return command.state === 'QUEUED' ? move(command.state, 'SENT') : command.state;
}
