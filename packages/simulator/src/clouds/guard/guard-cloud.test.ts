import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuardPlay } from '#simulator-test/guard-play.ts';
import type { Shop } from '#simulator-test/guard-play.ts';
import { until } from '#simulator-test/honest-server.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let play: GuardPlay;
let shop: Shop;
let other: Shop;
beforeEach(async () => ({ play, shop, other } = await GuardPlay.open()));
afterEach(() => play.close());

describe('tokens', () => {
  it('are good for thirty minutes, for calls of their own tenant', async () => {
    const { client_id, client_secret } = shop.tenant;
    const { status, body } = await shop.call('POST', '/oauth/token', { client_id, client_secret });
    expect({ status, expires_in: body.expires_in }).toEqual({ status: 200, expires_in: 1800 });
    const wrong = await shop.call('POST', '/oauth/token', { client_id, client_secret: other.tenant.client_secret });
    expect({ status: wrong.status, code: wrong.body.code }).toEqual({ status: 401, code: 'INVALID_CLIENT' });
    play.nowMs += 29 * MINUTE_MS;
    expect((await shop.call('GET', '/devices/none')).status).toBe(404);
    play.nowMs += MINUTE_MS;
    const late = await shop.call('GET', '/devices/none');
    expect({ status: late.status, code: late.body.code }).toEqual({ status: 401, code: 'TOKEN_EXPIRED' });
  });

  it('cannot be made by changing the tenant in one', async () => {
    const token = (await shop.call('POST', '/oauth/token', shop.credentials())).body.access_token;
    const [head = '', tail] = token.split('.');
    const forged = Buffer.from(Buffer.from(head, 'base64url').toString().replace('one', 'two')).toString('base64url');
    for (const bad of [`${forged}.${tail}`, head, '', `${token}x`]) {
      const headers = { authorization: `Bearer ${bad}` };
      expect((await fetch(`${play.url()}/guard/v1/devices/none`, { headers })).status).toBe(401);
    }
  });
});

describe('a phone’s way', () => {
  it('uploaded, approved, switched on: pending, approved, enrolled, and the tenant hears of it', async () => {
    const phone = play.phone();
    const { imei, serial } = phone.view();
    expect(await phone.sync()).toBe('told');
    const uploaded = await shop.done('/devices/upload', { devices: [{ imei }] });
    const id = uploaded.results[0]!.device_id!;
    expect(uploaded.results).toEqual([{ imei, device_id: id, status: 'ok' }]);
    expect(await shop.device(id)).toMatchObject({ state: 'pending', imei, serial: null, last_seen_at: null });
    await phone.sync();
    expect((await shop.device(id)).state).toBe('pending');
    await shop.done('/devices/approve', { devices: [{ imei }] });
    expect((await shop.device(id)).state).toBe('approved');
    expect(await shop.order(id, 1, true)).toEqual({ device_id: id, status: 'error', code: 'NOT_ENROLLED' });
    await phone.sync();
    expect(await shop.device(id)).toMatchObject({ state: 'enrolled', imei, serial, target: null, applied: null });
    expect((await shop.call('GET', `/devices?imei=${imei}`)).body.device_id).toBe(id);
    await until(() => shop.types().includes('device.enrolled'), 'the webhook');
    expect(shop.events.find(({ type }) => type === 'device.enrolled')).toMatchObject({ device_id: id });
    expect((await shop.done('/devices/upload', { devices: [{ serial }] })).results[0]!.device_id).toBe(id);
  });

  it('applies a target only when it syncs, and the pair shows both', async () => {
    const { phone, id } = await shop.enrol(play);
    expect(await shop.order(id, 1, true)).toEqual({ device_id: id, status: 'ok' });
    expect(phone.isLocked()).toBe(false);
    expect(await shop.device(id)).toMatchObject({ target: { version: 1, locked: true }, applied: null });
    expect(await phone.sync()).toBe('more');
    expect(phone.isLocked()).toBe(true);
    expect((await shop.device(id)).applied).toBeNull();
    expect(await phone.sync()).toBe('told');
    const applied = { version: 1, locked: true, at: new Date(play.nowMs).toISOString() };
    expect((await shop.device(id)).applied).toEqual(applied);
    await until(() => shop.types().includes('device.applied'), 'the webhook');
    expect(shop.events.find(({ type }) => type === 'device.applied')).toMatchObject({ device_id: id, applied });
    expect(await shop.order(id, 1, false)).toMatchObject({ status: 'error', code: 'OLD_VERSION' });
    expect(await shop.order(id, 2, false)).toMatchObject({ status: 'ok' });
    await phone.settle();
    expect(phone.isLocked()).toBe(false);
    expect(await shop.device(id)).toMatchObject({ applied: { version: 2, locked: false } });
  });

  it('is released for good by a completion, at its next sync; the record is removed once the phone said so', async () => {
    const { phone, id } = await shop.enrol(play);
    await shop.order(id, 1, true);
    await phone.settle();
    expect((await shop.done('/devices/complete', { device_ids: [id] })).results).toEqual([
      { device_id: id, status: 'ok' },
    ]);
    expect(await shop.order(id, 2, true)).toMatchObject({ code: 'COMPLETED' });
    expect(phone.isLocked()).toBe(true);
    expect(await phone.sync()).toBe('more');
    expect(phone.view()).toMatchObject({ isLocked: false, isFreed: true });
    expect((await shop.device(id)).state).toBe('completed');
    expect(await phone.sync()).toBe('freed');
    expect((await shop.device(id)).state).toBe('removed');
    await until(() => shop.types().includes('device.completed'), 'the webhook');
    const again = await shop.done('/devices/upload', { devices: [{ imei: phone.view().imei }] });
    expect(again.results[0]!.device_id).not.toBe(id);
  });

  it('comes back by an undo within two days, unless it was told of its release', async () => {
    const { phone, id } = await shop.enrol(play);
    await shop.order(id, 1, true);
    const undo = async () => (await shop.done('/devices/complete/undo', { device_ids: [id] })).results[0];
    expect(await undo()).toMatchObject({ code: 'NOT_COMPLETED' });
    await shop.done('/devices/complete', { device_ids: [id] });
    play.nowMs += 2 * DAY_MS;
    await shop.logIn();
    expect(await undo()).toMatchObject({ status: 'ok' });
    await phone.settle();
    expect(phone.isLocked()).toBe(true);
    await shop.done('/devices/complete', { device_ids: [id] });
    play.nowMs += 2 * DAY_MS + 1;
    await shop.logIn();
    expect(await undo()).toMatchObject({ code: 'TOO_LATE' });
    const second = await shop.enrol(play);
    await shop.done('/devices/complete', { device_ids: [second.id] });
    await second.phone.sync();
    const told = await shop.done('/devices/complete/undo', { device_ids: [second.id] });
    expect(told.results[0]).toMatchObject({ code: 'TOO_LATE' });
  });
});

