import type { LockLevel } from '@kist/contract/lock-policy';
import type { Adapter, Delivery, Outcome } from '#server/commands/adapter.ts';
import { createDispatcher } from '#server/commands/dispatch.ts';
import { setDesired } from '#server/devices/desired.ts';
import { type DeviceWorld, ORG } from './device-world.ts';

/** What tests of the dispatcher do: a vendor that takes what it is given, phones, levels, and what stands in the queue. */
export function dispatchActs(worldNow: () => DeviceWorld) {
  /** A vendor that keeps phones and notes what it was given. */
  function recorder(
    answer: (delivery: Delivery) => Outcome = () => ({ outcome: 'told' }),
    more: Partial<Adapter> = {},
  ) {
    const calls: Delivery[][] = [];
    const adapter: Adapter = {
      vendor: 'android-agent',
      carries: true,
      batchSize: 2,
      deliver: async (batch) => {
        calls.push([...batch]);
        return batch.map(answer);
      },
      release: async () => ({ outcome: 'told' }),
      lookup: async () => 'unknown',
      ...more,
    };
    const dispatcher = createDispatcher({
      db: worldNow().db,
      adapters: [adapter],
      ports: worldNow().plane,
      changed: () => undefined,
      onError: (error) => {
        throw error;
      },
    });
    return { calls, dispatcher, devices: () => calls.flat().map(({ deviceId }) => deviceId) };
  }

  /** An adapter that fails at whatever it is given goes through the queue once. @returns what was told of it */
  async function drainThrowing({ carries }: Pick<Adapter, 'carries'>): Promise<unknown[]> {
    const errors: unknown[] = [];
    const adapter: Adapter = {
      vendor: 'android-agent',
      carries,
      batchSize: 10,
      deliver: async () => Promise.reject(new Error('a fault of ours')),
      release: async () => ({ outcome: 'told' }),
      lookup: async () => 'unknown',
    };
    const onError = (error: unknown) => errors.push(error);
    await createDispatcher({
      db: worldNow().db,
      adapters: [adapter],
      ports: worldNow().plane,
      changed: () => undefined,
      onError,
    }).drain();
    return errors;
  }

  const phones = async (count: number): Promise<string[]> => {
    const made: string[] = [];
    for (let n = 0; n < count; n += 1) made.push((await worldNow().enrolledPhone()).deviceId);
    return made;
  };
  const level = (deviceId: string, to: LockLevel) =>
    worldNow().db.transaction(ORG, (tx) =>
      setDesired(tx, deviceId, { lock: { level: to, cause: to ? 'debt' : null, screen: null } }),
    );
  const rowOf = async (deviceId: string) =>
    (
      await worldNow().db.asOwner<{
        priority: number;
        isWaiting: boolean;
        inS: number | null;
        tries: number;
        troubles: number;
        why: string | null;
      }>(
        `select priority, next_at is not null as "isWaiting", extract(epoch from next_at - kist_now())::float8 as "inS", tries, troubles, why from deliveries where device_id = $1`,
        [deviceId],
      )
    )[0];

  return { recorder, drainThrowing, phones, level, rowOf };
}
