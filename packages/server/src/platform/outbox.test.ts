import { afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { addToDirectory } from '#test/directory.ts';
import { testSealer } from '#test/sealer.ts';
import { createLog } from './log.ts';
import { append, forgetDone, startOutbox } from './outbox.ts';
import type { OutboxDispatcher, OutboxHandler } from './outbox.ts';

const database = await createTestDatabase();
await addToDirectory(database, 20, 21, 22);
const log = createLog('silent');
const running: OutboxDispatcher[] = [];
let topicNumber = 0;

function start(topic: string, handler: OutboxHandler): OutboxDispatcher {
  const dispatcher = startOutbox(database, testSealer, { [topic]: handler }, log);
  running.push(dispatcher);
  return dispatcher;
}
const newTopic = () => `test.${++topicNumber}`;
const send = (topic: string, payload: unknown = {}, orgId = 20) =>
  database.transaction(orgId, (tx) => append(tx, { topic, payload }));
const row = async (id: string) =>
  (
    await database.asOwner<{ done: boolean; attempts: number; error: string | null; waits: number }>(
      `select done_at is not null as done, attempts, last_error as error,
       extract(epoch from next_attempt_at - now())::float8 as waits from outbox where id = $1`,
      [id],
    )
  )[0]!;
const makeDue = (id: string) => database.asOwner(`update outbox set next_attempt_at = now() where id = $1`, [id]);

/** Every row as text, bytes also as the text they may be, as a dump or a reader of the table has them. */
const wholeTable = async () =>
  (
    await database.asOwner<{ text: string }>(
      `select string_agg(o::text || coalesce(encode(o.sealed, 'escape'), ''), ' ') as text from outbox o`,
    )
  )[0]!.text;

function signalled<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((dispatcher) => dispatcher.stop()));
});

