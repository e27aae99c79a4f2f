import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuardPlay } from '#simulator-test/guard-play.ts';
import type { Shop } from '#simulator-test/guard-play.ts';
import { until } from '#simulator-test/honest-server.ts';

let play: GuardPlay;
let shop: Shop;
let other: Shop;
beforeEach(async () => ({ play, shop, other } = await GuardPlay.open()));
afterEach(() => play.close());

const lockOf = (id: string, version = 1) => ({
  device_id: id,
  target: { version, locked: true, title: 'EMI due', message: 'Please pay', phone_number: '' },
});
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('bad days', () => {
  it('down: 503 for tenants and phones alike, and what was taken before is carried out', async () => {
    const { phone, id } = await shop.enrol(play);
    const { body } = await shop.call('POST', '/devices/targets', { request_id: 'before', items: [lockOf(id)] });
    play.cloud.setFaults({ is_down: true });
    const refused = await shop.call('GET', `/devices/${id}`);
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
    expect((await shop.call('POST', '/oauth/token', shop.credentials())).status).toBe(503);
    expect(await phone.sync()).toBe('unreachable');
    await until(() => shop.hasDone(body.transaction_id), 'the transaction of before');
    play.cloud.setFaults({ is_down: false });
    await phone.settle();
    expect(phone.isLocked()).toBe(true);
  });

  it('slow: every answer comes late, and so does what it began', async () => {
    const { id } = await shop.enrol(play);
    play.cloud.setFaults({ is_slow: true });
    const from = performance.now();
    const { body } = await shop.call('POST', '/devices/complete', { request_id: 'slow', device_ids: [id] });
    expect(performance.now() - from).toBeGreaterThanOrEqual(290);
    play.cloud.setFaults({ is_slow: false });
    const view = async () => (await shop.call('GET', `/transactions/${body.transaction_id}`)).body.status;
    expect(await view()).toBe('pending');
    await pause(350);
    expect(await view()).toBe('done');
  });

  it('partial: half of a transaction, the other half when the day is over', async () => {
    const [one, two] = [await shop.enrol(play), await shop.enrol(play)];
    play.cloud.setFaults({ completes_partially: true });
    const items = [lockOf(one.id), lockOf(two.id)];
    const { body } = await shop.call('POST', '/devices/targets', { request_id: 'half', items });
    const view = async () => (await shop.call('GET', `/transactions/${body.transaction_id}`)).body;
    await pause(150);
    expect(await view()).toMatchObject({ status: 'pending', results: [{ device_id: one.id, status: 'ok' }] });
    expect((await shop.device(two.id)).target).toBeNull();
    play.cloud.setFaults({ completes_partially: false });
    await until(() => shop.hasDone(body.transaction_id), 'the rest');
    expect((await view()).results).toEqual([one.id, two.id].map((id) => ({ device_id: id, status: 'ok' })));
  });

  it('twice: each webhook comes again under the same id', async () => {
    play.cloud.setFaults({ sends_twice: true });
    await shop.enrol(play);
    await until(() => shop.types().filter((type) => type === 'device.enrolled').length === 2, 'both');
    const [first, second] = shop.events.filter(({ type }) => type === 'device.enrolled');
    expect(second).toEqual(first);
  });

  it('reversed: the newest webhook comes first', async () => {
    const { phone, id } = await shop.enrol(play);
    await until(() => shop.types().includes('device.enrolled'), 'the quiet before');
    shop.events.length = 0;
    play.cloud.setFaults({ reverses_webhooks: true });
    await shop.order(id, 1, true);
    await phone.settle();
    await until(() => shop.events.length === 2, 'both');
    expect(shop.types()).toEqual(['device.applied', 'transaction.done']);
  });

  it('dropped answers: the call was taken, and asking again under the same request is the same transaction', async () => {
    const { id } = await shop.enrol(play);
    play.cloud.setFaults({ drops_answers: true });
    const call = () => shop.call('POST', '/devices/targets', { request_id: 'lost', items: [lockOf(id)] });
    await expect(call()).rejects.toThrow('fetch failed');
    play.cloud.setFaults({ drops_answers: false });
    const { body } = await call();
    await until(() => shop.hasDone(body.transaction_id), 'it is done');
    expect((await shop.device(id)).target).toMatchObject({ version: 1 });
    expect((await shop.call('GET', `/transactions/${body.transaction_id}`)).body.results).toHaveLength(1);
  });

  it('rate limits: everything but a token is refused, with the pause to make', async () => {
    play.cloud.setFaults({ rate_limits: true });
    const refused = await shop.call('GET', '/devices/none');
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 429, code: 'RATE_LIMITED' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await shop.call('POST', '/oauth/token', shop.credentials())).status).toBe(200);
  });

  it('refuses targets for good, and has no room for them today', async () => {
    const call = () => shop.call('POST', '/devices/targets', { request_id: 'one', items: [lockOf('none')] });
    const said = async () => {
      const { status, body } = await call();
      return [status, body.code];
    };
    play.cloud.setFaults({ refuses_targets: true });
    expect(await said()).toEqual([400, 'INVALID_REQUEST']);
    play.cloud.setFaults({ refuses_targets: false, is_full: true });
    expect(await said()).toEqual([429, 'QUOTA']);
    expect(Number((await call()).headers.get('retry-after'))).toBeGreaterThan(0);
    play.cloud.setFaults({ is_full: false });
    expect((await call()).status).toBe(202);
  });
});

