import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { AGENT_PATHS } from '@kist/contract/agent';
import { generateKey } from './phones/android/keys.ts';
import { step } from './phones/android/core.ts';
import { withCheckDigit } from './phones/android/imei.ts';
import type { PhoneKey } from './phones/android/keys.ts';
import { reportOf } from './phones/android/report.ts';
import { newPhone } from './phones/android/state.ts';
import type { Phone } from './phones/android/state.ts';
import { signRequest } from './phones/android/wire.ts';
import type { SignedRequest } from './phones/android/wire.ts';

export interface LoadPhoneOptions {
  /** `<org>.<enrolment uuid>`, as the enrolment has it. */
  keyid: string;
  deviceId: string;
  imei: string;
  /** One key may serve a whole fleet: the bench measures the server, not the making of keys. Own one when absent. */
  key?: PhoneKey;
  /** Unix milliseconds that `created` starts at. */
  nowMs: number;
}

/** A phone for the bench: quiet, well, and with its reports signed beforehand, so that signing is not measured. */
export interface LoadPhone {
  publicKeySpki: string;
  /** @returns the next `count` check-ins, each newer than the one before; `revision` and `level` are what they report. */
  presign: (count: number, reported: { revision: number; level: 0 | 1 | 2 | 3 | 4 }) => SignedRequest[];
}

const BETWEEN_MS = 1000;

export function makeLoadPhone(options: LoadPhoneOptions): LoadPhone {
  const key = options.key ?? generateKey();
  let phone = enrolled(options);
  return {
    publicKeySpki: key.publicKeySpki,
    presign: (count, { revision, level }) =>
      Array.from({ length: count }, () => {
        phone = { ...phone, elapsedMs: phone.elapsedMs + BETWEEN_MS };
        const report = reportOf(phone, phone.agent!);
        const cause = level === 0 ? null : ('debt' as const);
        // Of what it is free by it knows the document; of what it would be held by nobody told it one.
        const { policy_digest: digest, ...rest } = report.state;
        const held = { ...rest, revision, lock_level: level, lock_cause: cause };
        const state = level === 0 ? { ...held, policy_digest: digest } : held;
        const body = JSON.stringify({ ...report, state, events: [] });
        return signRequest({ keyid: options.keyid, key }, 'POST', AGENT_PATHS.checkin, body, options.nowMs);
      }),
  };
}

function enrolled({ keyid, deviceId, imei, nowMs }: LoadPhoneOptions): Phone {
  const hardware = { brand: 'Redmi', model: '13C', serial: '', imei: [imei], agent: 'DPC' as const };
  const sim = { slot: 0, iccid: '89910000000000000017', operator: 'Jio' };
  const phone = newPhone(hardware, nowMs, [sim], { latitude: 19.9975, longitude: 73.7898, accuracyM: 14 });
  const enrolment = {
    keyid,
    deviceId,
    serverUrl: '',
    serverKeyId: '',
    serverKeySpki: '',
    strength: 'enforced' as const,
    serverTimeMs: nowMs,
  };
  return step(phone, { kind: 'enrolled', enrolment }, () => '').phone;
}

/** Enough for a million phones: six digits of type code that no maker uses, eight of number, one that fits. */
const loadImei = (index: number): string => withCheckDigit(`350001${String(index).padStart(8, '0')}`);

/**
 * Writes phones with signed check-ins for a bench that runs in another program, one JSON line each after the line with the shared key.
 * Signing costs some 60 µs a check-in.
 */
export function writeLoadPhones(options: {
  out: string;
  org: number;
  phones: number;
  each: number;
  nowMs: number;
}): void {
  const { out, org, phones, each, nowMs } = options;
  const key = generateKey();
  const file = openSync(out, 'w', 0o600);
  const line = (value: unknown) => writeSync(file, `${JSON.stringify(value)}\n`);
  line({ public_key_spki: key.publicKeySpki });
  for (let index = 0; index < phones; index += 1) {
    const [enrolmentId, deviceId, imei] = [randomUUID(), randomUUID(), loadImei(index)];
    const keyid = `${org}.${enrolmentId}`;
    const requests = makeLoadPhone({ keyid, deviceId, imei, key, nowMs })
      .presign(each, { revision: 1, level: 0 })
      .map(({ method, path, headers, body }) => ({ method, path, headers, body }));
    line({ keyid, enrolment_id: enrolmentId, device_id: deviceId, imei, requests });
  }
  closeSync(file);
}
