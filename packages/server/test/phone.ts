import { createHash, createPublicKey, generateKeyPairSync, randomBytes, randomUUID, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * A phone of the tests' own: the wire protocol written down a second time from its description, sharing no line with the server,
 * so that a mistake in one is not repeated by the other. It keeps what a phone keeps and obeys what it is handed.
 */
export interface TestPhone {
  readonly imei: string;
  keyid: string;
  bootCount: number;
  elapsedMs: number;
  revision: number;
  level: number;
  toggles: { camera_lock: boolean; app_lock: boolean; wallpaper: boolean };
  /** The desired state that it took last, as it came; undefined: it is an agent that says no digest. */
  policy: object | undefined;
  leaseSeq: number;
  highestSeq: number;
  sims: { slot: number; iccid: string; operator: string }[];
  acks: Record<string, unknown>[];
  events: Record<string, unknown>[];
  enrol(token: string, change?: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  /** The same phone, talking to another server process. */
  through(http: FastifyInstance): TestPhone;
  /** One check-in; obeys the answer unless `obey` is false. */
  checkin(options?: CallOptions & { obey?: boolean; change?: Record<string, unknown> }): Promise<Answer>;
  readonly publicKey: string;
  call(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  /** The state that its next check-in says it is in. */
  reported(): Record<string, unknown>;
}
export interface CallOptions {
  method?: 'GET' | 'POST';
  created?: number;
  nonce?: string;
  keyid?: string;
  /** Brought instead of its own key; '' for none. */
  publicKey?: string;
  /** Sent instead of the body that was signed. */
  sentBody?: string;
  /** Whole headers, to replay a request. */
  headers?: Record<string, string>;
}
export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape, looked into by tests
  body: any;
  headers: Record<string, string>;
  sent: Record<string, string>;
  readonly isSigned: boolean;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64');

/** @param privateKey of a phone that was set up before; else it makes its own */
export function createPhone(
  server: FastifyInstance,
  serverSpki: string,
  imei: string,
  privateKey: KeyObject = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
): TestPhone {
  let http = server;
  const publicKey = createPublicKey(privateKey);
  const pinned = createPublicKey({ key: Buffer.from(serverSpki, 'base64url'), format: 'der', type: 'spki' });
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');

  const phone: TestPhone = {
    imei,
    publicKey: spki,
    keyid: '',
    bootCount: 1,
    elapsedMs: 1000,
    revision: 0,
    level: 0,
    leaseSeq: 0,
    highestSeq: 0,
    acks: [],
    events: [],
    toggles: { camera_lock: false, app_lock: false, wallpaper: false },
    policy: {},
    sims: [{ slot: 0, iccid: '8991000000000000001', operator: 'Jio' }],
    async call(path, body, options = {}) {
      const method = options.method ?? 'POST';
      const text = body === undefined ? '' : JSON.stringify(body);
      const sent =
        options.headers ??
        signed(privateKey, method, path, Buffer.from(text), { keyid: phone.keyid, ...options }, spki);
      const reply = await http.inject({
        method,
        url: path,
        headers: { ...sent, ...(text && { 'content-type': 'application/json' }) },
        ...(text && { payload: options.sentBody ?? text }),
      });
      const headers = reply.headers as Record<string, string>;
      const nonce = /nonce="([^"]+)"/.exec(sent['signature-input'] ?? '')?.[1] ?? '';
      return {
        status: reply.statusCode,
        body: JSON.parse(reply.payload),
        headers,
        sent,
        get isSigned() {
          return isSigned(pinned, reply.statusCode, reply.rawPayload, headers, nonce);
        },
      };
    },
    reported: () => stateOf(phone),
    through(other) {
      http = other;
      return phone;
    },
    async enrol(token, change = {}, options = {}) {
      const body = {
        proto: 1,
        token,
        public_key_spki: spki,
        attestation: [],
        imei: [imei],
        serial: 'SER1',
        brand: 'Acme',
        model: 'One',
        agent: 'DPC',
        agent_version: '1.0.0',
        boot_count: phone.bootCount,
        elapsed_ms: phone.elapsedMs,
        ...change,
      };
      const answer = await phone.call('/agent/v1/enrol', body, { keyid: token.slice(0, 16), ...options });
      if (answer.status === 200) phone.keyid = answer.body.keyid;
      return answer;
    },
    async checkin({ obey = true, change = {}, ...options } = {}) {
      phone.elapsedMs += 1000;
      const answer = await phone.call('/agent/v1/checkin', { ...report(phone), ...change }, options);
      if (answer.status === 200 && obey) take(phone, answer.body);
      return answer;
    },
  };
  return phone;
}

/** RFC 8785 for what a policy holds: objects, texts, whole numbers, truths and null. */
const canonical = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `{${Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
        .join()}}`
    : JSON.stringify(value);
export const digestOf = (policy: object): string => createHash('sha256').update(canonical(policy)).digest('base64url');

const stateOf = (phone: TestPhone) => ({
  revision: phone.revision,
  ...(phone.policy && { policy_digest: digestOf(phone.policy) }),
  lock_level: phone.level,
  lock_cause: phone.level > 0 ? 'debt' : null,
  lease_seq: phone.leaseSeq,
  toggles: phone.toggles,
  sims: phone.sims,
  battery: 80,
  agent_version: '1.0.0',
});

const report = (phone: TestPhone) => ({
  proto: 1,
  boot_count: phone.bootCount,
  elapsed_ms: phone.elapsedMs,
  wall_clock: new Date().toISOString(),
  highest_seq: phone.highestSeq,
  acks: phone.acks.splice(0),
  events: phone.events.splice(0),
  state: stateOf(phone),
  push_token: null,
});

function take(phone: TestPhone, body: Answer['body']): void {
  if (body.desired && body.desired.revision > phone.revision) {
    phone.revision = body.desired.revision;
    phone.level = body.desired.policy.lock.level;
    phone.toggles = body.desired.policy.toggles;
    if (phone.policy) phone.policy = body.desired.policy;
  }
  if (body.lease) phone.leaseSeq = JSON.parse(Buffer.from(body.lease.payload, 'base64url').toString()).seq;
  for (const command of body.commands) {
    phone.highestSeq = Math.max(phone.highestSeq, command.seq);
    phone.acks.push({ id: command.id, seq: command.seq, status: 'applied', result: { done: command.type } });
  }
}

function signed(
  key: KeyObject,
  method: string,
  path: string,
  body: Buffer,
  options: CallOptions,
  spki: string,
): Record<string, string> {
  const digest = `sha-256=:${sha256(body)}:`;
  const created = options.created ?? Math.floor(Date.now() / 1000);
  const nonce = options.nonce ?? randomBytes(16).toString('base64url');
  const parameters = `("@method" "@path" "content-digest");created=${created};nonce="${nonce}";keyid="${options.keyid}";alg="ecdsa-p256-sha256"`;
  const base = `"@method": ${method}\n"@path": ${path}\n"content-digest": ${digest}\n"@signature-params": ${parameters}`;
  const signature = sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  const headers = {
    'content-digest': digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signature}:`,
  };
  // A key that is named by its hash stands beside; an enrolment's name is looked up.
  const brought = options.publicKey ?? (/^\d+\.[\w-]{43}$/.test(options.keyid ?? '') ? spki : '');
  return brought === '' ? headers : { ...headers, 'kist-key': brought };
}

function isSigned(
  pinned: KeyObject,
  status: number,
  body: Buffer,
  headers: Record<string, string>,
  nonce: string,
): boolean {
  if (headers['content-digest'] !== `sha-256=:${sha256(body)}:` || headers['kist-nonce'] !== nonce) return false;
  const parameters = (headers['signature-input'] ?? '').replace(/^sig1=/, '');
  if (!parameters.startsWith('("@status" "content-digest" "kist-nonce");')) return false;
  const base = `"@status": ${status}\n"content-digest": ${headers['content-digest']}\n"kist-nonce": ${nonce}\n"@signature-params": ${parameters}`;
  const signature = Buffer.from((headers.signature ?? '').slice(6, -1), 'base64');
  return verify('sha256', Buffer.from(base), { key: pinned, dsaEncoding: 'ieee-p1363' }, signature);
}

/** @returns a number that passes the Luhn check, for the n-th phone of a test. */
export function imeiOf(n: number): string {
  const digits = `35${String(n).padStart(12, '0')}`;
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const doubled = Number(digits[i]) * (i % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits + String((10 - (sum % 10)) % 10);
}
export const newEventId = (): string => randomUUID();