describe('limits of a tenant', () => {
  it('calls per minute, of its own bucket', async () => {
    await play.restart({ limits: { callsPerMinute: 3 } });
    const statuses = [];
    for (let calls = 0; calls < 4; calls += 1) statuses.push((await shop.call('GET', '/devices/none')).status);
    expect(statuses).toEqual([404, 404, 404, 429]);
    const refused = await shop.call('GET', '/devices/none');
    expect(refused.headers.get('retry-after')).toBe('20');
    expect((await other.call('GET', '/devices/none')).status).toBe(404);
    play.nowMs += 20_000;
    expect((await shop.call('GET', '/devices/none')).status).toBe(404);
    expect((await shop.call('GET', '/devices/none')).status).toBe(429);
  });

  it('target items per day: a repeat costs nothing, a restart forgets nothing, the next day begins anew', async () => {
    await play.restart({ limits: { targetsPerDay: 3 } });
    const call = (request_id: string, count: number) =>
      shop.call('POST', '/devices/targets', { request_id, items: Array.from({ length: count }, () => lockOf('none')) });
    expect((await call('two', 2)).status).toBe(202);
    expect((await call('two', 2)).status).toBe(202);
    await play.restart();
    const refused = await call('more', 2);
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 429, code: 'QUOTA' });
    expect(Number(refused.headers.get('retry-after'))).toBe(19 * 3600);
    expect((await call('last', 1)).status).toBe(202);
    play.nowMs += 19 * 3_600_000;
    await shop.logIn();
    expect((await call('more', 2)).status).toBe(202);
  });
});

describe('a restart', () => {
  it('in the middle of a transaction: it is carried out, once, and its webhook comes', async () => {
    const [one, two] = [await shop.enrol(play), await shop.enrol(play)];
    play.cloud.setFaults({ completes_partially: true });
    const items = [lockOf(one.id), lockOf(two.id)];
    const body = { request_id: randomUUID(), items };
    const { transaction_id } = (await shop.call('POST', '/devices/targets', body)).body;
    await pause(100);
    await play.cloud.stop();
    expect(shop.hasDone(transaction_id)).toBe(false);
    await play.restart();
    await until(() => shop.hasDone(transaction_id), 'the rest');
    expect((await shop.call('POST', '/devices/targets', body)).body).toEqual({ transaction_id });
    expect((await shop.call('GET', `/transactions/${transaction_id}`)).body.results).toEqual(
      [one.id, two.id].map((id) => ({ device_id: id, status: 'ok' })),
    );
    await one.phone.settle();
    expect(await shop.device(one.id)).toMatchObject({ applied: { version: 1, locked: true }, state: 'enrolled' });
  });

  it('keeps a webhook that nobody took, and repeats it until somebody does', async () => {
    shop.refuseFirst = 1000;
    const { id } = await shop.enrol(play);
    await pause(100);
    expect(shop.events).toEqual([]);
    await play.restart();
    shop.refuseFirst = 2;
    await until(() => play.kept!.events.length === 0, 'all are taken');
    expect(shop.types().toSorted()).toEqual(['device.enrolled', 'transaction.done', 'transaction.done']);
    expect(shop.events.find(({ type }) => type === 'device.enrolled')!.device_id).toBe(id);
  });
});
