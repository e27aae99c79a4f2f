import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuardPlay } from '#simulator-test/guard-play.ts';
import type { Shop } from '#simulator-test/guard-play.ts';
import { until } from '#simulator-test/honest-server.ts';
import { serveRoutes } from '#simulator/http/http-server.ts';
import { GuardPhone } from './guard-phone.ts';
import { signSync } from './signing.ts';

let play: GuardPlay;
let shop: Shop;
let other: Shop;
beforeEach(async () => ({ play, shop, other } = await GuardPlay.open()));
afterEach(() => play.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const release = (id: string) => shop.done('/devices/complete', { device_ids: [id] });

/** A question of a phone that says what the test wants it to have applied. */
async function claim(phone: GuardPhone, version: number, locked: boolean): Promise<void> {
  const { imei, serial, boot, sims } = phone.view();
  const body = JSON.stringify({ imei, serial, boot, sims, applied: { version, locked } });
  const headers = {
    'content-type': 'application/json',
    'x-guard-device': signSync(play.cloud.secretOf(imei, serial), body),
  };
  const response = await fetch(`${play.url()}/guard/device/v1/sync`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
}

describe('a record', () => {
  it('is no phone’s whose other name differs', async () => {
    const [one, two] = [play.phone().view(), play.phone()];
    const { imei } = two.view();
    await shop.done('/devices/upload', { devices: [{ imei, serial: one.serial }] });
    await shop.done('/devices/approve', { devices: [{ imei }] });
    await two.sync();
    expect((await shop.call('GET', `/devices?imei=${imei}`)).body).toMatchObject({ state: 'approved' });
  });

  it('released is not approved, not completed twice, gets no target and no PIN', async () => {
    const { phone, id } = await shop.enrol(play);
    await release(id);
    expect((await shop.done('/devices/approve', { devices: [{ imei: phone.view().imei }] })).results).toEqual([
      { imei: phone.view().imei, device_id: id, status: 'error', code: 'COMPLETED' },
    ]);
    play.nowMs += 60_000;
    const again = await release(id);
    expect(again.results[0]).toEqual({ device_id: id, status: 'ok' });
    const refused = await shop.call('POST', '/devices/pin', { device_id: id, passkey: '12345678' });
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 409, code: 'NOT_ENROLLED' });
    const undone = await shop.done('/devices/complete/undo', { device_ids: [id] });
    expect(undone.results[0]!.status).toBe('ok');
    expect((await shop.device(id)).state).toBe('enrolled');
  });

  it('undone goes back to what it was, also before it was ever switched on', async () => {
    const { imei } = play.phone().view();
    const id = (await shop.done('/devices/upload', { devices: [{ imei }] })).results[0]!.device_id!;
    await release(id);
    await shop.done('/devices/complete/undo', { device_ids: [id] });
    expect((await shop.device(id)).state).toBe('pending');
  });

  it('takes no more than a thousand in one call', async () => {
    const devices = Array.from({ length: 1001 }, (_, place) => ({ serial: `S${place}` }));
    const refused = await shop.call('POST', '/devices/upload', { request_id: 'many', devices });
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 413, code: 'TOO_MANY' });
  });
});

describe('what a phone says', () => {
  it('is not believed above what was sent, and told once', async () => {
    const { phone, id } = await shop.enrol(play);
    await claim(phone, 1, false);
    await shop.order(id, 3, true);
    await claim(phone, 4, false);
    expect((await shop.device(id)).applied).toBeNull();
    await claim(phone, 3, true);
    await claim(phone, 3, true);
    await until(() => shop.types().includes('device.applied'), 'the webhook');
    await pause(50);
    expect(shop.types().filter((type) => type === 'device.applied')).toHaveLength(1);
    const { at } = (await shop.device(id)).applied!;
    play.nowMs += 1000;
    await claim(phone, 3, true);
    expect((await shop.device(id)).applied!.at).toBe(at);
  });

  it('reminds no longer after a new target', async () => {
    const { phone, id } = await shop.enrol(play);
    await shop.done('/devices/relock-reminder', { device_id: id, at: new Date(play.nowMs).toISOString() });
    await phone.sync();
    expect(phone.view().isReminding).toBe(true);
    await shop.order(id, 1, false);
    await phone.sync();
    expect(phone.view().isReminding).toBe(false);
  });

  it('freed, it obeys nobody until it is set up anew, whoever uploads it', async () => {
    const { phone, id } = await shop.enrol(play);
    const { imei } = phone.view();
    await release(id);
    await phone.sync();
    await play.cloud.stop();
    play.kept = undefined;
    await play.restart();
    const uploaded = await other.done('/devices/upload', { devices: [{ imei }] });
    await other.done('/devices/approve', { devices: [{ imei }] });
    expect(await phone.sync()).toBe('freed');
    const record = uploaded.results[0]!.device_id!;
    expect((await other.device(record)).state).toBe('approved');
    phone.erase();
    await phone.sync();
    expect((await other.device(record)).state).toBe('enrolled');
    await other.order(record, 1, true);
    await phone.settle();
    expect(phone.isLocked()).toBe(true);
  });

  it('freed and heard, it asks no more', async () => {
    const { phone, id } = await shop.enrol(play);
    await release(id);
    await phone.settle();
    const seen = (await shop.device(id)).last_seen_at;
    play.nowMs += 1000;
    await play.cloud.stop();
    expect(await phone.sync()).toBe('freed');
    await play.restart();
    expect((await shop.device(id)).last_seen_at).toBe(seen);
  });
});

