import { afterEach, beforeEach, expect, it } from 'vitest';
import { GuardPlay } from '#simulator-test/guard-play.ts';
import type { Shop } from '#simulator-test/guard-play.ts';
import { until } from '#simulator-test/honest-server.ts';
import { GuardPhone } from './guard-phone.ts';
import type { GuardPhoneKept } from './guard-phone.ts';

let play: GuardPlay;
let shop: Shop;
beforeEach(async () => ({ play, shop } = await GuardPlay.open()));
afterEach(() => play.close());

it('opens by a PIN once, until its next sync says otherwise', async () => {
  const { phone, id } = await shop.enrol(play);
  await shop.order(id, 1, true);
  await phone.settle();
  const { passkey } = phone.view();
  const { pin } = (await shop.call('POST', '/devices/pin', { device_id: id, passkey })).body;
  expect(pin).toMatch(/^\d{8}$/);
  phone.setOnline(false);
  expect(phone.enterPin('00000000' === pin ? '11111111' : '00000000')).toBe(false);
  expect(phone.isLocked()).toBe(true);
  expect(phone.enterPin(pin)).toBe(true);
  expect(phone.isLocked()).toBe(false);
  phone.setPower(false);
  phone.setPower(true);
  expect(await phone.sync()).toBe('offline');
  expect(phone.isLocked()).toBe(false);
  phone.setOnline(true);
  expect(await phone.sync()).toBe('more');
  expect(await shop.device(id)).toMatchObject({ applied: { version: 1, locked: false } });
  expect(phone.isLocked()).toBe(true);
  expect(phone.enterPin(pin)).toBe(false);
  expect(phone.view().passkey).not.toBe(passkey);
});

it('shows another passkey after five wrong PINs', async () => {
  const { phone, id } = await shop.enrol(play);
  await shop.order(id, 1, true);
  await phone.settle();
  const { passkey } = phone.view();
  const { pin } = (await shop.call('POST', '/devices/pin', { device_id: id, passkey })).body;
  for (let tries = 0; tries < 5; tries += 1) phone.enterPin('wrong');
  expect(phone.enterPin(pin)).toBe(false);
  expect(phone.view().passkey).not.toBe(passkey);
});

it('locks itself again after the instant of its target, without network, and reports it', async () => {
  const { phone, id } = await shop.enrol(play);
  await shop.order(id, 1, false, { relock_after: new Date(play.nowMs + 3_600_000).toISOString() });
  await phone.settle();
  const remindAt = new Date(play.nowMs + 1_800_000).toISOString();
  await shop.done('/devices/relock-reminder', { device_id: id, at: remindAt });
  await phone.sync();
  phone.setOnline(false);
  expect(phone.view()).toMatchObject({ isLocked: false, isReminding: false });
  play.nowMs += 1_800_000;
  expect(phone.view()).toMatchObject({ isLocked: false, isReminding: true });
  play.nowMs += 1_800_000;
  expect(phone.view().isLocked).toBe(true);
  await shop.logIn();
  expect((await shop.device(id)).applied).toMatchObject({ locked: false });
  phone.setOnline(true);
  await phone.settle();
  await until(() => shop.types().includes('device.relocked'), 'the webhook');
  expect(await shop.device(id)).toMatchObject({ target: { locked: false }, applied: { version: 1, locked: true } });
});

it('off or offline it hears nothing; a changed SIM is told', async () => {
  const { phone, id } = await shop.enrol(play);
  await shop.order(id, 1, true);
  phone.setPower(false);
  expect(await phone.sync()).toBe('off');
  phone.setPower(true);
  expect(phone.view().boot).toBe(2);
  await phone.settle();
  expect(shop.types()).not.toContain('device.sim_changed');
  phone.changeSim(0, { iccid: '8991000000000000002', operator: 'Airtel' });
  await phone.sync();
  expect((await shop.device(id)).sims).toEqual([{ slot: 0, iccid: '8991000000000000002', operator: 'Airtel' }]);
  await until(() => shop.types().includes('device.sim_changed'), 'the webhook');
});

it('stays what it was through a restart, and by itself hears of everything', async () => {
  const { phone, id } = await shop.enrol(play);
  const { imei, serial } = phone.view();
  let kept: GuardPhoneKept | undefined;
  const made = () =>
    new GuardPhone({
      cloudUrl: play.url(),
      imei,
      serial,
      secret: play.cloud.secretOf(imei, serial),
      nowMs: () => play.nowMs,
      ...(kept ? { kept: structuredClone(kept) } : {}),
      onChange: (now) => (kept = structuredClone(now)),
    });
  const live = made();
  live.start(10);
  await shop.order(id, 1, true);
  await until(() => shop.types().includes('device.applied'), 'it obeyed and said so');
  live.stop();
  const again = made();
  expect(again.isLocked()).toBe(true);
  again.erase();
  expect(again.isLocked()).toBe(false);
  await again.sync();
  expect(again.isLocked()).toBe(true);
});

it('is not answered under another phone’s name', async () => {
  const { phone, id } = await shop.enrol(play);
  const { imei, serial } = phone.view();
  const liar = new GuardPhone({ cloudUrl: play.url(), imei, serial, secret: 'guessed' });
  expect(await liar.sync()).toBe('unreachable');
  await shop.done('/devices/complete', { device_ids: [id] });
  expect(await liar.sync()).toBe('unreachable');
  expect((await shop.device(id)).state).toBe('completed');
});
