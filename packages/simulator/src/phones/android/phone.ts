import { randomUUID } from 'node:crypto';
import { AGENT_PROTO } from '@kist/contract/agent';
import type { EnrolRequest } from '@kist/contract/agent';
import { readSetupCode } from '@kist/contract/setup-code';
import type { World } from '#simulator/world.ts';
import { step } from './core.ts';
import type { Effect, Enrolment, PhoneEvent } from './events.ts';
import { generateKey } from './keys.ts';
import type { PhoneKey } from './keys.ts';
import { lyingReport, reportOf } from './report.ts';
import type { Lie } from './report.ts';
import { nextContactMs, retryMs } from './retry.ts';
import { Refused, askByCode, createServerLink, enrol, offerIn } from './server-link.ts';
import type { ServerLink } from './server-link.ts';
import { AGENT_VERSION } from './state.ts';
import type { Agent, Phone } from './state.ts';
import { trustedNow } from './trusted-time.ts';
import { openLease } from './wire.ts';

/** What the phone's line to its server looks like from inside the phone. */
export interface ContactStatus {
  lastOkAtMs: number | null;
  lastError: string | null;
  failures: number;
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

const BOOT_MS = 1500;
const POLL_GAP_MS = 100;
/** A server that answers nonsense at once must not be asked in a tight loop. */
const WAKE_GAP_MS = 250;

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

const textOf = (error: unknown): string => {
  if (error instanceof Refused) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'TimeoutError' ? 'the server did not answer in time' : error.message;
};

const NEVER_CONTACTED: ContactStatus = { lastOkAtMs: null, lastError: null, failures: 0 };

/** Android 14. */
const ANDROID_API = 34;

/** What a phone says of itself when it scans a QR. */
const enrolRequestOf = ({ hardware, bootCount, elapsedMs }: Phone, token: string, key: PhoneKey): EnrolRequest => ({
  proto: AGENT_PROTO,
  token,
  public_key_spki: key.publicKeySpki,
  attestation: [],
  imei: hardware.imei,
  serial: hardware.serial,
  brand: hardware.brand,
  model: hardware.model,
  agent: hardware.agent,
  agent_version: AGENT_VERSION,
  is_owner: hardware.agent === 'DPC',
  android_api: ANDROID_API,
  boot_count: bootCount,
  elapsed_ms: Math.floor(elapsedMs),
});

const enrolmentOf = (reply: Awaited<ReturnType<typeof enrol>>, serverUrl: string): Enrolment => ({
  keyid: reply.keyid,
  deviceId: reply.device_id,
  serverUrl,
  serverKeyId: reply.server_key_id,
  serverKeySpki: reply.server_key_spki,
  strength: reply.lock_strength,
  serverTimeMs: Date.parse(reply.server_time),
});

/** A phone that lives: the pure core with a key, a network and time. */
export class LivePhone {
  readonly #options: LivePhoneOptions;
  readonly #stopGrowing: () => void;
  #phone: Phone;
  #key: PhoneKey | null;
  #link: { keyid: string; link: ServerLink } | undefined;
  /** Ends what is under way to the server when the phone loses its network, its power or its agent. */
  #line = new AbortController();
  #status: ContactStatus = NEVER_CONTACTED;
  #contacting: Promise<void> | undefined;
  #isContactWanted = false;
  #contactAtElapsedMs = 0;
  #isPolling = false;
  #isRebooting = false;
  #isStopped = false;

