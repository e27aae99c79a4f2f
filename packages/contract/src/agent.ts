import { z } from 'zod';
import { ofSwitches } from './commands.ts';
import { countSchema, detailsSchema, machineTextSchema, noteSchema, phoneInstantSchema } from './fields.ts';
import { LIMITS, REPORT_LIMITS as MOST } from './limits.ts';

/**
 * The wire between a phone and the server, `/agent/v1` (DPC and LINKFL agents). Shared by the server and every phone, so it holds shapes
 * and the bytes that are signed; each side brings its own cryptography.
 *
 * - `created` of a signature is the phone's estimate of *server* time (last `server_time` plus elapsed clock), never its wall clock. More than
 *   LIMITS.agentSkewS off answers 400 STALE_REQUEST with `details.server_time`; the phone takes that and asks again with a new nonce.
 * - Answers are signed whatever their status, refusals too. A phone acts on a refusal only by asking again: 404 AGENT_UNKNOWN frees nobody.
 * - A key whose phone enrolled again is still answered, with what takes something back from who holds it and never with more; it may dispute.
 * - A phone keeps each order's result. Given an order again (its id known) it answers with the result it kept and does nothing.
 * - It reports right after it applied a new desired state, and again at `next.after_s` plus a random part of `next.spread_s`.
 */
export const AGENT_PROTO = 1;
export const AGENT_PATHS = {
  /** The typed code for what the camera would have read. */
  setup: '/agent/v1/setup',
  enrol: '/agent/v1/enrol',
  checkin: '/agent/v1/checkin',
  poll: '/agent/v1/poll',
  dispute: '/agent/v1/dispute',
  /** Ed. public: the server's pinned key, as it also stands in the QR. */
  key: '/agent/v1/key',
} as const;

const instant = z.iso.datetime({ offset: true });
const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
/** As a phone says it: fifteen digits; its check digit is not asked, a phone may have a wrong one. */
export const imeiSchema = z.string().regex(/^\d{15}$/);
export const lockLevelSchema = z.int().min(0).max(4);
export const lockCauseSchema = z.enum(['debt', 'theft', 'customer_request', 'enrolment_test', 'override']);
export type LockCause = z.infer<typeof lockCauseSchema>;
/** What is held for money: nothing overdue, nothing held. */
export const MONEY_CAUSES = ['debt', 'override'] as const satisfies readonly LockCause[];
/** What is held for the agreement that sold the phone, and ends with it. */
export const OWED_CAUSES = [...MONEY_CAUSES, 'enrolment_test'] as const satisfies readonly LockCause[];
/** What is held for the phone's owner, on the owner's own word. */
export const OWNERS_CAUSES = ['theft', 'customer_request'] as const satisfies readonly LockCause[];

/** A signed blob that a phone keeps and can check alone: `payload` is base64url of JSON, `signature` ECDSA P-256/SHA-256 (r‖s) over those very characters. */
export const signedSchema = z.strictObject({ key_id: z.string().max(64), payload: base64url, signature: base64url });
export type Signed = z.infer<typeof signedSchema>;

/** What a held phone shows. Everything a person needs to be free again; amounts in paise. */
export const lockScreenSchema = z.strictObject({
  language: z.string().max(8),
  shop: z.string().max(120),
  shop_phone: z.string().max(20),
  agreement_no: z.string().max(40),
  amount_paise: z.int().nonnegative(),
  due_since: z.iso.date().nullable(),
  instalments_due: z.int().nonnegative(),
  upi_uri: z.string().max(400).nullable(),
  reason: z.string().max(40),
});
export type LockScreen = z.infer<typeof lockScreenSchema>;

/** Every switch by its name, all of them always. */
const togglesSchema = z.strictObject(ofSwitches(() => z.boolean()));

/**
 * The whole desired state. Nothing here can block internet, incoming calls, emergency calls, public-safety alerts, the pay screen or
 * accessibility services: there is no field for it, on purpose.
 */
export const desiredPolicySchema = z.strictObject({
  lock: z.strictObject({
    level: lockLevelSchema,
    cause: lockCauseSchema.nullable(),
    screen: lockScreenSchema.nullable(),
    /** The end of it, where that is known beforehand: the phone frees itself then, by trusted time, with or without us. */
    until: instant.optional(),
  }),
  toggles: togglesSchema,
  wallpaper_text: z.string().max(LIMITS.wallpaperTextLength).nullable(),
  released: z.boolean(),
});
export type DesiredPolicy = z.infer<typeof desiredPolicySchema>;

