import { randomUUID } from 'node:crypto';
import { AGENT_PROTO } from '@kist/contract/agent';
import type { World } from '#simulator/world.ts';
import { step } from './core.ts';
import type { Effect, PhoneEvent } from './events.ts';
import { generateKey } from './keys.ts';
import type { PhoneKey } from './keys.ts';
import { lyingReport, reportOf } from './report.ts';
import type { Lie } from './report.ts';
import { nextContactMs, retryMs } from './retry.ts';
import { Refused, createServerLink, enrol, extrasOf, readQr } from './server-link.ts';
import type { ServerLink } from './server-link.ts';
import { AGENT_VERSION } from './state.ts';
import type { Phone } from './state.ts';
import { trustedNow } from './trusted-time.ts';
import { openLease } from './wire.ts';

/** What the phone's line to its server looks like from inside the phone. */
export interface ContactStatus {
  lastOkAtMs: number | null;
  lastError: string | null;
  failures: number;
}

export interface LivePhone {
  state: () => Phone;
  key: () => PhoneKey | null;
  contactStatus: () => ContactStatus;
  isRebooting: () => boolean;
  /** What the holder or the world does. */
  happen: (event: PhoneEvent) => void;
  /** @param qrText the provisioning QR's JSON. @throws Error in words, also when the server refuses. */
  scan: (qrText: string) => Promise<void>;
  reboot: () => Promise<void>;
  /** Goes to the server now; resolves when the contact (or its failure) is over. */
  contact: () => Promise<void>;
  /** The next report is a lie. @throws Refused as the server answers it. */
  lie: (lie: Lie) => Promise<void>;
  stop: () => void;
}

export interface LivePhoneOptions {
  phone: Phone;
  key: PhoneKey | null;
  world: World;
  /** Where to find the server when the QR's address is for phones outside this machine. */
  serverUrl?: string;
  /** Cap of the pause after failures; the demo wants its phones back quickly. */
  longestRetryMs?: number;
  /** How long a restart takes. */
  bootMs?: number;
  onChange?: (change: Effect | { kind: 'state' } | { kind: 'contact_failed'; error: string }) => void;
}

const POLL_GAP_MS = 100;
/** A server that answers nonsense at once must not be asked in a tight loop. */
const WAKE_GAP_MS = 250;

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

