import type { ProvisioningName } from '@kist/contract/codes';
import type { IsoDate } from '@kist/contract/dates';
import type { HoldKind } from '@kist/contract/hold-kinds';
import type { LockLevel, LockPolicy, LockReason, LockTrigger } from '@kist/contract/lock-policy';

/**
 * All that the gate may look at. It is plain data: what a verdict stood on is stored beside it and can be judged again years later.
 * Instants are ms since 1970 of the server's one clock; the gate reads no clock of its own.
 */
export interface GateFacts {
  request: {
    reason: LockReason;
    level: LockLevel;
    trigger: LockTrigger;
    noteText?: string;
    /** Of an override: somebody else than who asked has agreed to it. */
    hasSecond?: boolean;
  };
  /** The agreement in whose name the phone would be locked; null for a phone without one. */
  agreement: AgreementFacts | null;
  device: DeviceFacts;
  /** The version stamped on the agreement, with the organisation's present holidays. */
  policy: LockPolicy;
  /** Delivered notices of this agreement; those about another instalment are ignored. */
  notices: readonly DeliveredNotice[];
  /** Those that stop the ladder: open (`untilMs` null), or answered and still to be taken further by the customer until that moment. */
  disputes: readonly { openedAtMs: number; untilMs: number | null }[];
  holds: readonly { kind: HoldKind; untilOn: IsoDate }[];
  /** Acceptances of this agreement's lock clause. */
  consents: readonly ConsentFacts[];
  evidence: EvidenceFacts;
  /** Google's written approval, as the organisation recorded it; only asked for on AMAPI phones. */
  vendorApproval: { reference: string; recordedAtMs: number } | null;
  nowMs: number;
}

export interface ConsentFacts {
  textVersion: string;
  hash: string;
  acceptedAtMs: number;
}

/**
 * Penal charges do not appear: who owes only a penalty has no `oldestUnpaidDueOn`, so a penalty cannot lock.
 * The oldest unpaid instalment may still lie in the future; a lease looks ahead to it.
 */
export interface AgreementFacts {
  agreementId: string;
  deviceId: string;
  state: 'active' | 'completed' | 'cancelled';
  financedImeis: readonly string[];
  financedSerial: string | null;
  /** Due date of the oldest instalment with unpaid principal, interest or fee, from the ledger; null when there is none. */
  oldestUnpaidDueOn: IsoDate | null;
  /** What is unpaid of that instalment, without penal charges. */
  oldestUnpaidPaise: number;
  /** What else is or falls due, as far as it decides whether the overdue sum is too little; in order of due date. */
  laterUnpaid: readonly { dueOn: IsoDate; paise: number }[];
  emiPaise: number;
  /** A payment was taken back and the instalment is open again, or the phone exchanged: notices of before count for nothing. Null: that never happened. */
  noticesFromMs: number | null;
}

export interface DeviceFacts {
  deviceId: string;
  imeis: readonly string[];
  serial: string | null;
  provisioning: ProvisioningName;
  enrolledAtMs: number | null;
  /**
   * The one try-out of the lock that an agreement has: `firstEnrolledAtMs` when the phone first enrolled under it, however often it did since;
   * `startedAtMs` when it began, null before; `isOn` while it holds the phone.
   */
  test: { firstEnrolledAtMs: number | null; startedAtMs: number | null; isOn: boolean };
  /**
   * The level now wanted of the phone. For EMI_OVERDUE that lock's own level, so that an override can never serve it as a ladder; for
   * ORG_OVERRIDE the higher of the two. Theft, request and test locks do not count.
   */
  currentDebtLevel: LockLevel;
  /** Of ORG_OVERRIDE, where it is known: the override's own level. What a debt holds already is no override, so writing one beside it is a raise. */
  overrideLevel?: LockLevel;
  /** When that level was last raised, by the server or by the phone under its lease; null when it never was. */
  levelSinceMs: number | null;
}

/** `dueOn` is the instalment the notice spoke of; an answer from the channel (or the phone's own word that it was shown) is the proof. */
export interface DeliveredNotice {
  no: number;
  dueOn: IsoDate;
  deliveredAtMs: number;
  proof: string;
}

/** Protection locks stand on the customer's own word about this very phone: in their session, or (of a theft) by the code that went to their number. */
export interface EvidenceFacts {
  theftReport: { deviceId: string; reportedBy: 'customer' | 'customer_code' | 'shop'; reportedAtMs: number } | null;
  customerRequest: { deviceId: string; requestedBy: 'customer' | 'shop'; requestedAtMs: number } | null;
}

/** @returns the same facts asked about another level. */
export const atLevel = (facts: GateFacts, level: LockLevel): GateFacts =>
  facts.request.level === level ? facts : { ...facts, request: { ...facts.request, level } };

/** @returns the same facts at another moment. */
export const atInstant = (facts: GateFacts, nowMs: number): GateFacts =>
  facts.nowMs === nowMs ? facts : { ...facts, nowMs };

/** @returns the same facts with the phone at another debt level. */
export const withDebtLevel = (
  facts: GateFacts,
  currentDebtLevel: LockLevel,
  levelSinceMs: number | null,
): GateFacts => ({
  ...facts,
  device: { ...facts.device, currentDebtLevel, levelSinceMs },
});