/**
 * The lease: what the phone may do alone until `valid_until`. A `ladder` step may be taken at `at` (trusted time) and only when the notice it
 * names was shown on this phone or delivered before (`delivered_at`), at least `notice_days` earlier. Paying issues a new lease with a higher seq.
 */
export const leaseSchema = z.strictObject({
  v: z.literal(1),
  device_id: z.uuid(),
  seq: z.int().positive(),
  revision: z.int().nonnegative(),
  issued_at: instant,
  valid_until: instant,
  reminders: z.array(z.strictObject({ at: instant, key: z.string().max(40) })).max(16),
  notices: z.array(z.strictObject({ no: z.int(), at: instant, delivered_at: instant.nullable() })).max(4),
  ladder: z
    .array(
      z.strictObject({
        at: instant,
        level: lockLevelSchema,
        notice_no: z.int().nullable(),
        notice_days: z.int().nonnegative(),
      }),
    )
    .max(4),
  screen: lockScreenSchema.nullable(),
  /** What became of the holder's last word that it is paid: the shop's no, or money that came into the books since; absent while there is no answer. */
  claim_answer: z.strictObject({ is: z.enum(['refused', 'paid']), at: instant }).optional(),
});
export type ClaimAnswer = NonNullable<Lease['claim_answer']>;
export type Lease = z.infer<typeof leaseSchema>;
/** What is decided of a lease; number, revision, phone and moment of issue are the device's own and set with it. */
export type LeaseTerms = Omit<Lease, 'v' | 'device_id' | 'seq' | 'revision' | 'issued_at'>;

/** When a phone comes back by itself; a wake brings it earlier. `unsettledAfterS`: while it has not confirmed what it was told. */
export const NEXT_CHECKIN = { afterS: 600, spreadS: 120, unsettledAfterS: 30 } as const;

/** How far a phone's key is vouched for: up to Google's roots, by certificates that hang together, or by nobody. */
export type Grade = 'hardware' | 'software' | 'none';

/** PROVISIONING_ADMIN_EXTRAS_BUNDLE of the QR. */
export const adminExtrasSchema = z.strictObject({
  'kist.server': z.url(),
  'kist.token': z.string().min(20).max(120),
  'kist.key_id': z.string().max(64),
  'kist.org': z.string().max(12),
});
/** The Android provisioning QR (keys are Android's own). */
export const provisioningQrSchema = z.looseObject({
  'android.app.extra.PROVISIONING_DEVICE_ADMIN_COMPONENT_NAME': z.string(),
  'android.app.extra.PROVISIONING_DEVICE_ADMIN_PACKAGE_DOWNLOAD_LOCATION': z.string(),
  'android.app.extra.PROVISIONING_DEVICE_ADMIN_SIGNATURE_CHECKSUM': z.string(),
  'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE': adminExtrasSchema,
});
export type ProvisioningQr = z.infer<typeof provisioningQrSchema>;

/** Asked before there is a key, so unsigned; code and phone together prove who asks. */
export const setupRequestSchema = z.strictObject({
  proto: z.literal(AGENT_PROTO),
  /** As typed: capital or small, with or without the dashes. */
  code: z.string().min(1).max(40),
  imei: z.array(imeiSchema).max(2),
  serial: machineTextSchema(40),
  agent: z.enum(['DPC', 'LINKFL']),
});
export type SetupRequest = z.infer<typeof setupRequestSchema>;

/** Enrolment is signed with the key it brings (keyid = the token's first 16 characters). */
export const enrolRequestSchema = z.strictObject({
  proto: z.literal(AGENT_PROTO),
  token: z.string().min(20).max(120),
  public_key_spki: base64url.max(400),
  attestation: z.array(base64url.max(8000)).max(8).default([]),
  imei: z.array(imeiSchema).max(2),
  serial: machineTextSchema(40),
  brand: machineTextSchema(40),
  model: machineTextSchema(60),
  agent: z.enum(['DPC', 'LINKFL']),
  agent_version: machineTextSchema(MOST.agentVersionLength),
  /** Whether Android made it the device owner; without that it can only remind, whatever it was sold as. */
  is_owner: z.boolean().optional(),
  /** Android's API level. */
  android_api: z.int().min(1).max(999).optional(),
  boot_count: countSchema,
  elapsed_ms: countSchema,
});
export type EnrolRequest = z.infer<typeof enrolRequestSchema>;
/** The name that an enrolment is signed under: how its token begins, which tells nobody the rest. */
export const tokenName = (token: string): string => token.slice(0, 16);

