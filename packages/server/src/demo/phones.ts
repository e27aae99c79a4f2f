import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  AGENT_PATHS,
  type CheckinRequest,
  type EnrolRequest,
  REQUEST_COMPONENTS,
  signatureBase,
  signatureInput,
} from '@kist/contract/agent';
import type { AgentRequest } from '#server/devices/agent-signature.ts';
import type { EnrolReply } from '#server/devices/enrolment.ts';
import type { AgentPlane } from '#server/devices/agent-plane.ts';
import type { ProvenPhone } from '#server/devices/checkin.ts';
import type { PlannedCustomer } from './plan.ts';

/**
 * The phones of the demo shop's past: they enrol with a key of their own and report what they were told, so that the history in the books came about
 * as it would have. Once the history is told they are silent; the lab's phones are simulated apart, over the wire.
 */
export interface PastPhone {
  caller: ProvenPhone;
  enrolledAtMs: number;
  revision: number;
  level: number;
  cause: CheckinRequest['state']['lock_cause'];
  toggles: CheckinRequest['state']['toggles'];
  leaseSeq: number;
  highestSeq: number;
  planned: PlannedCustomer;
}

const OPERATORS = ['Jio', 'Airtel', 'Vi', 'BSNL'] as const;
const NOTHING_ON = { camera_lock: false, app_lock: false, wallpaper: false };

function signed(body: Buffer, token: string, key: KeyObject, atMs: number) {
  const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const params = {
    created: Math.floor(atMs / 1000),
    nonce: randomBytes(18).toString('base64url'),
    keyid: token.slice(0, 16),
  };
  const base = signatureBase(
    REQUEST_COMPONENTS,
    { '@method': 'POST', '@path': AGENT_PATHS.enrol, 'content-digest': digest },
    params,
  );
  const signature = sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  return { digest, input: signatureInput(REQUEST_COMPONENTS, params), signature: `sig1=:${signature}:` };
}

/** Scans its QR on the day of sale. @param atMs the demo's present. */
export async function enrolPast(
  take: (request: AgentRequest, body: EnrolRequest) => Promise<EnrolReply>,
  planned: PlannedCustomer,
  token: string,
  atMs: number,
): Promise<PastPhone> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const body: EnrolRequest = {
    proto: 1,
    token,
    public_key_spki: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
    attestation: [],
    imei: [planned.imei1],
    serial: planned.serial,
    brand: planned.brand,
    model: planned.model,
    agent: planned.provisioningType === 2 ? 'LINKFL' : 'DPC',
    agent_version: '1.0.0',
    boot_count: 1,
    elapsed_ms: 60_000,
  };
  const bytes = Buffer.from(JSON.stringify(body));
  const { digest, input, signature } = signed(bytes, token, privateKey, atMs);
  const headers = { 'content-digest': digest, 'signature-input': input, signature };
  const reply = await take({ method: 'POST', path: AGENT_PATHS.enrol, headers, body: bytes }, body);
  const [org = '', enrolmentId = ''] = reply.keyid.split('.');
  return {
    caller: { orgId: Number(org), enrolmentId, deviceId: reply.device_id },
    enrolledAtMs: atMs,
    revision: 0,
    level: 0,
    cause: null,
    toggles: NOTHING_ON,
    leaseSeq: 0,
    highestSeq: 0,
    planned,
  };
}

/** One contact: reports, takes what is new, reports that. */
export async function contactPast(plane: AgentPlane, phone: PastPhone, atMs: number): Promise<void> {
  const acks: CheckinRequest['acks'] = [];
  for (let round = 0; round < 3; round++) {
    const reply = await plane.checkin(phone.caller, report(phone, atMs + round * 1000, acks.splice(0)));
    if (reply.desired) {
      const { lock, toggles } = reply.desired.policy;
      // A phone that is only linked reminds at most, whatever it is asked.
      const isLinked = phone.planned.provisioningType === 2;
      Object.assign(phone, {
        revision: reply.desired.revision,
        level: isLinked ? Math.min(lock.level, 2) : lock.level,
        cause: lock.level > 0 ? lock.cause : null,
        toggles,
      });
    }
    if (reply.lease)
      phone.leaseSeq = (JSON.parse(Buffer.from(reply.lease.payload, 'base64url').toString()) as { seq: number }).seq;
    for (const command of reply.commands) {
      phone.highestSeq = Math.max(phone.highestSeq, command.seq);
      acks.push({ id: command.id, seq: command.seq, status: command.type === 'emi_alert' ? 'seen' : 'applied' });
    }
    if (!reply.desired && !reply.lease && acks.length === 0) return;
  }
}

function report(phone: PastPhone, atMs: number, acks: CheckinRequest['acks']): CheckinRequest {
  const { n } = phone.planned;
  return {
    proto: 1,
    boot_count: 1,
    elapsed_ms: Math.max(61_000, atMs - phone.enrolledAtMs + 60_000),
    wall_clock: new Date(atMs).toISOString(),
    highest_seq: phone.highestSeq,
    acks,
    events: [],
    state: {
      revision: phone.revision,
      lock_level: phone.level,
      lock_cause: phone.cause,
      lease_seq: phone.leaseSeq,
      toggles: phone.toggles,
      sims: [{ slot: 0, iccid: `8991${String(n).padStart(15, '0')}`, operator: OPERATORS[n % OPERATORS.length]! }],
      battery: 25 + ((n * 37) % 75),
      agent_version: '1.0.0',
    },
    push_token: null,
  };
}
