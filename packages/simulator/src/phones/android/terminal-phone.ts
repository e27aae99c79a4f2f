import { randomUUID } from 'node:crypto';
import { World } from '#simulator/world.ts';
import { randomImei } from './imei.ts';
import { effectiveLevel } from './lease.ts';
import { importKey } from './keys.ts';
import { NO_FOLDER, phoneFolder } from './phone-file.ts';
import { LivePhone } from './phone.ts';
import { offerIn } from './server-link.ts';
import { newPhone } from './state.ts';
import type { Phone } from './state.ts';
import { trustedTimeOf } from './trusted-time.ts';

export interface TerminalPhoneOptions {
  qr: string;
  /** Where the server is, when not where the QR says. */
  serverUrl?: string;
  imei?: string;
  serial?: string;
  agent: 'DPC' | 'LINKFL';
  /** Folder of this one phone; with it, a second start goes on where the first ended. */
  state?: string;
  print: (entry: Record<string, unknown>) => void;
  ended: Promise<void>;
}

/** What a line says of the phone; a line is printed when this differs from the last one. */
function facts(phone: Phone) {
  const agent = phone.agent;
  return {
    is_on: phone.isOn,
    is_enrolled: agent !== null,
    level: agent ? effectiveLevel(agent) : null,
    revision: agent?.revision ?? null,
    lease_seq: agent?.lease?.seq ?? null,
    messages: agent?.messages.length ?? 0,
    screen: agent?.policy.lock.screen ?? null,
  };
}

/**
 * One phone in a terminal: scans, lives, prints one entry for each change of its state, ends when told.
 * @throws Error in words when it cannot be set up
 */
export async function runTerminalPhone(options: TerminalPhoneOptions): Promise<void> {
  const serverUrl = options.serverUrl ?? offerIn(options.qr).serverUrl;
  const world = new World(serverUrl);
  await world.ready;
  const folder = options.state ? phoneFolder(options.state) : NO_FOLDER;
  const [kept] = folder.load();
  const id = kept?.id ?? randomUUID();
  let printed = '';
  const live = new LivePhone({
    phone: kept?.phone ?? boxed(options, world.nowMs()),
    key: kept?.key ? importKey(kept.key) : null,
    world,
    serverUrl,
    onChange: (change) => {
      const key = live.key()?.exported() ?? null;
      folder.save({
        id,
        name: 'terminal',
        phone: live.state(),
        key,
        wasManaged: true,
        place: 1,
        worldMs: world.nowMs(),
      });
      if (change.kind === 'contact_failed') options.print({ what: 'contact_failed', error: change.error });
      const now = facts(live.state());
      if (JSON.stringify(now) === printed) return;
      printed = JSON.stringify(now);
      const trustedMs = trustedTimeOf(live.state());
      options.print({ what: 'state', ...now, trusted_time: trustedMs ? new Date(trustedMs).toISOString() : null });
    },
  });
  try {
    if (kept) live.happen({ kind: 'elapse', ms: Math.max(0, world.nowMs() - kept.worldMs) });
    if (!live.state().agent) await live.scan(options.qr);
    await options.ended;
  } finally {
    live.stop();
    world.stop();
  }
}

function boxed({ imei, serial, agent }: TerminalPhoneOptions, wallMs: number): Phone {
  const hardware = { brand: 'Redmi', model: '13C', serial: serial ?? '', imei: [imei ?? randomImei()], agent };
  const sim = { slot: 0, iccid: '89910000000000000017', operator: 'Jio' };
  return newPhone(hardware, wallMs, [sim], { latitude: 19.9975, longitude: 73.7898, accuracyM: 14 });
}
