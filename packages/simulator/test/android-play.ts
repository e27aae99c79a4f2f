import type { CheckinReply, DesiredPolicy, Lease } from '@kist/contract/agent';
import { step } from '#simulator/phones/android/core.ts';
import type { PhoneEvent } from '#simulator/phones/android/events.ts';
import { effectiveLevel } from '#simulator/phones/android/lease.ts';
import { FREE_POLICY, newPhone } from '#simulator/phones/android/state.ts';
import type { Hardware, Phone } from '#simulator/phones/android/state.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** 1 November 2026, 10:00 in India. */
export const T0 = Date.parse('2026-11-01T04:30:00Z');
export const iso = (ms: number) => new Date(ms).toISOString();
export const DPC: Hardware = { brand: 'Redmi', model: '13C', serial: 'S1', imei: ['490154203237518'], agent: 'DPC' };
export const SIM = { slot: 0, iccid: '8991000000000000001', operator: 'Jio' };
export const PLACE = { latitude: 19.99, longitude: 73.79, accuracyM: 12 };
export const DEVICE = '0190b3c2-0000-7000-8000-000000000001';

let counter = 0;
export const newId = () => `0190b3c2-0000-7000-8000-${String((counter += 1)).padStart(12, '0')}`;

export const enrolled = (hardware: Hardware = DPC): Phone =>
  step(
    newPhone(hardware, T0, [SIM], PLACE),
    {
      kind: 'enrolled',
      enrolment: {
        keyid: '20.x',
        deviceId: DEVICE,
        serverUrl: 'http://s',
        serverKeyId: 'k',
        serverKeySpki: 'p',
        strength: hardware.agent === 'DPC' ? 'enforced' : 'advisory',
        serverTimeMs: T0,
      },
    },
    newId,
  ).phone;

export const play = (phone: Phone, ...events: PhoneEvent[]): Phone =>
  events.reduce((current, event) => step(current, event, newId).phone, phone);

export const policyAt = (level: 0 | 1 | 2 | 3 | 4): DesiredPolicy => ({
  ...FREE_POLICY,
  lock: { level, cause: level === 0 ? null : 'debt', screen: null },
});

interface Said {
  serverMs?: number;
  desired?: CheckinReply['desired'];
  lease?: Lease | null;
  commands?: CheckinReply['commands'];
  sentAcks?: { id: string; status: string }[];
  sentEventIds?: string[];
}
export const says = ({ serverMs, desired, lease, commands, sentAcks, sentEventIds }: Said): PhoneEvent => ({
  kind: 'reply',
  verified: {
    reply: {
      server_time: iso(serverMs ?? T0),
      desired: desired ?? null,
      commands: commands ?? [],
      lease: null,
      next: { after_s: 600, spread_s: 0 },
    },
    lease: lease ?? null,
    sentAcks: sentAcks ?? [],
    sentEventIds: sentEventIds ?? [],
  },
});

export const leaseOf = (part: Partial<Lease> = {}): Lease => ({
  v: 1,
  device_id: DEVICE,
  seq: 1,
  revision: 0,
  issued_at: iso(T0),
  valid_until: iso(T0 + 60 * DAY),
  reminders: [],
  notices: [],
  ladder: [],
  screen: null,
  ...part,
});

/** A dealer's ladder: notice on day 1 (shown by the phone), levels 1 to 4 on days 1, 2, 3 and 7. */
export const dealerLease = (part: Partial<Lease> = {}): Lease =>
  leaseOf({
    reminders: [{ at: iso(T0 + 2 * HOUR), key: 'due_today' }],
    notices: [{ no: 1, at: iso(T0 + DAY), delivered_at: null }],
    ladder: [
      { at: iso(T0 + DAY), level: 1, notice_no: null, notice_days: 0 },
      { at: iso(T0 + 2 * DAY), level: 2, notice_no: null, notice_days: 0 },
      { at: iso(T0 + 3 * DAY), level: 3, notice_no: 1, notice_days: 2 },
      { at: iso(T0 + 7 * DAY), level: 4, notice_no: 1, notice_days: 2 },
    ],
    ...part,
  });

export const level = (phone: Phone): number => (phone.agent ? effectiveLevel(phone.agent) : 0);
export const elapse = (ms: number): PhoneEvent => ({ kind: 'elapse', ms });