/** `keyid` is what every later request is signed under, see `keyidOf`. Agents that enrolled before keep `<org>.<enrolment uuid>`, and bring no key. */
export const enrolReplySchema = z.strictObject({
  keyid: z.string(),
  device_id: z.uuid(),
  server_time: instant,
  server_key_spki: base64url,
  server_key_id: z.string(),
  lock_strength: z.enum(['enforced', 'advisory']),
});

export type EnrolReply = z.infer<typeof enrolReplySchema>;

export const simSchema = z.strictObject({
  slot: z.int().min(0).max(3),
  iccid: machineTextSchema(MOST.iccidLength),
  operator: machineTextSchema(MOST.operatorLength),
  number: machineTextSchema(MOST.numberLength).optional(),
});
export const locationSchema = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy_m: z.number().nonnegative().max(MOST.accuracyM),
  at: phoneInstantSchema,
});
/** What became of an order. `seen` of a message is the phone's word that its holder saw it. */
export const ackSchema = z.strictObject({
  id: z.uuid(),
  seq: countSchema.min(1),
  status: z.enum(['delivered', 'applied', 'failed', 'seen']),
  code: machineTextSchema(MOST.codeLength).optional(),
  result: detailsSchema.optional(),
});
export type Ack = z.infer<typeof ackSchema>;
/** base64url of the SHA-256 of a `policy` in the form of RFC 8785 (`jcs.ts`). */
export const policyDigestSchema = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/);
export const agentEventSchema = z.strictObject({
  id: z.uuid(),
  kind: z.enum([
    'sim_changed',
    'clock_moved',
    'booted',
    'lease_step',
    'notice_shown',
    'reminder_shown',
    'dispute',
    'payment_claimed',
    'low_battery',
    'agent_removed',
  ]),
  at: phoneInstantSchema,
  data: detailsSchema.default({}),
});

/**
 * What a phone should say. No report is refused for what it says of itself: what is too long or cannot be read is cut or left out, and the answer holds the
 * desired state and the lease all the same. Only `proto` and the signature decide whether there is an answer.
 */
export const checkinRequestSchema = z.strictObject({
  proto: z.literal(AGENT_PROTO),
  boot_count: countSchema,
  /** Milliseconds since boot; with boot_count it only rises, so an old report is known as old. */
  elapsed_ms: countSchema,
  wall_clock: phoneInstantSchema,
  /** Highest command seq this phone has stored. */
  highest_seq: countSchema,
  acks: z.array(ackSchema).max(MOST.acks),
  events: z.array(agentEventSchema).max(MOST.events).default([]),
  state: z.strictObject({
    revision: countSchema,
    /** Of the `policy` that it applied under this revision, as it keeps it. Agents from before there was one leave it out, and are shown as unproven. */
    policy_digest: policyDigestSchema.optional(),
    lock_level: lockLevelSchema,
    lock_cause: lockCauseSchema.nullable(),
    lease_seq: countSchema,
    toggles: togglesSchema,
    sims: z.array(simSchema).max(MOST.sims),
    battery: z.int().min(0).max(100),
    agent_version: machineTextSchema(MOST.agentVersionLength),
    location: locationSchema.optional(),
  }),
  push_token: machineTextSchema(MOST.pushTokenLength).nullable(),
});
export type CheckinRequest = z.infer<typeof checkinRequestSchema>;

export const agentCommandSchema = z.strictObject({
  id: z.uuid(),
  seq: z.int().positive(),
  type: z.string(),
  args: z.record(z.string(), z.unknown()),
  expires_at: instant,
});
export type AgentCommand = z.infer<typeof agentCommandSchema>;
export const checkinReplySchema = z.strictObject({
  server_time: instant,
  /** Only when the phone's revision is behind. */
  desired: z.strictObject({ revision: z.int().nonnegative(), policy: desiredPolicySchema }).nullable(),
  commands: z.array(agentCommandSchema),
  /** Only when the phone's lease_seq is behind. */
  lease: signedSchema.nullable(),
  next: z.strictObject({ after_s: z.int().positive(), spread_s: z.int().nonnegative() }),
});
export type CheckinReply = z.infer<typeof checkinReplySchema>;

