import { z } from 'zod';

/**
 * Every error code of the product, once. `status` is the HTTP status that `http/errors.ts` answers with;
 * the sentence a person reads is `errors.<CODE>` of the caller's locale (`packages/web/public/locales`).
 * Programs branch on the code only.
 */
export const ERRORS = {
  // 400: the request itself
  INVALID_INPUT: { status: 400 },
  INVALID_JSON: { status: 400 },
  STALE_REQUEST: { status: 400 },
  OTP_INVALID: { status: 400 },
  OTP_EXPIRED: { status: 400 },
  OTP_USED_UP: { status: 400 },
  MPIN_INVALID: { status: 400 },
  MPIN_TOO_SIMPLE: { status: 400 },
  RESET_TOKEN_INVALID: { status: 400 },
  /** What a device signed does not open this shop for this user: which part of it does not fit is not told. */
  PASSKEY_REFUSED: { status: 400 },
  /** What came back from the organisation's identity provider opens nothing: which part of it does not fit is not told. */
  OIDC_REFUSED: { status: 400 },
  STEP_UP_REQUIRED: { status: 400 },
  STEP_UP_INVALID: { status: 400 },
  IMEI_INVALID: { status: 400 },
  AMOUNT_TOO_LARGE: { status: 400 },
  FILE_TYPE_UNSUPPORTED: { status: 400 },
  /** A picture by its first bytes, and cut off, broken or of a variant that is not taken apart. */
  FILE_UNREADABLE: { status: 400 },
  IDEMPOTENCY_KEY_REQUIRED: { status: 400 },
  PAGE_TOO_FAR: { status: 400 },
  // 403 not allowed
  FORBIDDEN: { status: 403 },
  FEATURE_NOT_ALLOWED: { status: 403 },
  /** No lock of many from a session that has only just begun: `params.minutes` are left. */
  SESSION_TOO_NEW: { status: 403 },
  /** The identity provider vouches for somebody who is nobody here, or whose account is somebody else's there. */
  OIDC_NOBODY: { status: 403 },
  // 404 also for what belongs to someone else
  NOT_FOUND: { status: 404 },
  ORGANISATION_UNKNOWN: { status: 404 },
  // 409 conflict of state
  REPLAYED_REQUEST: { status: 409 },
  IDEMPOTENCY_CONFLICT: { status: 409 },
  INSUFFICIENT_KEYS: { status: 409 },
  PLAN_NOT_ON_SALE: { status: 409 },
  STATE_CONFLICT: { status: 409 },
  DUPLICATE_IMEI: { status: 409 },
  /** Somebody of the organisation signs in with it. */
  MOBILE_TAKEN: { status: 409 },
  /** Somebody of a shop logs in with it: it proves nothing of a customer. */
  STAFF_NUMBER: { status: 409 },
  /** The customer said already that it is paid, and nobody has answered: `again` says that it is another payment. */
  CLAIM_WAITING: { status: 409 },
  ALREADY_PAID: { status: 409 },
  /** Money for a running agreement beyond everything that it owes: a slip of the finger, until it is sent with `accept_overpayment`. */
  MORE_THAN_OWED: { status: 409 },
  ALREADY_REVERSED: { status: 409 },
  /** New terms that make the very schedule that stands. */
  SCHEDULE_UNCHANGED: { status: 409 },
  /** Another agreement is of the loan of this account number. */
  LOAN_NUMBER_USED: { status: 409 },
  /** A regulated lender's loan holds a phone by the regulator's rules only, and the organisation sells under others. */
  LENDER_RULES_REQUIRED: { status: 409 },
  /** It asks more of the customer, who has to agree by a code from their own number. */
  CUSTOMER_CODE_REQUIRED: { status: 409 },
  REFERENCE_USED: { status: 409 },
  WAIVER_ASKED_ALREADY: { status: 409 },
  /** A lock of many for real follows a dry run of the same customers, not long before. */
  PREVIEW_REQUIRED: { status: 409 },
  /** Whoever asked cannot agree, nor anybody who does not answer for the shop. */
  SECOND_PERSON_REQUIRED: { status: 409 },
  /** A code there would prove nothing: nobody has told one from it yet, or a shop logs in with it. */
  NUMBER_NOT_CONFIRMED: { status: 409 },
  /** A shop changed it less than a day ago, and nobody at the old one agreed: codes there are not the customer's word yet. */
  NUMBER_IS_NEW: { status: 409 },
  /** The organisation granted it: only it ends it before its day. */
  HOLD_OF_ORGANISATION: { status: 409 },
  /** A picture that was kept was altered where it lies, or what opens it was. */
  DOCUMENT_DAMAGED: { status: 409 },
  /** `details.scope`: as many pictures (`max`), or as many bytes of them (`max_size`), as are kept of one customer, shop or organisation. */
  DOCUMENT_QUOTA: { status: 409 },
  /** It waits for an answer, or was answered a few days ago and can be taken further. */
  DISPUTE_ALREADY_OPEN: { status: 409 },
  /** The organisation has said that no more disputes about this instalment hold. */
  DISPUTE_DECIDED: { status: 409 },
  ENROLMENT_TOKEN_USED: { status: 409 },
  /** There is nothing to set up: the sale of a draft has registered no phone. */
  NO_PHONE_YET: { status: 409 },
  ENROLMENT_TOKEN_EXPIRED: { status: 409 },
  ENROLMENT_PHONE_MISMATCH: { status: 409 },
  // 408, 413, 415, 422, 429
  REQUEST_TIMEOUT: { status: 408 },
  /** `details.max`, `details.max_bytes`: what a file, or all that one request sends, may have. */
  TOO_LARGE: { status: 413 },
  /** `details.max`: as many customers as one order may reach. */
  TOO_MANY: { status: 413 },
  /** `details.left` of the `details.wanted` locks still fit into this hour of the organisation. */
  LOCK_CAP: { status: 413 },
  /** `details.max` million pixels: a picture of more is not taken apart, however few bytes it has. */
  TOO_MANY_PIXELS: { status: 413 },
  UNSUPPORTED_MEDIA_TYPE: { status: 415 },
  POLICY_REFUSED: { status: 422 },
  UNSUPPORTED_ON_DEVICE: { status: 422 },
  /** `details.reason`: what the rule of the agreement says against a penal charge. */
  PENALTY_REFUSED: { status: 422 },
  FEATURE_NOT_OFFERED: { status: 422 },
  /** The organisation asks for no witness to a signature. */
  WITNESS_NOT_ASKED: { status: 422 },
  RATE_LIMITED: { status: 429 },
  REMINDED_ALREADY: { status: 429 },
  OTP_LOCKED: { status: 429 },
  MPIN_LOCKED: { status: 429 },
  /** Of the code of a consent, `details.is_same`: the one that went there a moment ago is for this very text and deal, and waits to be told. */
  OTP_TOO_SOON: { status: 429 },
  OTP_DAILY_LIMIT: { status: 429 },
  /** A shop, or all of an organisation's, sent customers more codes in a day than anybody used. */
  OTP_SHOP_LIMIT: { status: 429 },
  /** A customer's number, without a code from the one before: each change writes to the old one. */
  NUMBER_CHANGED_OFTEN: { status: 429 },
  // 405, 500, 503, 511
  METHOD_NOT_ALLOWED: { status: 405 },
  INTERNAL: { status: 500 },
  UNAVAILABLE: { status: 503 },
  SMS_UNAVAILABLE: { status: 503 },
  /** Where pictures are kept refuses us: an operator has to mend it, and the log says what. */
  PICTURES_UNAVAILABLE: { status: 503 },
  /** The identity provider does not answer. */
  OIDC_UNAVAILABLE: { status: 503 },
  /** `details.why`, where there was a session: `expired`, `logged_out` (here or from elsewhere) or `suspended`. */
  SESSION_REQUIRED: { status: 511 },
  // phones only (`/agent/v1`): never 401, a phone might give up its management
  AGENT_SIGNATURE_INVALID: { status: 400 },
  AGENT_REPLAYED: { status: 409 },
  AGENT_UNKNOWN: { status: 404 },
} as const satisfies Record<string, { status: number }>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** A problem of one field: `path` is dotted (`emi.tenure`), `message` translated, `code` an `errors.*` key. */
export const fieldErrorSchema = z.object({ path: z.string(), message: z.string(), code: z.string().optional() });
export type FieldError = z.infer<typeof fieldErrorSchema>;

export interface KistErrorOptions {
  /** Field problems; `message` may be a locale key (`field.required`), http/errors.ts translates it. */
  fields?: { path: string; key: string; params?: Record<string, string | number> }[];
  /** Values for the translated sentence; never personal data. */
  params?: Record<string, string | number>;
  /** Values that are words themselves, by their locale keys: they are said in the language of the sentence, with its other values. */
  words?: Record<string, string>;
  /** Machine-readable detail for the caller (a gate verdict, retry seconds…); goes out as `details`. */
  details?: Record<string, unknown>;
  retryAfterS?: number;
  /** For the log only. */
  internal?: string;
  cause?: unknown;
}

/** The one error that domain code throws: a code, never transport words. */
export class KistError extends Error {
  readonly code: ErrorCode;
  readonly options: KistErrorOptions;
  constructor(code: ErrorCode, options: KistErrorOptions = {}) {
    super(options.internal ?? code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KistError';
    this.code = code;
    this.options = options;
  }
}
