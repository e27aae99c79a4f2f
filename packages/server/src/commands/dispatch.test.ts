import { describe, expect, test } from 'vitest';
import { setDesired } from '#server/devices/desired.ts';
import { release } from '#server/devices/devices.ts';
import { reserveAt } from '#server/devices/enrolment.ts';
import { ORG, OTHER_ORG, commandState } from '#test/device-world.ts';
import { dispatchActs } from '#test/dispatch-acts.ts';
import { useDispatchWorld } from '#test/use-dispatch-world.ts';
import type { Adapter } from './adapter.ts';
import { create } from './commands.ts';

const world = useDispatchWorld();
const { recorder, drainThrowing, phones, level, rowOf } = dispatchActs(() => world);

describe('what is queued', () => {
  test('whatever changes what a phone shall be queues its channel, whoever writes the statement', async () => {
    const [deviceId] = await phones(1);
    await world.db.asOwner('update deliveries set next_at = null');
    await world.db.transaction(ORG, async (tx) => {
      await tx.query('update device_desired set revision = revision + 1 where org_id = kist_org() and device_id = $1', [
        deviceId,
      ]);
    });
    expect(await rowOf(deviceId!)).toMatchObject({ isWaiting: true, priority: 1 });
  });

  test('an order of a moment queues its phone; one that was refused does not', async () => {
    const [asked, refused] = await phones(2);
    for (const [deviceId, state] of [
      [asked!, 'QUEUED'],
      [refused!, 'REFUSED'],
    ] as const)
      await world.db.transaction(ORG, (tx) =>
        create(tx, { deviceId, type: 'location', state, reason: 'CUSTOMER_REQUEST', requestedBy: null }),
      );
    expect(await rowOf(asked!)).toMatchObject({ isWaiting: true, priority: 1 });
    expect((await rowOf(refused!))?.isWaiting ?? false).toBe(false);
  });

  test('nothing is queued by what is rolled back', async () => {
    const [deviceId] = await phones(1);
    const failing = world.db.transaction(ORG, async (tx) => {
      await setDesired(tx, deviceId!, { lock: { level: 4, cause: 'debt', screen: null } });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect((await rowOf(deviceId!))?.isWaiting ?? false).toBe(false);
  });

  test.each([
    ['a lock', [4], 2],
    ['an unlock', [4, 0], 0],
    ['a lock after an unlock that nobody carried', [4, 0, 3], 2],
    ['a lower level', [4, 2], 0],
    ['an unlock that waits, reminded of since', [4, 0, 1, 2], 0],
    ['a lock after a reminder after an unlock', [4, 0, 2, 3], 2],
  ] as const)('the newest document says how soon: %s', async (_what, levels, priority) => {
    const [deviceId] = await phones(1);
    for (const to of levels) await level(deviceId!, to);
    expect(await rowOf(deviceId!)).toMatchObject({ priority, isWaiting: true });
  });

  test.each([
    [[4, 1], 2, 0],
    [[4, 1], 3, 0],
    [[4, 1, 2], 4, 2],
  ] as const)('%j after a vendor was given the first, then %i: priority %i', async (levels, last, priority) => {
    const [deviceId] = await phones(1);
    const [first, ...others] = levels;
    await level(deviceId!, first);
    await recorder(() => ({ outcome: 'told', level: first })).dispatcher.drain();
    for (const to of [...others, last]) await level(deviceId!, to);
    expect(await rowOf(deviceId!)).toMatchObject({ priority, isWaiting: true });
  });

  test('a switch that is given back goes first, one that is taken last', async () => {
    const [deviceId] = await phones(1);
    const turn = (camera_lock: boolean) =>
      world.db.transaction(ORG, (tx) => setDesired(tx, deviceId!, { toggles: { camera_lock } }));
    await turn(true);
    expect(await rowOf(deviceId!)).toMatchObject({ priority: 2 });
    await turn(false);
    expect(await rowOf(deviceId!)).toMatchObject({ priority: 0 });
    await turn(true);
    expect(await rowOf(deviceId!)).toMatchObject({ priority: 2 });
  });

  test('a question never makes an unlock wait, and brings a lock forward', async () => {
    const [freed, held] = await phones(2);
    await level(freed!, 4);
    await level(freed!, 0);
    await level(held!, 4);
    for (const deviceId of [freed!, held!])
      await world.db.transaction(ORG, (tx) =>
        create(tx, { deviceId, type: 'location', reason: 'CUSTOMER_REQUEST', requestedBy: null }),
      );
    expect(await rowOf(freed!)).toMatchObject({ priority: 0 });
    expect(await rowOf(held!)).toMatchObject({ priority: 1 });
  });
});

const queuedAt = (deviceId: string, vendor: string) =>
  world.db.asOwner(
    `insert into deliveries (org_id, enrolment_id, device_id, vendor, priority, next_at, queued_at)
     select org_id, enrolment_id, device_id, vendor, 0, now(), now() from enrolments
     where device_id = $1 and vendor = $2 and ended_at is null
     on conflict (org_id, enrolment_id) do update set next_at = now()`,
    [deviceId, vendor],
  );

test('a channel beside the one in charge is not told what the phone is held to', async () => {
  const { deviceId } = await world.enrolledPhone();
  const handle = `beside-${deviceId}`;
  await world.db.transaction(ORG, (tx) => reserveAt(tx, world.actor, { deviceId, vendor: 'guard', handle }));
  const { enrolmentId } = await world.plane.begun(ORG, 'guard', handle);
  await level(deviceId, 3);
  const [own, beside] = [recorder(), recorder(undefined, { vendor: 'guard' })];
  await queuedAt(deviceId, 'android-agent');
  await own.dispatcher.drain();
  await queuedAt(deviceId, 'guard');
  await beside.dispatcher.drain();
  expect(own.calls.flat()).toMatchObject([{ deviceId, desired: { policy: { lock: { level: 3 } } } }]);
  expect(beside.calls.flat()).toMatchObject([{ deviceId, enrolmentId, desired: null }]);
});

test('an order that what the phone shall be came with is not sent because a channel beside was told of something', async () => {
  const { deviceId } = await world.enrolledPhone();
  const handle = `beside-${deviceId}`;
  await world.db.transaction(ORG, (tx) => reserveAt(tx, world.actor, { deviceId, vendor: 'guard', handle }));
  await world.plane.begun(ORG, 'guard', handle);
  const orderId = await world.db.transaction(ORG, async (tx) => {
    const { revision } = await setDesired(tx, deviceId, { lock: { level: 3, cause: 'debt', screen: null } });
    return create(tx, { deviceId, type: 'lock', revision, reason: 'EMI_OVERDUE', requestedBy: null });
  });
  const toldBy = async (vendor: Adapter['vendor']) => {
    await queuedAt(deviceId, vendor);
    await recorder(undefined, { vendor }).dispatcher.drain();
    return commandState(world.db, orderId);
  };
  expect([await toldBy('guard'), await toldBy('android-agent')]).toEqual(['QUEUED', 'SENT']);
});

describe('who goes first', () => {
  test('an unlock leaves before every lock that was ordered before it', async () => {
    const many = await phones(6);
    for (const deviceId of many) await level(deviceId, 4);
    await level(many[4]!, 0);
    const { dispatcher, devices } = recorder();
    await dispatcher.drain();
    expect(devices()[0]).toBe(many[4]);
    expect(new Set(devices())).toEqual(new Set(many));
  });

  test('an unlock that comes while locks are carried leaves with the next call', async () => {
    const many = await phones(7);
    for (const deviceId of many.slice(1)) await level(deviceId, 4);
    await level(many[0]!, 4);
    await world.db.asOwner('update deliveries set next_at = null where device_id = $1', [many[0]]);
    let isFirst = true;
    const { dispatcher, calls } = recorder(undefined, {
      deliver: async (batch) => {
        calls.push([...batch]);
        if (isFirst) await level(many[0]!, 0);
        isFirst = false;
        return batch.map(() => ({ outcome: 'told' }));
      },
    });
    await dispatcher.drain();
    expect(calls[1]!.map(({ deviceId }) => deviceId)).toEqual([many[0]]);
  });
});

test('an organisation whose account is slow to answer holds up no other’s unlocks', async () => {
  const [slow] = await phones(1);
  await level(slow!, 0);
  // The same phone, of another organisation.
  const tables = ['devices', 'enrolments', 'device_desired', 'device_reports', 'deliveries'];
  await world.db.plant(
    tables,
    `set local session_replication_role = replica; ${tables
      .map(
        (table) =>
          `insert into ${table} select (jsonb_populate_record(t, '{"org_id": ${OTHER_ORG}}')).* from ${table} t where org_id = ${ORG} and device_id = '${slow}'`,
      )
      .join('; ')}`,
  );
  const heard: number[] = [];
  let answer: () => void = () => undefined;
  const { dispatcher } = recorder(undefined, {
    deliver: async (batch) => {
      heard.push(batch[0]!.orgId);
      if (batch[0]!.orgId === ORG) await new Promise<void>((resolve) => (answer = resolve));
      return batch.map(() => ({ outcome: 'told' }));
    },
  });
  const drained = dispatcher.drain();
  await expect.poll(() => heard.toSorted((left, right) => left - right)).toEqual([ORG, OTHER_ORG]);
  const nextOfOther = async () => {
    const rows = await world.db.asOwner<{ next_at: Date | null }>(
      `select next_at from deliveries where org_id = ${OTHER_ORG} and device_id = '${slow}'`,
    );
    return rows[0]?.next_at;
  };
  await expect.poll(nextOfOther).toBeNull();
  answer();
  await drained;
  await world.db.plant(
    tables,
    tables
      .toReversed()
      .map((table) => `delete from ${table} where org_id = ${OTHER_ORG}`)
      .join('; '),
  );
});

describe('what is carried', () => {
  test('a change that comes while its phone is told leaves the row open, and the newest is told', async () => {
    const [deviceId] = await phones(1);
    await level(deviceId!, 4);
    let isFirst = true;
    const seen: number[] = [];
    const { dispatcher } = recorder(undefined, {
      deliver: async (batch) => {
        seen.push(...batch.map(({ desired }) => desired!.policy.lock.level));
        if (isFirst) await level(deviceId!, 0);
        isFirst = false;
        return batch.map(() => ({ outcome: 'told' }));
      },
    });
    await dispatcher.drain();
    expect(seen).toEqual([4, 0]);
    expect(await rowOf(deviceId!)).toMatchObject({ isWaiting: false });
  });

  test('whoever dies with a delivery in hand has it for a minute, then another carries it', async () => {
    const [deviceId] = await phones(1);
    await level(deviceId!, 4);
    const dying = recorder(undefined, { deliver: () => new Promise(() => undefined) });
    dying.dispatcher.start();
    await expect.poll(async () => (await rowOf(deviceId!))?.tries).toBe(1);
    void dying.dispatcher.stop();
    const other = recorder();
    await other.dispatcher.drain();
    expect(other.devices()).toEqual([]);
    expect((await rowOf(deviceId!))!.inS).toBeGreaterThan(30);
    await world.db.asOwner(`update deliveries set next_at = next_at - interval '1 minute' where device_id = $1`, [
      deviceId,
    ]);
    await other.dispatcher.drain();
    expect(other.devices()).toEqual([deviceId]);
  });

  test('"later" waits at least as long as the vendor says, and longer each time it is said again', async () => {
    const [deviceId] = await phones(1);
    await level(deviceId!, 4);
    const { dispatcher } = recorder(() => ({ outcome: 'later', afterMs: 2000, why: 'quota' }));
    await dispatcher.drain();
    expect(await rowOf(deviceId!)).toMatchObject({ why: 'quota', tries: 1, troubles: 1 });
    expect((await rowOf(deviceId!))!.inS).toBeGreaterThan(1.5);
    await world.db.asOwner('update deliveries set next_at = kist_now(), troubles = 6 where device_id = $1', [deviceId]);
    await dispatcher.drain();
    expect((await rowOf(deviceId!))!.inS).toBeGreaterThan(30);
  });

  test('what is refused for good fails its orders with the vendor’s code, and is not tried again', async () => {
    const [deviceId] = await phones(1);
    const commandId = await world.db.transaction(ORG, (tx) =>
      create(tx, { deviceId: deviceId!, type: 'reboot', reason: 'CUSTOMER_REQUEST', requestedBy: null }),
    );
    const { dispatcher } = recorder(() => ({ outcome: 'refused', code: 'NOT_THIS_MODEL', why: 'no restart' }));
    await dispatcher.drain();
    const [order] = await world.db.asOwner('select state, fail_code from commands where command_id = $1', [commandId]);
    expect(order).toEqual({ state: 'FAILED', fail_code: 'NOT_THIS_MODEL' });
    expect(await rowOf(deviceId!)).toMatchObject({ isWaiting: false });
  });

  test('an unlock that is refused for good fails its order too, and is tried on each minute all the same', async () => {
    const [deviceId] = await phones(1);
    await level(deviceId!, 4);
    await recorder().dispatcher.drain();
    await level(deviceId!, 0);
    const { dispatcher } = recorder(() => ({ outcome: 'refused', code: 'NOT_TAKEN', why: 'NOT_TAKEN' }));
    await dispatcher.drain();
    expect(await rowOf(deviceId!)).toMatchObject({ isWaiting: true, why: 'NOT_TAKEN' });
    const { inS } = (await rowOf(deviceId!))!;
    expect(inS).toBeGreaterThan(30);
    expect(inS).toBeLessThanOrEqual(60);
  });

  test('each of a batch has its own outcome, also beside phones that are let go', async () => {
    const [letGo, told, later] = await phones(3);
    for (const deviceId of [letGo!, told!, later!]) await level(deviceId, 4);
    for (const deviceId of [told!, later!]) await level(deviceId, 0);
    await world.db.transaction(ORG, (tx) => release(tx, world.actor, letGo!));
    const { dispatcher } = recorder(
      ({ deviceId }) => (deviceId === told ? { outcome: 'told' } : { outcome: 'later', afterMs: 60_000, why: 'quota' }),
      { batchSize: 3 },
    );
    await dispatcher.drain();
    expect(await Promise.all([letGo!, told!, later!].map(rowOf))).toMatchObject([
      { isWaiting: false, why: null },
      { isWaiting: false, why: null },
      { isWaiting: true, why: 'quota' },
    ]);
  });

  test('a phone that is gone ends its channel, and the shop is told once', async () => {
    const [deviceId] = await phones(1);
    await level(deviceId!, 4);
    const { dispatcher } = recorder(() => ({ outcome: 'gone', why: 'unknown there' }));
    await dispatcher.drain();
    await level(deviceId!, 0);
    await dispatcher.drain();
    expect(world.gone).toEqual([deviceId]);
    const live = await world.db.asOwner('select from enrolments where device_id = $1 and ended_at is null', [deviceId]);
    expect(live).toHaveLength(0);
  });

  test('an adapter that throws loses nothing and harms nobody else', async () => {
    const [deviceId] = await phones(1);
    await level(deviceId!, 4);
    expect(await drainThrowing({ carries: true })).toHaveLength(1);
    expect(await rowOf(deviceId!)).toMatchObject({ isWaiting: true, why: 'the adapter failed' });
  });
});

test('with no hint at all the queue is found within seconds', { timeout: 10_000 }, async () => {
  const [deviceId] = await phones(1);
  const { dispatcher, devices } = recorder();
  dispatcher.start();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await level(deviceId!, 4);
  const from = performance.now();
  await expect.poll(devices, { timeout: 5000 }).toContain(deviceId);
  expect(performance.now() - from).toBeLessThan(5000);
  await dispatcher.stop();
});