describe('the outbox', () => {
  test('carries out a committed message at once, without waiting for the poll', async () => {
    const topic = newTopic();
    const seen = signalled<number>();
    start(topic, async (message) => {
      expect(message).toMatchObject({ orgId: 20, topic, payload: { hello: 'phone' }, attempt: 1 });
      seen.resolve(performance.now());
    });
    const sentAtMs = performance.now();
    await send(topic, { hello: 'phone' });
    expect((await seen.promise) - sentAtMs).toBeLessThan(1_000);
  });

  test('never carries out what was rolled back', async () => {
    const topic = newTopic();
    const seen: unknown[] = [];
    const dispatcher = start(topic, async (message) => void seen.push(message));
    const failing = database.transaction(20, async (tx) => {
      await append(tx, { topic, payload: {} });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await dispatcher.drain();
    expect(seen).toEqual([]);
  });

  test('serves every organisation, marks what is done, and does it once', async () => {
    const topic = newTopic();
    const seen: number[] = [];
    const ids = [await send(topic, {}, 20), await send(topic, {}, 21), await send(topic, {}, 22)];
    const dispatcher = start(topic, async ({ orgId }) => void seen.push(orgId));
    await dispatcher.drain();
    await dispatcher.drain();
    expect(seen.toSorted((left, right) => left - right)).toEqual([20, 21, 22]);
    for (const id of ids) expect(await row(id)).toMatchObject({ done: true, attempts: 1, error: null });
  });

  test('brings a failed message back, later each time, and keeps no personal data of the error', async () => {
    const topic = newTopic();
    const id = await send(topic);
    let isDown = true;
    const dispatcher = start(topic, async () => {
      if (isDown) throw new TypeError('cannot reach +919876543210');
    });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await dispatcher.drain();
      const state = await row(id);
      expect(state).toMatchObject({ done: false, attempts: attempt, error: 'TypeError' });
      waits.push(state.waits);
      await makeDue(id);
    }
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThan(2 ** index / 2 - 0.5);
      expect(wait).toBeLessThanOrEqual(2 ** index);
    });
    isDown = false;
    await dispatcher.drain();
    expect(await row(id)).toMatchObject({ done: true, attempts: 7, error: null });
  });

  test('shared by four dispatchers gives each of 300 messages to exactly one', async () => {
    const topic = newTopic();
    await database.transaction(20, async (tx) => {
      for (let n = 0; n < 300; n += 1) await append(tx, { topic, payload: { n } });
    });
    const seen: string[] = [];
    const dispatchers = Array.from({ length: 4 }, () => start(topic, async ({ id }) => void seen.push(id)));
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.drain()));
    await expect.poll(() => seen.length).toBe(300);
    expect(new Set(seen).size).toBe(300);
  });

  test('takes up a message whose dispatcher died with it: after the lease another one has it', async () => {
    const topic = newTopic();
    const id = await send(topic);
    const dying = startOutbox(
      { ...database, devicePool: { query: () => Promise.reject(new Error('killed')) } as never },
      testSealer,
      { [topic]: async () => {} },
      log,
    );
    await dying.drain();
    await dying.stop();
    const leased = await row(id);
    expect(leased).toMatchObject({ done: false, attempts: 1 });
    expect(leased.waits).toBeGreaterThan(20);
    expect(leased.waits).toBeLessThanOrEqual(30);
    await makeDue(id);
    await start(topic, async () => {}).drain();
    expect(await row(id)).toMatchObject({ done: true, attempts: 2 });
  });

  test('holds a delayed message until its time', async () => {
    const topic = newTopic();
    const id = await database.transaction(20, (tx) => append(tx, { topic, payload: {}, delayS: 60 }));
    const dispatcher = start(topic, async () => {});
    expect(await dispatcher.drain()).toBe(0);
    await makeDue(id);
    expect(await dispatcher.drain()).toBe(1);
  });

  test('when stopping lets what is under way end, told by its signal, and takes no more', async () => {
    const topic = newTopic();
    const begun = signalled<void>();
    const dispatcher = start(topic, async (_, signal) => {
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    });
    const id = await send(topic);
    await begun.promise;
    await dispatcher.stop();
    expect(await row(id)).toMatchObject({ done: true });
    const later = await send(topic);
    expect(await dispatcher.drain()).toBe(0);
    expect(await row(later)).toMatchObject({ attempts: 0 });
  });

  test('keeps a sealed message unreadable, opens it for its handler only, in its own row only, and erases what it said', async () => {
    const topic = newTopic();
    const seen: unknown[] = [];
    const text = { mobile: '+919876543210', params: { code: '482913' } };
    const ids = await database.transaction(20, async (tx) => [
      await append(tx, { topic, payload: text, sealer: testSealer }),
      await append(tx, { topic, payload: { other: 'row' }, sealer: testSealer }),
    ]);
    expect(await wholeTable()).not.toMatch(/9876543210|482913/);
    await database.asOwner(`update outbox set sealed = (select sealed from outbox where id = $1) where id = $2`, ids);
    const dispatcher = start(topic, async ({ payload }) => void seen.push(payload));
    await dispatcher.drain();
    expect(seen).toEqual([text]);
    expect(await row(ids[0]!)).toMatchObject({ done: true });
    expect(await row(ids[1]!)).toMatchObject({ done: false, error: 'SealBrokenError' });
    const open = await send(topic, text);
    await dispatcher.drain();
    expect(seen).toEqual([text, text]);
    const kept = await database.asOwner(
      'select id from outbox where id = any($1) and (payload is not null or sealed is not null)',
      [[...ids, open]],
    );
    expect(kept).toEqual([{ id: ids[1] }]);
  });

  test('drops a message whose time is over, sent or not, and keeps no row of it', async () => {
    const topic = newTopic();
    const seen: unknown[] = [];
    const short = (n: number) =>
      database.transaction(20, (tx) => append(tx, { topic, payload: { n }, sealer: testSealer, ttlS: 300 }));
    const [sent, late, unheard] = [await short(1), await short(2), await short(3)];
    const left = async () =>
      (await database.asOwner('select id from outbox where id = any($1)', [[sent, late, unheard]])).map(({ id }) => id);
    await database.asOwner(`update outbox set expires_at = now() where id = $1`, [late]);
    let isDown = true;
    const dispatcher = start(topic, async ({ payload, id }) => {
      if (id === unheard && isDown) throw new Error('the gateway is away');
      seen.push(payload);
    });
    await dispatcher.drain();
    expect([seen, await left()]).toEqual([[{ n: 1 }], [unheard]]);
    await database.asOwner(
      `update outbox set expires_at = now(), next_attempt_at = now() + interval '1 hour' where id = $1`,
      [unheard],
    );
    isDown = false;
    await dispatcher.drain();
    expect([seen, await left()]).toEqual([[{ n: 1 }], []]);
  });

  test('forgets what was done long ago, never what is not done', async () => {
    const topic = newTopic();
    const [done, open] = [await send(topic), await send('nobody.listens')];
    await start(topic, async () => {}).drain();
    await database.asOwner(
      `update outbox set done_at = done_at - interval '40 days', created_at = now() - interval '40 days'`,
    );
    await forgetDone(database, 30);
    expect(await database.asOwner('select id from outbox where id = any($1)', [[done, open]])).toEqual([{ id: open }]);
  });
});
