import { randomUUID } from 'node:crypto';
import { AGENT_PATHS, checkinReplySchema, enrolReplySchema } from '@kist/contract/agent';
import type { CheckinReply } from '@kist/contract/agent';
import {
  type Phone,
  type PhoneEvent,
  type PhoneKey,
  enforcedLevel,
  enforcedToggles,
  generateKey,
  newPhone,
  openLease,
  proveAnswer,
  reportOf,
  signRequest,
  step,
  trustedNow,
} from '@kist/simulator/measured';
import type { Reply } from '#bench/lib/client.ts';
import type { House } from './house.ts';
import { enrol, statedMs } from './phones.ts';

/** What the network does with one question and its answer. */
export type Fate = 'arrives' | 'question lost' | 'answer lost' | 'told twice' | 'answer late';

interface Answered {
  reply: Reply;
  nonce: string;
  sentAcks: { id: string; status: string }[];
  sentEventIds: string[];
}

/**
 * A phone on a bad network: the simulator's own agent, the function, with a line on which the proof decides what gets lost, comes twice or comes late. It
 * talks to the server over HTTP when it is told to, and at no other time.
 */
export class FarPhone {
  readonly #house: House;
  readonly #key: PhoneKey = generateKey();
  #phone: Phone;
  /** Answers that are still under way. */
  #late: Answered[] = [];
  #pinned = { keyId: '', spki: '' };
  /** Refusals other than those that a phone without the right time gets. */
  readonly refusals: string[] = [];

  constructor(house: House, imei: string, nowMs: number) {
    this.#house = house;
    const hardware = { brand: 'Redmi', model: '13C', serial: '', imei: [imei], agent: 'DPC' as const };
    const sim = { slot: 0, iccid: '89910000000000000017', operator: 'Jio' };
    this.#phone = newPhone(hardware, nowMs, [sim], { latitude: 19.9975, longitude: 73.7898, accuracyM: 14 });
    this.happen({ kind: 'elapse', ms: 60_000 });
  }

  get isOn(): boolean {
    return this.#phone.isOn;
  }
  get wallMs(): number {
    return this.#phone.wallMs;
  }
  /** What it does to its holder now, and what it has still to tell; undefined once it was given back and its agent is gone. */
  get state() {
    const agent = this.#phone.agent;
    if (!agent) return undefined;
    return {
      level: enforcedLevel(agent),
      toggles: enforcedToggles(agent, 'DPC'),
      revision: agent.revision,
      events: agent.events.length,
      acks: agent.acks.length,
    };
  }

  happen(event: PhoneEvent): void {
    this.#phone = step(this.#phone, event, randomUUID).phone;
  }

  async setUp(code: string): Promise<void> {
    const reply = await enrol(this.#house, { code, imei: this.#phone.hardware.imei[0]!, key: this.#key });
    if (reply.status !== 200) throw new Error(`a phone did not enrol: ${reply.text}`);
    const got = enrolReplySchema.parse(JSON.parse(reply.text));
    this.#pinned = { keyId: got.server_key_id, spki: got.server_key_spki };
    const enrolment = {
      keyid: got.keyid,
      deviceId: got.device_id,
      serverUrl: '',
      serverKeyId: got.server_key_id,
      serverKeySpki: got.server_key_spki,
      strength: got.lock_strength,
      serverTimeMs: Date.parse(got.server_time),
    };
    this.happen({ kind: 'enrolled', enrolment });
  }

  /** Reports once. @returns whether an answer was heard */
  async contact(fate: Fate): Promise<boolean> {
    const agent = this.#phone.agent;
    if (!this.#phone.isOn || !agent || fate === 'question lost') return false;
    const report = reportOf(this.#phone, agent);
    const answered = await this.#ask(JSON.stringify(report), fate === 'told twice');
    if (answered === undefined) return false;
    const heard: Answered = {
      ...answered,
      sentAcks: report.acks.map(({ id, status }) => ({ id, status })),
      sentEventIds: report.events.map(({ id }) => id),
    };
    if (fate === 'answer lost') return false;
    if (fate === 'answer late') {
      this.#late.push(heard);
      return false;
    }
    this.#hear(heard);
    return true;
  }

  /** What was under way comes in, the newest first. */
  hearLate(): void {
    for (const late of this.#late.splice(0).toReversed()) if (this.#phone.isOn) this.#hear(late);
  }

  async #ask(body: string, isTwice: boolean): Promise<Pick<Answered, 'reply' | 'nonce'> | undefined> {
    const agent = this.#phone.agent!;
    const signer = { keyid: agent.keyid, key: this.#key };
    const send = (createdMs: number) => {
      const signed = signRequest(signer, 'POST', AGENT_PATHS.checkin, body, createdMs);
      const { path, headers, nonce } = signed;
      const once = () => this.#house.connection.send({ method: 'POST', path, headers, body });
      return { once, nonce };
    };
    let sent = send(trustedNow(agent, this.#phone.elapsedMs));
    let reply = await sent.once();
    const stated = statedMs(reply);
    if (stated !== undefined) {
      sent = send(stated);
      reply = await sent.once();
    }
    if (isTwice) {
      const again = await sent.once();
      // The very bytes once more: whoever sends them gets nothing for it.
      if (again.status === 200) this.refusals.push('the same question was answered twice');
    }
    // The clock was moved between the two: it asks again another time.
    if (statedMs(reply) !== undefined) return undefined;
    if (reply.text.includes('AGENT_UNKNOWN') && agent.policy.released) {
      // Its last answer was lost: the server, and nobody else, says that it knows the phone no more.
      proveAnswer(this.#pinned, sent.nonce, answerOf(reply));
      this.happen({ kind: 'server_forgot' });
      return undefined;
    }
    if (reply.status !== 200) {
      this.refusals.push(`${reply.status} ${reply.text.slice(0, 120)}`);
      return undefined;
    }
    return { reply, nonce: sent.nonce };
  }

  #hear({ reply, nonce, sentAcks, sentEventIds }: Answered): void {
    proveAnswer(this.#pinned, nonce, answerOf(reply));
    const said: CheckinReply = checkinReplySchema.parse(JSON.parse(reply.text));
    const lease = said.lease ? openLease(this.#pinned, said.lease) : null;
    this.happen({ kind: 'reply', verified: { reply: said, lease, sentAcks, sentEventIds } });
  }
}

const answerOf = ({ status, text, headers }: Reply) => ({
  status,
  body: text,
  header: (name: string) => String(headers[name] ?? ''),
});
