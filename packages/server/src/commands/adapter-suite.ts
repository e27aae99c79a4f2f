import { describe, expect, test } from 'vitest';
import { CAPABILITIES, COMMANDS, COMMAND_TYPES } from '@kist/contract/commands';
import type { LockView } from '@kist/contract/customers';
import type { Adapter, DeviceTarget } from './adapter.ts';

/** What a kind of phone needs to be put through the suite. The phones are real to the adapter: they act only when told to. */
export interface AdapterHarness {
  adapter: Adapter;
  /** A phone that is enrolled and has reported once. */
  phone: () => Promise<DeviceTarget>;
  /** The phone wakes up, fetches what lies there for it, obeys, and tells. Nothing when it was not called. */
  phoneActs: (target: DeviceTarget) => Promise<void>;
  /** How often the phone really carried out this order. */
  timesDone: (target: DeviceTarget, commandId: string) => number;
  order: (target: DeviceTarget, level: 0 | 4) => Promise<void>;
  oneShot: (target: DeviceTarget) => Promise<string>;
  stateOf: (commandId: string) => Promise<string>;
  lock: (target: DeviceTarget) => Promise<LockView>;
  /** Breaks and mends the way to the phones; absent where there is none to break. */
  setDown?: (isDown: boolean) => void;
}

/** Call, obey, tell: three rounds are enough for every kind of phone, whether it comes to us or its vendor does. */
async function settle({ adapter, phoneActs }: AdapterHarness, target: DeviceTarget): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await adapter.send([target]);
    await phoneActs(target);
  }
  await adapter.send([target]);
}

/** What every adapter must hold, whatever is behind it. */
export function describeAdapter(name: string, harnessOf: () => AdapterHarness): void {
  describe(`adapter ${name}`, () => {
    obeys(harnessOf);
    bearsFaults(harnessOf);
  });
}

function obeys(harnessOf: () => AdapterHarness): void {
  test('says of every order what the contract says of its kinds of phone', () => {
    const { adapter } = harnessOf();
    for (const provisioning of adapter.provisioning) {
      for (const type of COMMAND_TYPES) {
        expect(adapter.supports(provisioning, type)).toBe(CAPABILITIES[provisioning][COMMANDS[type].feature] ?? 'no');
      }
    }
  });

  test('a lock and then an unlock reach the phone, and only its own word counts', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    expect(await harness.lock(phone)).toMatchObject({ level: 0, desired_level: 4 });
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject({ level: 4, pending: null });
    expect(await harness.adapter.lookup(phone)).toMatchObject({ lockLevel: 4 });
    await harness.order(phone, 0);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject({ level: 0, pending: null });
  });

  test('an unlock ordered before the lock arrived leaves the phone free', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    await harness.adapter.send([phone]);
    await harness.order(phone, 0);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject({ level: 0, desired_level: 0, pending: null });
  });
}

function bearsFaults(harnessOf: () => AdapterHarness): void {
  test('an order sent many times is carried out once and has one result', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    const commandId = await harness.oneShot(phone);
    for (let time = 0; time < 3; time += 1) await harness.adapter.send([phone, phone]);
    await settle(harness, phone);
    expect(harness.timesDone(phone, commandId)).toBe(1);
    expect(await harness.stateOf(commandId)).toBe('VERIFIED');
  });

  test('a phone nobody knows is an outcome, not an error, and harms no other', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    const stranger: DeviceTarget = {
      ...phone,
      deviceId: '00000000-0000-4000-8000-000000000000',
      enrolmentId: '00000000-0000-4000-8000-000000000000',
    };
    await harness.order(phone, 4);
    const outcomes = await harness.adapter.send([stranger, phone]);
    expect(outcomes).toHaveLength(2);
    expect(outcomes[1]).toEqual({ outcome: 'told' });
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject({ level: 4 });
    expect(await harness.adapter.lookup(stranger)).toBe('unknown');
  });

  test('while the way is broken it says when to come back, and afterwards nothing is lost', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    harness.setDown?.(true);
    await harness.order(phone, 4);
    const [delivery] = await harness.adapter.send([phone]);
    expect(delivery?.outcome).toBe(harness.setDown ? 'later' : 'told');
    harness.setDown?.(false);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject({ level: 4, pending: null });
  });
}
