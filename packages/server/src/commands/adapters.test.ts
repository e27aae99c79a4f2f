import { afterAll, beforeAll } from 'vitest';
import { createCheckin } from '#server/commands/checkin.ts';
import { createEarlierKeys } from '#server/commands/earlier-key.ts';
import { setDesired } from '#server/devices/desired.ts';
import { createTestDatabase } from '#test/database.ts';
import {
  type DeviceWorld,
  ORG,
  closeDeviceWorld,
  commandState,
  createDeviceWorld,
  lockOfPhone,
} from '#test/device-world.ts';
import { createInMemory, createInMemoryCloud } from '#test/in-memory-adapter.ts';
import type { TestPhone } from '#test/phone.ts';
import { type AdapterHarness, describeAdapter } from './adapter-suite.ts';
import type { DeviceTarget } from './adapter.ts';
import { createAndroidAgent } from './adapters/android-agent/android-agent.ts';
import { create } from './commands.ts';
import { lastReport } from './reconcile.ts';

let world: DeviceWorld;
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
});
afterAll(() => closeDeviceWorld(world));

const orders = (): Pick<AdapterHarness, 'order' | 'oneShot' | 'stateOf' | 'lock'> => ({
  order: (target, level) =>
    world.db.transaction(ORG, async (tx) => {
      const { revision } = await setDesired(tx, target.deviceId, {
        lock: { level, cause: level > 0 ? 'debt' : null, screen: null },
      });
      await create(tx, {
        deviceId: target.deviceId,
        type: level > 0 ? 'lock' : 'unlock',
        revision,
        reason: 'EMI_OVERDUE',
        requestedBy: null,
      });
    }),
  oneShot: (target) =>
    world.db.transaction(ORG, (tx) =>
      create(tx, { deviceId: target.deviceId, type: 'sim_info', reason: 'CUSTOMER_REQUEST', requestedBy: null }),
    ),
  stateOf: (commandId) => commandState(world.db, commandId),
  lock: (target) => lockOfPhone(world.db, target.deviceId),
});

async function enrolled(): Promise<{ target: DeviceTarget; phone: TestPhone }> {
  const { deviceId, phone } = await world.enrolledPhone();
  return { phone, target: { orgId: ORG, deviceId, enrolmentId: phone.keyid.split('.')[1]!, provisioning: 'DPC' } };
}

describeAdapter('android-agent', () => {
  const phones = new Map<string, TestPhone>();
  const called = new Set<string>();
  const done: string[] = [];
  return {
    ...orders(),
    adapter: createAndroidAgent({
      signal: (ids) => ids.forEach((id) => called.add(id)),
      lastReport: (target) => lastReport(world.db, target),
    }),
    phone: async () => {
      const { target, phone } = await enrolled();
      phones.set(target.deviceId, phone);
      await phone.checkin();
      return target;
    },
    phoneActs: async ({ deviceId }) => {
      const phone = phones.get(deviceId);
      if (!phone || !called.delete(deviceId)) return;
      const answer = await phone.checkin();
      done.push(...answer.body.commands.map((command: { id: string }) => command.id));
      await phone.checkin();
    },
    timesDone: (_target, commandId) => done.filter((id) => id === commandId).length,
  };
});

describeAdapter('in-memory', () => {
  const cloud = createInMemoryCloud();
  const earlier = createEarlierKeys(world.db);
  const checkin = createCheckin({ db: world.db, earlier, onChanged: () => undefined });
  return {
    ...orders(),
    adapter: createInMemory(cloud, ['DPC'], (target, report) => checkin(target, report)),
    phone: async () => {
      const { target } = await enrolled();
      await world.db.asOwner('update device_reports set boot_count = 0, elapsed_ms = 0 where device_id = $1', [
        target.deviceId,
      ]);
      cloud.enlist(target);
      return target;
    },
    phoneActs: async ({ deviceId }) => cloud.phoneActs(deviceId),
    timesDone: ({ deviceId }, commandId) => cloud.ordersDone(deviceId).filter((id) => id === commandId).length,
    setDown: (isDown) => {
      cloud.isDown = isDown;
    },
  };
});
