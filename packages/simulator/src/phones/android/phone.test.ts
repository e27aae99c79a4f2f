import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHonestServer, until } from '#simulator-test/honest-server.ts';
import type { HonestServer } from '#simulator-test/honest-server.ts';
import { World } from '#simulator/world.ts';
import { effectiveLevel } from './lease.ts';
import { LivePhone } from './phone.ts';
import { FREE_POLICY, newPhone } from './state.ts';
import { trustedTimeOf } from './trusted-time.ts';

const DAY = 86_400_000;
const HARDWARE = { brand: 'Redmi', model: '13C', serial: 'S1', imei: ['490154203237518'], agent: 'DPC' as const };
const SIM = { slot: 0, iccid: '8991000000000000001', operator: 'Jio' };
const PLACE = { latitude: 19.99, longitude: 73.79, accuracyM: 12 };
const iso = (ms: number) => new Date(ms).toISOString();

let server: HonestServer;
let world: World;
let phone: LivePhone;

beforeEach(async () => {
  server = await startHonestServer();
  world = new World(server.url, 50);
  await world.ready;
  phone = new LivePhone({
    phone: newPhone(HARDWARE, world.nowMs(), [SIM], PLACE),
    key: null,
    world,
    bootMs: 20,
    longestRetryMs: 200,
  });
});
afterEach(async () => {
  phone.stop();
  world.stop();
  await server.close();
});

const level = () => (phone.state().agent ? effectiveLevel(phone.state().agent!) : -1);
const orderLevel = (revision: number, to: 0 | 4) => {
  server.desired = {
    revision,
    policy: { ...FREE_POLICY, lock: { level: to, cause: to === 0 ? null : 'debt', screen: null } },
  };
};