/** A phone that lives: the pure core with a key, a network and time. */
export function createLivePhone(options: LivePhoneOptions): LivePhone {
  const { world, bootMs = 1500, onChange = () => {} } = options;
  let phone = options.phone;
  let key = options.key;
  let link: { keyid: string; link: ServerLink } | undefined;
  let line = new AbortController();
  let status: ContactStatus = { lastOkAtMs: null, lastError: null, failures: 0 };
  let contacting: Promise<void> | undefined;
  let isContactWanted = false;
  let contactAtElapsedMs = 0;
  let isPolling = false;
  let isRebooting = false;
  let isStopped = false;

  const isReachable = () => phone.isOn && phone.isNetworkOn && phone.agent !== null && key !== null && !isStopped;

  function happen(event: PhoneEvent): void {
    const before = phone;
    const done = step(phone, event, randomUUID);
    phone = done.phone;
    if (before.isOn !== phone.isOn || before.isNetworkOn !== phone.isNetworkOn || (before.agent && !phone.agent)) {
      line.abort();
      line = new AbortController();
    }
    if (before.bootCount !== phone.bootCount) contactAtElapsedMs = 0;
    for (const effect of done.effects) run(effect);
    if (event.kind !== 'elapse' || done.effects.length > 0) onChange({ kind: 'state' });
    if (isReachable()) {
      void poll();
      if (phone.elapsedMs >= contactAtElapsedMs) void contact();
    }
  }

  function run(effect: Effect): void {
    if (effect.kind === 'contact') contactAtElapsedMs = 0;
    if (effect.kind === 'reboot') void rebootAfterContact();
    if (effect.kind === 'send_dispute') void sendDispute(effect.text);
    if (effect.kind === 'destroy_key') {
      key = null;
      link = undefined;
      status = { lastOkAtMs: null, lastError: null, failures: 0 };
    }
    onChange(effect);
  }

  function linkOf(): ServerLink | undefined {
    const agent = phone.agent;
    if (!agent || !key) return undefined;
    if (link?.keyid !== agent.keyid) {
      const made = createServerLink({
        serverUrl: options.serverUrl ?? agent.serverUrl,
        signer: { keyid: agent.keyid, key },
        pinned: { keyId: agent.serverKeyId, spki: agent.serverKeySpki },
        nowMs: () => (phone.agent ? trustedNow(phone.agent, phone.elapsedMs) : phone.wallMs),
        signal: () => line.signal,
      });
      link = { keyid: agent.keyid, link: made };
    }
    return link.link;
  }

  /** One contact at a time; a wish during one is one more after it. */
  function contact(): Promise<void> {
    isContactWanted = true;
    contacting ??= (async () => {
      while (isContactWanted && isReachable()) {
        isContactWanted = false;
        await contactOnce();
        await sleep(2);
      }
    })().finally(() => (contacting = undefined));
    return contacting;
  }

  async function contactOnce(): Promise<void> {
    contactAtElapsedMs = Infinity;
    try {
      await report();
      status = { lastOkAtMs: Date.now(), lastError: null, failures: 0 };
    } catch (error) {
      if (isFarewell(error)) return happen({ kind: 'farewell' });
      const failures = status.failures + 1;
      status = { ...status, lastError: textOf(error), failures };
      contactAtElapsedMs = phone.elapsedMs + retryMs(failures, Math.random(), options.longestRetryMs);
      onChange({ kind: 'contact_failed', error: textOf(error) });
    }
    onChange({ kind: 'state' });
  }

  /** A released phone whose last answer was lost: the server knows it no more, and says so itself. */
  const isFarewell = (error: unknown): boolean =>
    error instanceof Refused &&
    error.isProven &&
    error.code === 'AGENT_UNKNOWN' &&
    phone.agent?.policy.released === true;

  async function report(): Promise<void> {
    world.flush();
    const agent = phone.agent;
    const server = linkOf();
    if (!agent || !server) return;
    const request = reportOf(phone, agent);
    const reply = await server.checkin(JSON.stringify(request));
    const pinned = { keyId: agent.serverKeyId, spki: agent.serverKeySpki };
    const lease = reply.lease ? openLease(pinned, reply.lease) : null;
    await world.sync();
    // Erased, re-enrolled or switched off meanwhile: the answer finds nobody.
    if (phone.agent?.keyid !== agent.keyid || !phone.isOn) return;
    contactAtElapsedMs = phone.elapsedMs + nextContactMs(reply.next, Math.random());
    const sentAcks = request.acks.map(({ id, status: said }) => ({ id, status: said }));
    happen({ kind: 'reply', verified: { reply, lease, sentAcks, sentEventIds: request.events.map(({ id }) => id) } });
  }

  /** Long poll: a hint to come and ask, never more. */
  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    let failures = 0;
    while (isReachable()) {
      try {
        const wake = await linkOf()!.poll();
        failures = 0;
        if (wake) await contact();
        await sleep(wake ? WAKE_GAP_MS : POLL_GAP_MS);
      } catch {
        failures += 1;
        if (isReachable()) await sleep(retryMs(failures, Math.random(), options.longestRetryMs));
      }
    }
    isPolling = false;
  }

  /** The word "delivered" goes out before the phone goes down. */
  async function rebootAfterContact(): Promise<void> {
    await sleep(0);
    await contact();
    await reboot();
  }

  async function reboot(): Promise<void> {
    if (!phone.isOn || isRebooting) return;
    isRebooting = true;
    happen({ kind: 'power_off' });
    await sleep(bootMs);
    isRebooting = false;
    if (!isStopped) happen({ kind: 'power_on' });
    onChange({ kind: 'state' });
  }

  async function sendDispute(text: string): Promise<void> {
    const server = linkOf();
    if (!isReachable() || !server) return;
    try {
      await server.dispute(text);
      happen({ kind: 'dispute_sent' });
    } catch (error) {
      // One that is open already says the same thing; anything else goes with the next contact as an event.
      if (error instanceof Refused && error.code === 'DISPUTE_ALREADY_OPEN') happen({ kind: 'dispute_sent' });
    }
    void contact();
  }

  async function scan(qrText: string): Promise<void> {
    const { serverUrl, token, keyId } = extrasOf(readQr(qrText));
    if (!phone.isOn) throw new Error('The phone is off.');
    if (!phone.isNetworkOn) throw new Error('The phone has no network.');
    if (phone.agent) throw new Error('The phone is managed already: erase it first.');
    world.flush();
    const fresh = generateKey();
    const { brand, model, serial, imei, agent } = phone.hardware;
    const reply = await enrol(
      { serverUrl: options.serverUrl ?? serverUrl, keyId, key: fresh, nowMs: phone.wallMs, signal: line.signal },
      {
        proto: AGENT_PROTO,
        token,
        public_key_spki: fresh.publicKeySpki,
        attestation: [],
        imei,
        serial,
        brand,
        model,
        agent,
        agent_version: AGENT_VERSION,
        boot_count: phone.bootCount,
        elapsed_ms: Math.floor(phone.elapsedMs),
      },
    );
    await world.sync();
    key = fresh;
    happen({
      kind: 'enrolled',
      enrolment: {
        keyid: reply.keyid,
        deviceId: reply.device_id,
        serverUrl,
        serverKeyId: reply.server_key_id,
        serverKeySpki: reply.server_key_spki,
        strength: reply.lock_strength,
        serverTimeMs: Date.parse(reply.server_time),
      },
    });
    await (contacting ?? contact());
  }

  async function lie(kind: Lie): Promise<void> {
    const agent = phone.agent;
    const server = linkOf();
    if (!agent || !server || !key) throw new Error('The phone is not enrolled.');
    await contacting;
    if (kind === 'replay') return server.replay();
    world.flush();
    const request = lyingReport(reportOf(phone, agent), agent, kind, randomUUID);
    if (kind !== 'forged_signature') return void (await server.checkin(JSON.stringify(request)));
    const forger = createServerLink({
      serverUrl: options.serverUrl ?? agent.serverUrl,
      signer: { keyid: agent.keyid, key: generateKey() },
      pinned: { keyId: agent.serverKeyId, spki: agent.serverKeySpki },
      nowMs: () => trustedNow(agent, phone.elapsedMs),
      signal: () => line.signal,
    });
    await forger.checkin(JSON.stringify(request));
  }

  const unsubscribe = world.onGrowth((ms) => happen({ kind: 'elapse', ms }));
  if (isReachable()) void poll();

  return {
    state: () => phone,
    key: () => key,
    contactStatus: () => status,
    isRebooting: () => isRebooting,
    happen,
    scan,
    reboot,
    contact,
    lie,
    stop: () => {
      isStopped = true;
      unsubscribe();
      line.abort();
    },
  };
}

const textOf = (error: unknown): string => {
  if (error instanceof Refused) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'TimeoutError' ? 'the server did not answer in time' : error.message;
};