  constructor(options: LivePhoneOptions) {
    this.#options = options;
    this.#phone = options.phone;
    this.#key = options.key;
    this.#stopGrowing = options.world.onGrowth((ms) => this.happen({ kind: 'elapse', ms }));
    if (this.#isReachable()) void this.#poll();
  }

  state(): Phone {
    return this.#phone;
  }
  key(): PhoneKey | null {
    return this.#key;
  }
  contactStatus(): ContactStatus {
    return this.#status;
  }
  isRebooting(): boolean {
    return this.#isRebooting;
  }
  stop(): void {
    this.#isStopped = true;
    this.#stopGrowing();
    this.#line.abort();
  }

  /** What the holder or the world does. */
  happen(event: PhoneEvent): void {
    const before = this.#phone;
    const done = step(before, event, randomUUID);
    const phone = done.phone;
    this.#phone = phone;
    if (before.isOn !== phone.isOn || before.isNetworkOn !== phone.isNetworkOn || (before.agent && !phone.agent)) {
      this.#line.abort();
      this.#line = new AbortController();
    }
    if (before.bootCount !== phone.bootCount) this.#contactAtElapsedMs = 0;
    for (const effect of done.effects) this.#run(effect);
    if (event.kind !== 'elapse' || done.effects.length > 0) this.#changed({ kind: 'state' });
    if (this.#isReachable()) {
      void this.#poll();
      if (this.#phone.elapsedMs >= this.#contactAtElapsedMs) void this.contact();
    }
  }

  /** @param text the provisioning QR's JSON, the link of a phone in use, or the code as it is typed instead. @throws Error in words, also when the server refuses. */
  async scan(text: string): Promise<void> {
    const phone = this.#phone;
    if (!phone.isOn) throw new Error('The phone is off.');
    if (!phone.isNetworkOn) throw new Error('The phone has no network.');
    if (phone.agent) throw new Error('The phone is managed already: erase it first.');
    const { serverUrl, token, keyId } = offerIn(await this.#asRead(text));
    this.#options.world.flush();
    const key = generateKey();
    const at = this.#options.serverUrl ?? serverUrl;
    const reply = await enrol(
      { serverUrl: at, keyId, key, nowMs: this.#phone.wallMs, signal: this.#line.signal },
      enrolRequestOf(this.#phone, token, key),
    );
    await this.#options.world.sync();
    this.#key = key;
    this.happen({ kind: 'enrolled', enrolment: enrolmentOf(reply, serverUrl) });
    await (this.#contacting ?? this.contact());
  }

  /** What was typed is asked of the server that the agent was built for. */
  async #asRead(text: string): Promise<string> {
    const { serverUrl } = this.#options;
    if (!readSetupCode(text) || serverUrl === undefined) return text;
    const { imei, serial, agent } = this.#phone.hardware;
    return askByCode({ serverUrl, signal: this.#line.signal }, { proto: AGENT_PROTO, code: text, imei, serial, agent });
  }

  async reboot(): Promise<void> {
    if (!this.#phone.isOn || this.#isRebooting) return;
    this.#isRebooting = true;
    this.happen({ kind: 'power_off' });
    await sleep(this.#options.bootMs ?? BOOT_MS);
    this.#isRebooting = false;
    if (!this.#isStopped) this.happen({ kind: 'power_on' });
    this.#changed({ kind: 'state' });
  }

  /** Goes to the server now, one contact at a time: a wish during one is one more after it. Resolves when the contact (or its failure) is over. */
  contact(): Promise<void> {
    this.#isContactWanted = true;
    this.#contacting ??= this.#contactWhileWanted().finally(() => (this.#contacting = undefined));
    return this.#contacting;
  }

  /** The next report is a lie. @throws Refused as the server answers it. */
  async lie(kind: Lie): Promise<void> {
    const agent = this.#phone.agent;
    const server = this.#linkOf();
    if (!agent || !server || !this.#key) throw new Error('The phone is not enrolled.');
    await this.#contacting;
    if (kind === 'replay') return server.replay();
    this.#options.world.flush();
    const request = lyingReport(reportOf(this.#phone, agent), agent, kind, randomUUID);
    const teller = kind === 'forged_signature' ? this.#linkBy(agent, generateKey()) : server;
    await teller.checkin(JSON.stringify(request));
  }

  #changed(change: Parameters<NonNullable<LivePhoneOptions['onChange']>>[0]): void {
    this.#options.onChange?.(change);
  }

  #isReachable(): boolean {
    const { isOn, isNetworkOn, agent } = this.#phone;
    return isOn && isNetworkOn && agent !== null && this.#key !== null && !this.#isStopped;
  }

  #run(effect: Effect): void {
    if (effect.kind === 'contact') this.#contactAtElapsedMs = 0;
    if (effect.kind === 'reboot') void this.#rebootAfterContact();
    if (effect.kind === 'send_dispute') void this.#sendDispute(effect.text);
    if (effect.kind === 'destroy_key') {
      this.#key = null;
      this.#link = undefined;
      this.#status = NEVER_CONTACTED;
    }
    this.#changed(effect);
  }

  #linkOf(): ServerLink | undefined {
    const agent = this.#phone.agent;
    if (!agent || !this.#key) return undefined;
    if (this.#link?.keyid !== agent.keyid) this.#link = { keyid: agent.keyid, link: this.#linkBy(agent, this.#key) };
    return this.#link.link;
  }

  /** A line to the server on which this key signs. */
  #linkBy(agent: Agent, key: PhoneKey): ServerLink {
    const now = () => (this.#phone.agent ? trustedNow(this.#phone.agent, this.#phone.elapsedMs) : this.#phone.wallMs);
    return createServerLink({
      serverUrl: this.#options.serverUrl ?? agent.serverUrl,
      signer: { keyid: agent.keyid, key },
      pinned: { keyId: agent.serverKeyId, spki: agent.serverKeySpki },
      nowMs: now,
      signal: () => this.#line.signal,
    });
  }

  async #contactWhileWanted(): Promise<void> {
    while (this.#isContactWanted && this.#isReachable()) {
      this.#isContactWanted = false;
      await this.#contactOnce();
      await sleep(2);
    }
  }

  async #contactOnce(): Promise<void> {
    this.#contactAtElapsedMs = Infinity;
    try {
      await this.#report();
      this.#status = { lastOkAtMs: Date.now(), lastError: null, failures: 0 };
    } catch (error) {
      if (this.#isForgotten(error)) return this.happen({ kind: 'server_forgot' });
      const failures = this.#status.failures + 1;
      this.#status = { ...this.#status, lastError: textOf(error), failures };
      this.#contactAtElapsedMs = this.#phone.elapsedMs + this.#pauseMs(failures);
      this.#changed({ kind: 'contact_failed', error: textOf(error) });
    }
    this.#changed({ kind: 'state' });
  }

  #pauseMs(failures: number): number {
    return retryMs(failures, Math.random(), this.#options.longestRetryMs);
  }

  /** A released phone whose last answer was lost: the server knows it no more, and says so itself. */
  #isForgotten(error: unknown): boolean {
    const isUnknown = error instanceof Refused && error.isProven && error.code === 'AGENT_UNKNOWN';
    return isUnknown && this.#phone.agent?.policy.released === true;
  }

  async #report(): Promise<void> {
    const { world } = this.#options;
    world.flush();
    const agent = this.#phone.agent;
    const server = this.#linkOf();
    if (!agent || !server) return;
    const request = reportOf(this.#phone, agent);
    const reply = await server.checkin(JSON.stringify(request));
    const pinned = { keyId: agent.serverKeyId, spki: agent.serverKeySpki };
    const lease = reply.lease ? openLease(pinned, reply.lease) : null;
    await world.sync();
    // Erased, re-enrolled or switched off meanwhile: the answer finds nobody.
    if (this.#phone.agent?.keyid !== agent.keyid || !this.#phone.isOn) return;
    this.#contactAtElapsedMs = this.#phone.elapsedMs + nextContactMs(reply.next, Math.random());
    const sentAcks = request.acks.map(({ id, status: said }) => ({ id, status: said }));
    const sentEventIds = request.events.map(({ id }) => id);
    this.happen({ kind: 'reply', verified: { reply, lease, sentAcks, sentEventIds } });
  }

  /** Long poll: a hint to come and ask, never more. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    let failures = 0;
    while (this.#isReachable()) {
      try {
        const wake = await this.#linkOf()!.poll();
        failures = 0;
        if (wake) await this.contact();
        await sleep(wake ? WAKE_GAP_MS : POLL_GAP_MS);
      } catch {
        failures += 1;
        if (this.#isReachable()) await sleep(this.#pauseMs(failures));
      }
    }
    this.#isPolling = false;
  }

  /** The word "delivered" goes out before the phone goes down. */
  async #rebootAfterContact(): Promise<void> {
    await sleep(0);
    await this.contact();
    await this.reboot();
  }

  async #sendDispute(text: string): Promise<void> {
    const server = this.#linkOf();
    if (!this.#isReachable() || !server) return;
    try {
      await server.dispute(text);
      this.happen({ kind: 'dispute_sent' });
    } catch (error) {
      // One that is open already says the same thing; anything else goes with the next contact as an event.
      if (error instanceof Refused && error.code === 'DISPUTE_ALREADY_OPEN') this.happen({ kind: 'dispute_sent' });
    }
    void this.contact();
  }
}