describe('two tenants', () => {
  it('never see, order or open one another’s phones', async () => {
    const { phone, id } = await shop.enrol(play);
    const { imei } = phone.view();
    expect((await other.call('GET', `/devices/${id}`)).body.code).toBe('NOT_FOUND');
    expect((await other.call('GET', `/devices?imei=${imei}`)).status).toBe(404);
    const passkey = phone.view().passkey;
    expect((await other.call('POST', '/devices/pin', { device_id: id, passkey })).status).toBe(404);
    expect(await other.order(id, 5, true)).toEqual({ device_id: id, status: 'error', code: 'NOT_FOUND' });
    expect((await other.done('/devices/complete', { device_ids: [id] })).results[0]).toMatchObject({
      code: 'NOT_FOUND',
    });
    const uploaded = await other.done('/devices/upload', { devices: [{ imei }] });
    expect(uploaded.results).toEqual([{ imei, status: 'error', code: 'NOT_AVAILABLE' }]);
    const mine = await shop.call('POST', '/devices/complete', { request_id: 'same', device_ids: [id] });
    const theirs = await other.call('POST', '/devices/complete', { request_id: 'same', device_ids: [id] });
    expect(theirs.body.transaction_id).not.toBe(mine.body.transaction_id);
    expect((await other.call('GET', `/transactions/${mine.body.transaction_id}`)).status).toBe(404);
    expect(other.types()).not.toContain('device.enrolled');
  });
});

describe('bulk calls', () => {
  it('take one request once, at most a hundred targets, and tell of each item', async () => {
    const { id } = await shop.enrol(play);
    const target = { version: 1, locked: true, title: 'a', message: 'b', phone_number: '' };
    const body = {
      request_id: randomUUID(),
      items: [
        { device_id: id, target },
        { device_id: 'none', target },
      ],
    };
    const first = await shop.call('POST', '/devices/targets', body);
    const again = await shop.call('POST', '/devices/targets', body);
    expect(again.body).toEqual(first.body);
    const path = `/transactions/${first.body.transaction_id}`;
    expect((await shop.call('GET', path)).body).toMatchObject({ status: 'pending', results: [] });
    await until(() => shop.events.some((one) => one.transaction_id === first.body.transaction_id), 'the webhook');
    expect((await shop.call('GET', path)).body).toEqual({
      transaction_id: first.body.transaction_id,
      status: 'done',
      results: [
        { device_id: id, status: 'ok' },
        { device_id: 'none', status: 'error', code: 'NOT_FOUND' },
      ],
    });
    const many = { request_id: 'many', items: Array.from({ length: 101 }, () => body.items[0]) };
    const refused = await shop.call('POST', '/devices/targets', many);
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 413, code: 'TOO_MANY' });
  });

  it('refuse what is not the protocol and say where', async () => {
    for (const [path, body] of [
      ['/devices/upload', { request_id: 'x', devices: [{}] }],
      ['/devices/upload', { request_id: 'x', devices: [{ imei: '12' }] }],
      ['/devices/targets', { request_id: 'x', items: [{ device_id: 'a', target: { version: 1, locked: 'yes' } }] }],
      ['/devices/complete', { request_id: 'x', device_ids: ['a'], more: 1 }],
      ['/devices/pin', { device_id: 'a' }],
    ] as const) {
      const { status, body: said } = await shop.call('POST', path, body);
      expect({ path, status, code: said.code }).toEqual({ path, status: 400, code: 'INVALID_REQUEST' });
    }
  });
});