describe('a phone on the wire', () => {
  it('enrols with its own key, is woken, applies and reports, each request signed', async () => {
    await phone.scan(server.qr());
    expect(server.reports).toHaveLength(1);
    orderLevel(1, 4);
    server.wake();
    await until(() => server.reports.at(-1)!.state.lock_level === 4, 'the lock is reported');
    orderLevel(2, 0);
    server.wake();
    await until(() => server.reports.at(-1)!.state.revision === 2, 'the unlock is reported');
    expect(level()).toBe(0);
    expect(server.refused).toEqual([]);
  });

  it.each(['other_key', 'body', 'nonce', 'unsigned', 'lease'] as const)(
    'believes nothing of a forged answer (%s)',
    async (tamper) => {
      await phone.scan(server.qr());
      orderLevel(1, 4);
      server.lease = {
        v: 1,
        device_id: phone.state().agent!.deviceId,
        seq: 1,
        revision: 0,
        issued_at: iso(world.nowMs()),
        valid_until: iso(world.nowMs() + DAY),
        reminders: [],
        notices: [],
        ladder: [],
        screen: null,
      };
      server.tamper = tamper;
      await phone.contact();
      expect(level()).toBe(0);
      expect(phone.contactStatus().lastError).not.toBeNull();
      server.tamper = 'none';
      await until(() => level() === 4, 'the honest answer is obeyed after a pause');
    },
  );

  it('does not enrol with a server whose key the QR does not name', async () => {
    const other = await startHonestServer();
    const qr = JSON.parse(other.qr()) as Record<string, Record<string, string>>;
    qr['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE']!['kist.server'] = server.url;
    await expect(phone.scan(JSON.stringify(qr))).rejects.toThrow('another key');
    expect(phone.state().agent).toBeNull();
    expect(phone.key()).toBeNull();
    await other.close();
  });

  it('locks by its lease while its network is cut, at its moment by the world’s clock, and unlocks when it is back', async () => {
    const start = world.nowMs();
    server.lease = {
      v: 1,
      device_id: '0190b3c2-0000-7000-8000-000000000001',
      seq: 1,
      revision: 0,
      issued_at: iso(start),
      valid_until: iso(start + 30 * DAY),
      reminders: [],
      notices: [],
      ladder: [{ at: iso(start + 3 * DAY), level: 3, notice_no: null, notice_days: 0 }],
      screen: null,
    };
    await phone.scan(server.qr());
    await until(() => phone.state().agent?.lease?.seq === 1, 'the lease is there');
    phone.happen({ kind: 'network', isOn: false });
    const reports = server.reports.length;
    server.shiftMs = 3 * DAY - 60_000;
    await world.sync();
    expect(level()).toBe(0);
    server.shiftMs = 3 * DAY + 60_000;
    await world.sync();
    expect(level()).toBe(3);
    expect(server.reports).toHaveLength(reports);
    orderLevel(1, 0);
    phone.happen({ kind: 'network', isOn: true });
    await until(() => server.reports.at(-1)!.state.revision === 1, 'the unlock is reported');
    expect(level()).toBe(0);
    expect(server.reports.flatMap((report) => report.events.map((event) => event.kind))).toContain('lease_step');
  });

  it('a jump of the world’s clock between answer and elapsed time is never counted twice', async () => {
    await phone.scan(server.qr());
    for (let jump = 0; jump < 5; jump += 1) {
      server.shiftMs += DAY;
      await phone.contact();
      await world.sync();
      expect(trustedTimeOf(phone.state())!).toBeLessThanOrEqual(world.nowMs());
    }
    await phone.contact();
    expect(world.nowMs() - trustedTimeOf(phone.state())!).toBeLessThan(5000);
  });

  it('reboots when told: delivered, off, on, applied', async () => {
    await phone.scan(server.qr());
    const id = '0190b3c2-0000-7000-8000-00000000aaaa';
    server.commands = [{ id, seq: 1, type: 'reboot', args: {}, expires_at: iso(world.nowMs() + DAY) }];
    await phone.contact();
    await until(() => server.reports.some((report) => report.boot_count === 2), 'it is back');
    const words = server.reports
      .flatMap((report) => report.acks)
      .filter((ack) => ack.id === id)
      .map((ack) => ack.status);
    expect(words).toContain('delivered');
    expect(words.at(-1)).toBe('applied');
  });

  it('loses nothing when answers are lost: orders once, acks until heard', async () => {
    await phone.scan(server.qr());
    server.commands = [
      {
        id: '0190b3c2-0000-7000-8000-00000000aaaa',
        seq: 1,
        type: 'emi_alert',
        args: { text: 'Due on 5 November' },
        expires_at: iso(world.nowMs() + DAY),
      },
    ];
    server.lost = 3;
    phone.happen({ kind: 'battery', pct: 5 });
    await until(() => server.commands.length === 0, 'the message is acknowledged');
    expect(phone.state().agent!.messages).toHaveLength(1);
    const lows = server.reports.flatMap((report) => report.events).filter((event) => event.kind === 'low_battery');
    expect(new Set(lows.map((event) => event.id)).size).toBe(1);
  });

  it('sends a dispute at once, and later when it has no network', async () => {
    await phone.scan(server.qr());
    phone.happen({ kind: 'dispute', text: 'I paid on Monday' });
    await until(() => server.disputes.length === 1, 'the dispute arrives');
    await until(() => phone.state().agent!.dispute!.isSent, 'the phone knows');
    expect(phone.state().agent!.events.some((event) => event.kind === 'dispute')).toBe(false);
  });

  it('released: free, told, forgotten, also when the last answer is lost', async () => {
    await phone.scan(server.qr());
    server.desired = { revision: 1, policy: { ...FREE_POLICY, released: true } };
    server.forgetsReleased = true;
    await phone.contact();
    await until(() => phone.state().agent === null, 'the agent is gone');
    expect(server.reports.at(-1)!.state.revision).toBe(1);
    expect(server.refused).toContain('AGENT_UNKNOWN');
    expect(phone.key()).toBeNull();
  });

  it('can lie, and an honest server is not fooled', async () => {
    await phone.scan(server.qr());
    await expect(phone.lie('replay')).rejects.toThrow('AGENT_REPLAYED');
    await expect(phone.lie('forged_signature')).rejects.toThrow('AGENT_SIGNATURE_INVALID');
    await phone.lie('stale_acks');
    await phone.lie('wrong_revision');
    expect(server.reports.at(-1)!.state.revision).toBe(1000);
    await phone.contact();
    expect(server.reports.at(-1)!.state.revision).toBe(0);
  });
});