describe('time between question and answer', () => {
  it('a phone that lost its network or its power meanwhile heard nothing', async () => {
    const { phone, id } = await shop.enrol(play);
    await shop.order(id, 1, true);
    play.cloud.setFaults({ is_slow: true });
    for (const cut of [() => phone.setOnline(false), () => phone.setPower(false)]) {
      phone.setOnline(true);
      const answer = phone.sync();
      await pause(100);
      cut();
      expect(await answer).toBe('unreachable');
      expect(phone.isLocked()).toBe(false);
    }
  });

  it('a PIN entered meanwhile holds until the next sync', async () => {
    const { phone, id } = await shop.enrol(play);
    await shop.order(id, 1, true);
    await phone.settle();
    const { passkey } = phone.view();
    const { pin } = (await shop.call('POST', '/devices/pin', { device_id: id, passkey })).body;
    play.cloud.setFaults({ is_slow: true });
    const answer = phone.sync();
    await pause(100);
    expect(phone.enterPin(pin)).toBe(true);
    await answer;
    expect(phone.isLocked()).toBe(false);
    play.cloud.setFaults({ is_slow: false });
    await phone.sync();
    expect(phone.isLocked()).toBe(true);
  });

  it('a phone that was stopped asks no more, also when it waited for an answer', async () => {
    const { imei, serial } = play.phone().view();
    let changes = 0;
    const secret = play.cloud.secretOf(imei, serial);
    const phone = new GuardPhone({ cloudUrl: play.url(), imei, serial, secret, onChange: () => (changes += 1) });
    play.cloud.setFaults({ is_slow: true });
    phone.start(5);
    await pause(100);
    phone.stop();
    play.cloud.setFaults({ is_slow: false });
    await pause(400);
    expect(changes).toBe(1);
  });
});

describe('limits and faults', () => {
  it('a minute’s calls do not add up while nobody calls', async () => {
    await play.restart({ limits: { callsPerMinute: 2 } });
    await shop.call('GET', '/devices/none');
    play.nowMs += 20 * 60_000;
    const statuses = [];
    for (let calls = 0; calls < 3; calls += 1) statuses.push((await shop.call('GET', '/devices/none')).status);
    expect(statuses).toEqual([404, 404, 429]);
  });

  it('lost answers are the tenants’: tokens come, phones hear', async () => {
    const { phone, id } = await shop.enrol(play);
    play.cloud.setFaults({ drops_answers: true });
    await shop.logIn();
    expect(await phone.sync()).toBe('told');
    await expect(shop.call('GET', `/devices/${id}`)).rejects.toThrow('fetch failed');
  });

  it('a webhook is not carried to where its address points on', async () => {
    let followed = 0;
    const elsewhere = await serveRoutes([{ method: 'POST', path: '/away', handle: () => (followed += 1) }], 0);
    try {
      shop.redirectTo = `http://127.0.0.1:${elsewhere.port}/away`;
      await shop.enrol(play);
      await pause(100);
      expect({ followed, waiting: play.kept!.events.length }).toEqual({ followed: 0, waiting: 3 });
      shop.redirectTo = null;
      await until(() => play.kept!.events.length === 0, 'all are taken');
    } finally {
      await elsewhere.close();
    }
  });
});
