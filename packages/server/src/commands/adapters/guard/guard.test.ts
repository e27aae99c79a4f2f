import { afterEach, expect, test } from 'vitest';
import type { Outcome } from '#server/commands/adapter.ts';
import { type Said, anyCloud, closeClouds, deliveryOf } from '#test/spoken-cloud.ts';

afterEach(closeClouds);

const record = (device_id: string) => ({
  device_id,
  state: 'enrolled',
  target: { version: 2, locked: false },
  applied: { version: 2, locked: false, at: '2026-03-05T06:45:00.000Z' },
  last_seen_at: '2026-03-05T06:45:00.000Z',
  sims: [],
});

test('an unlock leaves before anybody is asked about what was carried earlier', async () => {
  const cloud = await anyCloud({
    'GET /devices/': (path) => ({ body: record(path.split('/').at(-1)!) }),
    'POST /devices/targets': () => ({ body: { transaction_id: 'n' } }),
  });
  const outcomes = await cloud.adapter.deliver([deliveryOf('old', 2), deliveryOf('new', null)]);
  expect(cloud.asked()).toEqual(['POST /devices/targets', 'GET /devices/old']);
  expect(outcomes).toEqual([
    { outcome: 'told', level: 0 },
    { outcome: 'told', operation: 'n', level: 0 },
  ]);
});

test('the cloud, which locks whole phones, locks none below the last level', async () => {
  const cloud = await anyCloud({ 'POST /devices/targets': () => ({ body: { transaction_id: 'n' } }) });
  await cloud.adapter.deliver(([0, 1, 2, 3, 4] as const).map((level) => deliveryOf(`at-${level}`, null, level)));
  const { items } = cloud.calls.find(({ of }) => of === 'POST /devices/targets')!.body;
  expect(items.map(({ target }) => target.locked)).toEqual([false, false, false, false, true]);
});

test('a record that cannot be read holds up its own phone alone', async () => {
  const cloud = await anyCloud({
    'GET /devices/odd': () => ({ body: { device_id: 5 } }),
    'GET /devices/good': () => ({ body: record('good') }),
    'POST /devices/targets': () => ({ body: { transaction_id: 'n' } }),
  });
  const outcomes = await cloud.adapter.deliver(
    ['odd', 'good', 'new'].map((one) => deliveryOf(one, one === 'new' ? null : 2)),
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['later', 'told', 'told']);
  expect(cloud.observed).toEqual(['good']);
});

test('once the cloud has no calls left it is asked about nobody else, and what is new was told before', async () => {
  const cloud = await anyCloud({
    'GET /devices/': () => ({ status: 429, body: { code: 'RATE_LIMITED' } }),
    'POST /devices/targets': () => ({ body: { transaction_id: 'n' } }),
  });
  const outcomes = await cloud.adapter.deliver(
    ['a', 'b', 'new'].map((one) => deliveryOf(one, one === 'new' ? null : 2)),
  );
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['later', 'later', 'told']);
  expect(cloud.asked()).toEqual(['POST /devices/targets', 'GET /devices/a']);
});

test('questions about many phones that are off leave the calls of the cloud to what is new, and are asked later', async () => {
  const cloud = await anyCloud({
    'GET /devices/': (path) => ({ body: record(path.split('/').at(-1)!) }),
    'POST /devices/targets': () => ({ body: { transaction_id: 'n' } }),
  });
  const many = Array.from({ length: 99 }, (_, n) => deliveryOf(`off-${n}`, 2));
  for (let round = 0; round < 3; round += 1) {
    const outcomes = await cloud.adapter.deliver([deliveryOf(`new-${round}`, null), ...many]);
    expect(outcomes[0]).toEqual({ outcome: 'told', operation: 'n', level: 0 });
    expect(outcomes.at(-1)).toMatchObject({ outcome: 'later', why: 'TOO_MANY_QUESTIONS' });
  }
  expect(cloud.asked().filter((one) => one.startsWith('POST'))).toHaveLength(3);
  expect(cloud.asked().filter((one) => one.startsWith('GET')).length).toBeLessThan(40);
});

/** What comes of a delivery that is refused so. */
async function refusedWith(said: Said) {
  const { adapter } = await anyCloud({ 'POST /devices/targets': () => said });
  const [outcome] = await adapter.deliver([deliveryOf('new', null)]);
  return outcome as Extract<Outcome, { outcome: 'later' }>;
}