/** Long poll: answered at once when there is something for the phone, else after at most 25 s. */
export const pollReplySchema = z.strictObject({ wake: z.boolean() });
export const agentDisputeSchema = z.strictObject({ text: noteSchema(1) });

/* RFC 9421, HTTP Message Signatures: the one shape that this protocol uses. */

/** Components of a request, in this order. */
export const REQUEST_COMPONENTS = ['@method', '@path', 'content-digest'] as const;
/** Components of an answer: `kist-nonce` repeats the request's nonce, so an answer belongs to its question. */
export const REPLY_COMPONENTS = ['@status', 'content-digest', 'kist-nonce'] as const;

/** `Signature-Input` parameters: (components);created=…;nonce="…";keyid="…";alg="ecdsa-p256-sha256". */
export interface SignatureParams {
  created: number;
  nonce: string;
  keyid: string;
}

const listed = (components: readonly string[]) => `(${components.map((name) => `"${name}"`).join(' ')})`;
/** Every request and answer names the one or the other, several times. */
const LISTS: ReadonlyMap<readonly string[], string> = new Map(
  [REQUEST_COMPONENTS, REPLY_COMPONENTS].map((components) => [components, listed(components)]),
);
const list = (components: readonly string[]) => LISTS.get(components) ?? listed(components);
const params = (components: readonly string[], p: SignatureParams) =>
  `${list(components)};created=${p.created};nonce="${p.nonce}";keyid="${p.keyid}";alg="ecdsa-p256-sha256"`;

/** @returns the value of the `Signature-Input` header, label `sig1`. */
export const signatureInput = (components: readonly string[], p: SignatureParams): string =>
  `sig1=${params(components, p)}`;

/** @returns the signature base of RFC 9421, section 2.5: one line for each component, then the parameters. */
export function signatureBase(
  components: readonly string[],
  values: Record<string, string>,
  p: SignatureParams,
): string {
  const lines = components.map((name) => `"${name}": ${values[name] ?? ''}`);
  return [...lines, `"@signature-params": ${params(components, p)}`].join('\n');
}

const INPUT =
  /^sig1=\(((?:"[@a-z-]+"(?: |(?=\))))*)\);created=(\d{1,12});nonce="([A-Za-z0-9_-]{16,64})";keyid="([A-Za-z0-9._-]{1,80})";alg="ecdsa-p256-sha256"$/;

/** Reads a `Signature-Input` of this protocol; undefined when it is anything else (other components, order, parameters, algorithm). */
export function parseSignatureInput(header: string, components: readonly string[]): SignatureParams | undefined {
  if (header.length > 400) return undefined;
  const match = INPUT.exec(header);
  if (!match || `(${match[1]})` !== list(components)) return undefined;
  return { created: Number(match[2]), nonce: match[3]!, keyid: match[4]! };
}
/** The phone's public key, base64url of its SubjectPublicKeyInfo, beside a request whose `keyid` names it: so its signature is proved without a look at the database. */
export const KEY_HEADER = 'kist-key';
/** @returns the base64url of `Kist-Key`; undefined when malformed. */
export const parsePublicKey = (header: string): string | undefined =>
  /^[A-Za-z0-9_-]{100,200}$/.test(header) ? header : undefined;
/** The name of a phone's key. @param hash base64url of the SHA-256 of its SubjectPublicKeyInfo */
export const keyidOf = (orgId: number, hash: string): string => `${orgId}.${hash}`;
/** Whether a name is that of a key, which then stands in `Kist-Key`; else it is an enrolment's, or a token's beginning. */
export const isKeyName = (keyid: string): boolean => /^\d{1,10}\.[A-Za-z0-9_-]{43}$/.test(keyid);

/** @returns the bytes of `Signature: sig1=:…:` as base64; undefined when malformed. */
export const parseSignature = (header: string): string | undefined =>
  /^sig1=:([A-Za-z0-9+/]{86}==):$/.exec(header)?.[1];
/** @returns the base64 of `Content-Digest: sha-256=:…:`; undefined when malformed. */
export const parseContentDigest = (header: string): string | undefined =>
  /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(header)?.[1];
