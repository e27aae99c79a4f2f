import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Shop } from '#simulator-test/guard-play.ts';
import { until } from '#simulator-test/honest-server.ts';
import { readGuardConfig, serveGuard } from './guard.ts';

let dir: string;
let shop: Shop;
let guard: Awaited<ReturnType<typeof serveGuard>>;

/** A process of the guard cloud that finds the folder of the one before. */
async function open(more: Record<string, unknown> = {}): Promise<void> {
  const file = path.join(dir, 'config.json');
  writeFileSync(file, JSON.stringify({ tenants: [shop.tenant], complete_after_ms: 20, webhook_retry_ms: 20, ...more }));
  guard = await serveGuard({ port: 0, config: readGuardConfig(file), stateDir: path.join(dir, 'state') });
  shop.url = `http://127.0.0.1:${guard.port}`;
}
beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'guard-'));
  shop = await Shop.open('one');
  await open();
});
afterEach(async () => {
  await guard.close();
  await shop.close();
  rmSync(dir, { recursive: true });
});

/** What the switches tell of a phone, as far as it is asked here. */
interface GuardPhoneView {
  id: string;
  imei: string;
  passkey: string;
  is_locked: boolean;
  sims: unknown[];
}
interface Said {
  phone: GuardPhoneView;
  result: unknown;
}
async function press(action: string, body: Record<string, unknown> = {}, status = 200): Promise<Said & GuardPhoneView> {
  const response = await fetch(`${shop.url}/lab/api/guard/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(status);
  return (await response.json()) as Said & GuardPhoneView;
}

/** @returns a switched-on phone that the shop guards, its record and its version 1 */
async function locked() {
  await shop.logIn();
  const { id: phone, imei } = await press('phones', { serial: 'GTEST1' });
  const uploaded = await shop.done('/devices/upload', { devices: [{ imei }] });
  await shop.done('/devices/approve', { devices: [{ imei }] });
  expect((await press(`phones/${phone}/settle`)).result).toBe('told');
  const device = uploaded.results[0]!.device_id!;
  await shop.order(device, 1, true);
  expect((await press(`phones/${phone}/settle`)).phone.is_locked).toBe(true);
  return { phone, device };
}

it('serves cloud and phones with switches, and another process finds them as they were', async () => {
  const { phone, device } = await locked();
  await press(`phones/${phone}/power`, { on: false });
  await guard.close();
  await open({ sync_every_ms: 10 });
  await shop.logIn();
  await press(`phones/${phone}/power`, { on: true });
  await shop.order(device, 2, false);
  await until(() => shop.events.some(({ applied }) => applied?.version === 2), 'the phone asks by itself');
  const { phones } = (await (await fetch(`${shop.url}/lab/api/guard`)).json()) as { phones: GuardPhoneView[] };
  expect(phones).toMatchObject([{ id: phone, serial: 'GTEST1', boot: 2, is_locked: false, is_on: true }]);
});

it('presses every switch of a phone and of the cloud', async () => {
  const { phone, device } = await locked();
  const { passkey } = (await press(`phones/${phone}/network`, { on: false })).phone;
  expect((await press(`phones/${phone}/sync`)).result).toBe('offline');
  const { pin } = (await shop.call('POST', '/devices/pin', { device_id: device, passkey })).body;
  expect((await press(`phones/${phone}/pin`, { pin })).result).toEqual({ is_open: true });
  await press(`phones/${phone}/network`, { on: true });
  await press(`phones/${phone}/sim`);
  await press(`phones/${phone}/settle`);
  await until(() => shop.types().includes('device.sim_changed'), 'the other card');
  expect((await press(`phones/${phone}/sim`, { card: 'none' })).phone.sims).toEqual([]);
  expect((await press(`phones/${phone}/erase`)).phone).toMatchObject({ target: null, is_locked: false });
  expect(await press('faults', { is_down: true })).toMatchObject({ is_down: true, is_slow: false });
  expect((await press(`phones/${phone}/sync`)).result).toBe('unreachable');
  await press('faults', { is_dawn: true }, 400);
  await press(`phones/${phone}/fly`, {}, 404);
  await press('phones/nobody/sync', {}, 404);
});

it('lets a phone ask at once that was switched on, got its network back or was erased', async () => {
  const { phone, device } = await locked();
  await guard.close();
  await open({ sync_every_ms: 600_000 });
  await shop.logIn();
  await until(() => shop.types().includes('device.applied'), 'all is quiet');
  for (const [version, [action, body]] of Object.entries([
    ['power', { on: true }],
    ['network', { on: true }],
    ['erase', {}],
  ] as const)) {
    await shop.order(device, Number(version) + 2, false);
    await press(`phones/${phone}/${action}`, body);
    await until(() => shop.events.some(({ applied }) => applied?.version === Number(version) + 2), action);
  }
  expect((await shop.device(device)).applied).toMatchObject({ version: 4, locked: false });
});

it('has in its files what it promised before it answers: a kill at that moment loses nothing', async () => {
  const { device } = await locked();
  const body = { request_id: 'promised', device_ids: [device] };
  const { transaction_id } = (await shop.call('POST', '/devices/complete', body)).body;
  cpSync(path.join(dir, 'state'), path.join(dir, 'killed'), { recursive: true });
  await guard.close();
  rmSync(path.join(dir, 'state'), { recursive: true });
  cpSync(path.join(dir, 'killed'), path.join(dir, 'state'), { recursive: true });
  await open();
  expect((await shop.call('POST', '/devices/complete', body)).body).toEqual({ transaction_id });
  await until(() => shop.hasDone(transaction_id), 'it is carried out');
  expect((await shop.device(device)).state).toBe('completed');
});

it('moves its own time: a token ends with it, over a restart', async () => {
  await shop.logIn();
  await press('clock', { by_ms: 30 * 60_000 });
  expect((await shop.call('GET', '/devices/none')).status).toBe(401);
  await shop.logIn();
  await guard.close();
  await open();
  expect((await shop.call('GET', '/devices/none')).status).toBe(404);
});
