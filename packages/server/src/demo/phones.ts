import { generateKeyPairSync } from 'node:crypto';
import type { CheckinRequest, EnrolRequest } from '@kist/contract/agent';
import { ADVISORY_MAX_LEVEL, NO_SWITCHES } from '@kist/contract/commands';
import type { Channel, EnrolmentClaim, Observation, PlanePorts } from '#server/commands/adapter.ts';
import { DEMO_ORG } from './organisation.ts';
import type { PlannedCustomer } from './plan.ts';

/**
 * The phones of the demo shop's past: they enrol with a key of their own and report what they were told, so that the history in the books came about
 * as it would have. Once the history is told they are silent; the lab's phones are simulated apart, over the wire.
 */
export interface PastPhone {
  caller: Channel;
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

/** Scans its QR on the day of sale. */
export async function enrolPast(
  take: (claim: Pick<EnrolmentClaim, 'spki' | 'body'>) => ReturnType<PlanePorts['enrolled']>,
  planned: PlannedCustomer,
  token: string,
): Promise<PastPhone> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body: EnrolRequest = {
    proto: 1,
    token,
    public_key_spki: spki.toString('base64url'),
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
  const reply = await take({ spki, body });
  return {
    caller: { orgId: DEMO_ORG, enrolmentId: reply.enrolmentId, deviceId: reply.device_id },
    enrolledAtMs: Date.parse(reply.server_time),
    revision: 0,
    level: 0,
    cause: null,
    toggles: NO_SWITCHES,
    leaseSeq: 0,
    highestSeq: 0,
    planned,
  };
}

/** One contact: reports, takes what is new, reports that. */
export async function contactPast(plane: Pick<PlanePorts, 'observe'>, phone: PastPhone, atMs: number): Promise<void> {
  const acks: CheckinRequest['acks'] = [];
  for (let round = 0; round < 3; round++) {
    const reply = await plane.observe(report(phone, atMs + round * 1000, acks.splice(0)));
    if (reply.desired) {
      const { lock, toggles } = reply.desired.policy;
      // A phone that is only linked reminds at most, whatever it is asked.
      const isLinked = phone.planned.provisioningType === 2;
      Object.assign(phone, {
        revision: reply.desired.revision,
        level: isLinked ? Math.min(lock.level, ADVISORY_MAX_LEVEL) : lock.level,
        cause: lock.level > 0 ? lock.cause : null,
        toggles,
      });
    }
    if (reply.lease) phone.leaseSeq = reply.lease.seq;
    for (const command of reply.commands) {
      phone.highestSeq = Math.max(phone.highestSeq, command.seq);
      acks.push({ id: command.id, seq: command.seq, status: command.type === 'emi_alert' ? 'seen' : 'applied' });
    }
    if (!reply.desired && !reply.lease && acks.length === 0) return;
  }
}

function report(phone: PastPhone, atMs: number, acks: CheckinRequest['acks']): Observation {
  const { n } = phone.planned;
  return {
    channel: phone.caller,
    moment: { boots: 1, ms: Math.max(61_000, atMs - phone.enrolledAtMs + 60_000) },
    wallClock: new Date(atMs).toISOString(),
    highestSeq: phone.highestSeq,
    acks,
    revision: phone.revision,
    level: phone.level,
    cause: phone.cause,
    leaseSeq: phone.leaseSeq,
    toggles: phone.toggles,
    sims: [{ slot: 0, iccid: `8991${String(n).padStart(15, '0')}`, operator: OPERATORS[n % OPERATORS.length]! }],
    battery: 25 + ((n * 37) % 75),
    agentVersion: '1.0.0',
  };
}
