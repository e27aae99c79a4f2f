import { imeiSchema } from '@kist/contract/agent';
import { DAY_MS } from '@kist/contract/dates';
import { z } from 'zod';

/**
 * The guard cloud's wire, as protocol.md tells it: a phone maker's service that shops buy locks from. Refusals are `{code, message}`.
 *
 *   POST /guard/v1/oauth/token              {client_id, client_secret} → {access_token, expires_in: 1800}
 *   POST /guard/v1/devices/upload           {request_id, devices: [{imei?, serial?}]} → 202 {transaction_id}
 *   POST /guard/v1/devices/approve          {request_id, devices: [{imei?, serial?}]} → 202 {transaction_id}
 *   POST /guard/v1/devices/targets          {request_id, items: [{device_id, target}]} → 202 {transaction_id}; at most 100
 *   POST /guard/v1/devices/relock-reminder  {request_id, device_id, at} → 202 {transaction_id}
 *   POST /guard/v1/devices/complete         {request_id, device_ids} → 202 {transaction_id}
 *   POST /guard/v1/devices/complete/undo    {request_id, device_ids} → 202 {transaction_id}
 *   POST /guard/v1/devices/pin              {device_id, passkey} → {pin}
 *   GET  /guard/v1/devices/:device_id       the phone's pair of target and applied; also /guard/v1/devices?imei= and ?serial=
 *   GET  /guard/v1/transactions/:id         {transaction_id, status, results}
 *   POST /guard/device/v1/sync              the phones' own door
 *
 * Webhooks go to the tenant's address: a GuardEvent, header `x-guard-signature: t=<unix s>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`.
 */
export const TOKEN_S = 30 * 60;
export const MAX_TARGETS = 100;
export const MAX_DEVICES = 1000;
export const UNDO_MS = 2 * DAY_MS;

const requestId = z.string().regex(/^[\w.:-]{1,120}$/);
const deviceId = z.string().min(1).max(64);
const serialSchema = z.string().regex(/^[\w-]{1,40}$/);
const instant = z.iso.datetime({ offset: true });

const namedSchema = z
  .strictObject({ imei: imeiSchema.optional(), serial: serialSchema.optional() })
  .refine(({ imei, serial }) => imei !== undefined || serial !== undefined, 'an imei or a serial is needed');
export type Named = z.output<typeof namedSchema>;

/** What a phone shall be. `relock_after`: an unlocked phone locks itself again from then on, with or without network. */
const targetSchema = z.strictObject({
  version: z.int().min(0),
  locked: z.boolean(),
  title: z.string().max(200),
  message: z.string().max(2000),
  phone_number: z.string().max(20),
  relock_after: instant.optional(),
});
export type GuardTarget = z.output<typeof targetSchema>;

export const tokenCall = z.strictObject({ client_id: z.string().max(200), client_secret: z.string().max(200) });
export const namedCall = z.strictObject({ request_id: requestId, devices: z.array(namedSchema).min(1) });
export const targetsCall = z.strictObject({
  request_id: requestId,
  items: z.array(z.strictObject({ device_id: deviceId, target: targetSchema })).min(1),
});
export const reminderCall = z.strictObject({ request_id: requestId, device_id: deviceId, at: instant });
export const completeCall = z.strictObject({ request_id: requestId, device_ids: z.array(deviceId).min(1) });
export const pinCall = z.strictObject({ device_id: deviceId, passkey: z.string().regex(/^[0-9A-Za-z]{4,32}$/) });

const simSchema = z.strictObject({
  slot: z.int().min(0).max(3),
  iccid: z.string().max(22),
  operator: z.string().max(40),
});
export type GuardSim = z.output<typeof simSchema>;

/** A phone's question. `is_freed`: it took its release and only confirms it. */
export const syncCall = z.strictObject({
  imei: imeiSchema,
  serial: serialSchema,
  boot: z.int().min(0),
  sims: z.array(simSchema).max(4),
  applied: z.strictObject({ version: z.int().min(0), locked: z.boolean() }).nullable(),
  is_freed: z.boolean().optional(),
});
export type SyncCall = z.output<typeof syncCall>;

export const syncAnswer = z.strictObject({
  target: targetSchema.nullable(),
  completed: z.boolean(),
  reminder_at: instant.nullable(),
});
export type SyncAnswer = z.output<typeof syncAnswer>;

/** pending: uploaded; approved: will be guarded once switched on; enrolled: is; completed: its release is ordered; removed: the phone took it. */
export type DeviceState = 'pending' | 'approved' | 'enrolled' | 'completed' | 'removed';
export interface Applied {
  version: number;
  locked: boolean;
  at: string;
}
export interface DeviceView {
  device_id: string;
  imei: string | null;
  serial: string | null;
  state: DeviceState;
  target: GuardTarget | null;
  applied: Applied | null;
  last_seen_at: string | null;
  sims: GuardSim[];
}

/** Why one item of a transaction did not happen. NOT_AVAILABLE: another tenant has this phone. */
export type ItemCode =
  | 'NOT_FOUND'
  | 'NOT_AVAILABLE'
  | 'NOT_ENROLLED'
  | 'OLD_VERSION'
  | 'COMPLETED'
  | 'NOT_COMPLETED'
  | 'TOO_LATE';
export interface ItemResult {
  device_id?: string;
  imei?: string;
  serial?: string;
  status: 'ok' | 'error';
  code?: ItemCode;
}
export interface TransactionView {
  transaction_id: string;
  status: 'pending' | 'done';
  results: ItemResult[];
}

export type EventType =
  | 'transaction.done'
  | 'device.enrolled'
  | 'device.applied'
  | 'device.sim_changed'
  | 'device.relocked'
  | 'device.completed';
/** One webhook's body. */
export interface GuardEvent {
  event_id: string;
  type: EventType;
  at: string;
  device_id?: string;
  transaction_id?: string;
  applied?: Applied;
}

type RefusalCode =
  | 'INVALID_CLIENT'
  | 'TOKEN_EXPIRED'
  | 'INVALID_REQUEST'
  | 'NOT_FOUND'
  | 'NOT_ENROLLED'
  | 'TOO_MANY'
  | 'RATE_LIMITED'
  | 'QUOTA'
  | 'UNAVAILABLE';

/** A call that is not taken. */
export class GuardRefusal extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly retryAfterS: number | undefined;
  constructor(status: number, code: RefusalCode, message: string, retryAfterS?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

/** What a vendor's bad day looks like. */
export interface GuardFaults {
  /** Refuses everything with 503; what was taken before goes on. */
  is_down: boolean;
  /** Answers, and carries out, after `slowMs`. */
  is_slow: boolean;
  /** Carries out half of each transaction; the other half once this ends. */
  completes_partially: boolean;
  /** Sends every webhook twice. */
  sends_twice: boolean;
  /** Gathers webhooks for a moment and sends the newest first. */
  reverses_webhooks: boolean;
  /** Takes the call of a tenant and resets the connection instead of answering. */
  drops_answers: boolean;
  /** Refuses every call of a tenant but the one for a token: 429 RATE_LIMITED. */
  rate_limits: boolean;
  /** Takes no target, and says that it never will: 400 INVALID_REQUEST. */
  refuses_targets: boolean;
  /** The day has no room for a target: 429 QUOTA until it ends. */
  is_full: boolean;
}
export const NO_GUARD_FAULTS: GuardFaults = {
  is_down: false,
  is_slow: false,
  completes_partially: false,
  sends_twice: false,
  reverses_webhooks: false,
  drops_answers: false,
  rate_limits: false,
  refuses_targets: false,
  is_full: false,
};