test('the time that a refusal names is heard as seconds and as a date, whatever its body is', async () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  for (const body of [{ code: 'RATE_LIMITED' }, '<html>429</html>'])
    for (const said of ['60', inAMinute]) {
      const { afterMs } = await refusedWith({ status: 429, headers: { 'retry-after': said }, body });
      expect(afterMs).toBeGreaterThan(55_000);
      expect(afterMs).toBeLessThanOrEqual(60_000);
    }
});

test('a time that is none, or is over, puts nothing off for longer', async () => {
  for (const said of ['soon', '-100', '1e9', new Date(Date.now() - 60_000).toUTCString()])
    expect((await refusedWith({ status: 429, headers: { 'retry-after': said }, body: '' })).afterMs).toBeLessThan(6000);
});

test('a target that the cloud cannot take holds up itself alone', async () => {
  const { adapter, calls } = await anyCloud({
    'POST /devices/targets': (_of, { items }) =>
      items.some(({ device_id }) => device_id === 'bad')
        ? { status: 400, body: { code: 'INVALID_REQUEST' } }
        : { body: { transaction_id: `of ${items.length}` } },
  });
  const names = Array.from({ length: 100 }, (_, n) => (n === 37 ? 'bad' : `good-${n}`));
  const outcomes = await adapter.deliver(names.map((one) => deliveryOf(one, null)));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(names.map((one) => (one === 'bad' ? 'later' : 'told')));
  expect(outcomes[37]).toMatchObject({ why: 'INVALID_REQUEST' });
  expect(calls.length).toBeLessThan(20);
});

test.each([400, 404, 405, 409, 410, 415, 422])(
  'a call that is refused as a whole with %i does not wait for ever: after many tries each is refused for good',
  async (status) => {
    const { adapter } = await anyCloud({ 'POST /devices/': () => ({ status, body: { code: 'NOT_TAKEN' } }) });
    const triedFor = (tries: number) =>
      ['a', 'b', 'c'].map((one) => {
        const delivery = deliveryOf(one, null);
        return { ...delivery, before: { ...delivery.before, tries } };
      });
    const refused = { outcome: 'refused', code: 'NOT_TAKEN', why: 'NOT_TAKEN' };
    expect((await adapter.deliver(triedFor(9))).map(({ outcome }) => outcome)).toEqual(['later', 'later', 'later']);
    expect(await adapter.deliver(triedFor(10))).toEqual([refused, refused, refused]);
    expect(await adapter.release(triedFor(9)[0]!)).toMatchObject({ outcome: 'later' });
    expect(await adapter.release(triedFor(10)[0]!)).toEqual(refused);
  },
);

test.each([401, 403, 408, 425, 429, 500, 503])('what is only so now, a %i, is never for good', async (status) => {
  const { adapter } = await anyCloud({ 'POST /devices/': () => ({ status, body: { code: 'NOT_NOW' } }) });
  const delivery = deliveryOf('a', null);
  const [outcome] = await adapter.deliver([{ ...delivery, before: { ...delivery.before, tries: 1000 } }]);
  expect(outcome).toMatchObject({ outcome: 'later', why: 'NOT_NOW' });
});

test('a cloud that takes nothing is not asked about each of a hundred', async () => {
  const { adapter, calls } = await anyCloud({
    'POST /devices/targets': () => ({ status: 400, body: { code: 'INVALID_REQUEST' } }),
  });
  const outcomes = await adapter.deliver(Array.from({ length: 100 }, (_, n) => deliveryOf(`n${n}`, null)));
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['later']));
  expect(calls.length).toBeLessThan(100);
});

test('a token that is refused in whatever words is asked for once more, and once only', async () => {
  for (const refusal of [{ code: 'TOKEN_EXPIRED' }, { code: 'UNAUTHORIZED' }, '<html>401</html>']) {
    let tokens = 0;
    let refusesAll = false;
    const { adapter, calls } = await anyCloud({
      'POST /oauth/token': () => ({ body: { access_token: `t${(tokens += 1)}`, expires_in: 1800 } }),
      'POST /devices/targets': (_of, _body, { authorization }) =>
        refusesAll || authorization === 'Bearer t1'
          ? { status: 401, body: refusal }
          : { body: { transaction_id: 'n' } },
    });
    expect((await adapter.deliver([deliveryOf('a', null)]))[0]).toMatchObject({ outcome: 'told', operation: 'n' });
    expect([tokens, calls.length]).toEqual([2, 2]);
    refusesAll = true;
    expect((await adapter.deliver([deliveryOf('a', null)]))[0]).toMatchObject({ outcome: 'later' });
    expect([tokens, calls.length]).toEqual([3, 4]);
  }
});
