import type { CheckinReply, Lease } from '@kist/contract/agent';
import type { AgentEvent, AgentKind, Place, Sim } from './state.ts';

/** What an accepted enrolment leaves on the phone. */
export interface Enrolment {
  keyid: string;
  deviceId: string;
  serverUrl: string;
  serverKeyId: string;
  serverKeySpki: string;
  strength: 'enforced' | 'advisory';
  serverTimeMs: number;
}

/** A check-in's answer whose signature was verified, and what the question carried. `lease` is verified and decoded, null when none or refused. */
export interface VerifiedReply {
  reply: CheckinReply;
  lease: Lease | null;
  sentAcks: { id: string; status: string }[];
  sentEventIds: string[];
}

/** Everything that can happen to a phone: time, its holder, its makers, its server. */
export type PhoneEvent =
  | { kind: 'elapse'; ms: number }
  | { kind: 'power_off' }
  | { kind: 'power_on' }
  | { kind: 'erase' }
  | { kind: 'network'; isOn: boolean }
  | { kind: 'set_wall_clock'; wallMs: number }
  | { kind: 'battery'; pct: number }
  | { kind: 'swap_sim'; slot: number; sim: Sim | null }
  | { kind: 'move'; place: Place }
  | { kind: 'permissions'; areGranted: boolean }
  /** Another box from the shelf, before anything manages the phone. */
  | { kind: 'box'; imei: string; agent: AgentKind }
  | { kind: 'enrolled'; enrolment: Enrolment }
  | { kind: 'reply'; verified: VerifiedReply }
  | { kind: 'server_forgot' }
  | { kind: 'message_seen'; id: string }
  | { kind: 'banner_closed' }
  | { kind: 'dispute'; text: string }
  | { kind: 'dispute_sent' }
  | { kind: 'payment_claimed' };

/**
 * What the shell must do after a step: talk to the server now, hand over a dispute, restart for an order, drop the private key, tell what
 * changed.
 */
export type Effect =
  | { kind: 'contact' }
  | { kind: 'send_dispute'; text: string }
  | { kind: 'reboot' }
  | { kind: 'destroy_key' }
  | { kind: 'changed'; what: 'level' | 'revision' | 'lease' | 'refused'; detail: Record<string, unknown> };

/** Makes unique ids (UUID); passed in so that the core stays a function. */
export type NewId = () => string;

export type EventKind = AgentEvent['kind'];
