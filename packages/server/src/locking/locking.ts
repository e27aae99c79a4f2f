import { randomBytes } from 'node:crypto';
import type { LostKind } from '@kist/contract/lost-kinds';
import type { KistError } from '@kist/contract/errors';
import type { LockReason, Verdict } from '@kist/contract/lock-policy';
import type { Agreement } from '#server/agreements/agreements.ts';
import type { DeviceChange } from '#server/devices/changes.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { OpenBatch } from '#server/commands/commands.ts';
import { carryPart } from './batch-run.ts';
import { type BulkResult, type BulkWord, bulk, decideBulk } from './bulk.ts';
import { paymentClaimed } from './claims.ts';
import type { LockingDeps } from './deps.ts';
import {
  type Moved,
  type SaidOnPhone,
  closeDispute,
  decideDispute,
  escalateDispute,
  openDispute,
  openFromPhone,
} from './disputes.ts';
import { contactsChanged, type Unlocked, duesChanged, factsChanged } from './dues.ts';
import { devicesOfAgreements } from './ladder-store.ts';
import { type Grant, hold, liftHold } from './holds.ts';
import { type SaidByLink, escalateByLink, openByLink } from './link-disputes.ts';
import { type LadderResult, runLadder } from './ladder.ts';
import { type Order, type Ordered, type Refused, previewLock, requestLock, requestUnlock } from './manual.ts';
import { sendDueNotices } from './notice-run.ts';
import { type OverrideDecided, type OverrideWord, decideOverride } from './overrides.ts';
import { type Lifted, reportLost, withdrawLost } from './protection.ts';
import { liftTheft, reportTheft } from './theft.ts';
import { enrolled, phoneElsewhere, phoneGone, reported } from './reports.ts';
import { tellOfAccount } from './tell.ts';
import { type Exchanged, type LetGo, type Unclaimed, letGoOfCancelled, letGoOfExchanged, unclaim } from './unclaim.ts';
import { endTemplate } from './screen-templates.ts';
import { tellOfSilences } from './silences.ts';
import { type SwitchOrder, type Switched, previewSwitch, requestSwitch } from './taking.ts';

/** The only slice that changes a lock level. Every level it sets stands on a verdict of the gate, stored in the same transaction. */
export interface Locking {
  /** @returns the order, or the gate's refusal, which is on record and must commit. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED, STATE_CONFLICT */
  requestLock(tx: Tx, actor: Actor, customerId: string, order: Order): Promise<Ordered | Refused>;
  /** @returns what became of it, or the gate's refusal, which must commit. @throws KistError as `overrides.ts` says */
  decideOverride(tx: Tx, actor: Actor, given: OverrideWord): Promise<OverrideDecided | Refused>;
  /** Never refused by the gate. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, STATE_CONFLICT */
  requestUnlock(tx: Tx, actor: Actor, customerId: string, order: Order): Promise<Ordered>;
  /** Turns a switch; what takes something away passes the gate. @throws KistError as phoneToOrder; INVALID_INPUT */
  requestSwitch(tx: Tx, actor: Actor, order: SwitchOrder): Promise<Switched | Refused>;
  /** What the gate would say now; keeps nothing. @throws KistError NOT_FOUND, FEATURE_NOT_ALLOWED, FEATURE_NOT_OFFERED, STATE_CONFLICT */
  previewLock(tx: Tx, actor: Actor, customerId: string, order: Order): Promise<Verdict>;
  /** As previewLock, of a switch that takes something. @throws KistError as phoneToOrder */
  previewSwitch: typeof previewSwitch;
  /** @throws KistError as `bulk.ts` says */
  bulk(
    tx: Tx,
    actor: Actor,
    order: {
      command: 'lock' | 'unlock';
      reason: LockReason;
      customer_ids: readonly string[];
      dry_run: boolean;
      preview?: string | undefined;
    },
  ): Promise<BulkResult>;
  /** A second person's word on an order of more than the hour has room for. @throws KistError as `bulk.ts` says */
  decideBulk(tx: Tx, actor: Actor, given: BulkWord): ReturnType<typeof decideBulk>;
  /** The next part of an order to many. @returns whether there was one. @throws whatever the part failed of; it comes again later */
  carryPart(db: Database, batch: OpenBatch): Promise<boolean>;
  /** @throws KistError as `protection.ts` says */
  reportLost(
    tx: Tx,
    actor: Actor,
    given: { customerId: string; kind: LostKind; note: string },
  ): Promise<Ordered | Refused>;
  /** @throws KistError as `protection.ts` says */
  withdrawLost(tx: Tx, actor: Actor, given: { customerId: string; kind: LostKind }): Promise<Lifted>;
  /** @returns the order, the gate's refusal, or what was wrong with the code: all must commit. @throws KistError as `theft.ts` says */
  reportTheft(
    tx: Tx,
    actor: Actor,
    given: { customerId: string; otp: string; note: string },
  ): Promise<Ordered | Refused | KistError>;
  /** @returns what was wrong with the code, which must commit. @throws KistError as `theft.ts` says */
  liftTheft(
    tx: Tx,
    actor: Actor,
    given: { customerId: string; otp?: string | undefined; reason: string },
  ): Promise<Lifted | KistError>;
  /** @throws KistError as `unclaim.ts` says */
  unclaim(tx: Tx, actor: Actor, given: { customerId: string; note: string }): Promise<Unclaimed>;
  /** @throws KistError as `unclaim.ts` says */
  letGoOfCancelled(
    tx: Tx,
    actor: Actor,
    given: { agreement_id: string; customer_id: string; note: string },
  ): Promise<LetGo>;
  /** @throws KistError as `unclaim.ts` says */
  letGoOfExchanged(tx: Tx, actor: Actor, given: { device_id: string; note: string }): Promise<Exchanged>;
  /** PaymentDeps.duesChanged: in the payment's transaction, the agreement's row taken by it. @returns the unlock that went out, or null */
  duesChanged(
    tx: Tx,
    actor: Actor,
    agreement: Agreement,
    cause: { paymentId: string | null; isReversal?: true; goesBack?: boolean; paid?: { at: Date; paise: number } },
  ): Promise<Unlocked | null>;
  /** PaymentDeps.claimed: the shop hears that a customer says it is paid, and the ladder rests once for each instalment. */
  paymentClaimed(
    tx: Tx,
    actor: Actor,
    agreement: Agreement,
    claim: { paymentId: string; amountPaise: number },
  ): Promise<void>;
  /** NoticesDeps.onDelivered: a notice reached the customer, so the ladder may go on; the lease says so. */
  noticesDelivered(tx: Tx, agreementIds: readonly string[]): Promise<void>;
  /** Consents became whole, so the ladder may begin; the lease says so. */
  consented(tx: Tx, agreementIds: readonly string[]): Promise<void>;
  /** Whom the customers of these shops call or pay is somebody else: their phones say so, the first of very many at once. */
  contactsChanged(tx: Tx, owners: readonly string[]): Promise<void>;
  /** The automatic ladder of one organisation, in transactions of its own. Any number of times a day. */
  runLadder(db: Pick<Database, 'transaction'>, orgId: number): Promise<LadderResult>;
  /** As `silences.ts` says. Any number of times a day. */
  tellOfSilences(db: Pick<Database, 'transaction'>, orgId: number): Promise<number>;
  /** Today's reminders and notices, in transactions of their own. Any number of times a day. @returns how many were new */
  sendDueNotices(db: Pick<Database, 'transaction'>, orgId: number): Promise<number>;
  /**
   * OnEnrolled's part: the first lease; a phone that was erased is at its agreement's level again.
   * @param replacedLevel what the live enrolment before last reported; the shop hears of its end. Null when there was none
   */
  enrolled(tx: Tx, deviceId: string, replacedLevel: number | null): Promise<void>;
  /** OnReports. */
  reported(tx: Tx, changes: readonly DeviceChange[]): Promise<void>;
  /** PlaneOptions.onGone: the shop hears that a vendor knows the phone no more, which counts as uninstalled. */
  phoneGone(tx: Tx, deviceId: string): Promise<void>;
  /** PlaneOptions.onAccount: the organisation's administrators hear of it. */
  vendorAccount(tx: Tx, account: { vendor: string; refusedFor: string | null }): Promise<void>;
  /** A phone with this one's number is being set up as another: the shop hears of it at once. */
  phoneElsewhere(tx: Tx, deviceId: string): Promise<void>;
  /** PlaneOptions.onDispute. */
  disputeFromPhone(tx: Tx, dispute: SaidOnPhone): Promise<void>;
  /** @throws KistError as `disputes.ts` says */
  openDispute(
    tx: Tx,
    actor: Actor,
    given: { customerId: string; instalmentId?: string | undefined; text: string },
  ): Promise<Moved>;
  /** @throws KistError as `disputes.ts` says */
  escalateDispute(tx: Tx, actor: Actor, given: { disputeId: string; text: string }): Promise<Moved>;
  /** @throws KistError as `disputes.ts` says */
  closeDispute(
    tx: Tx,
    actor: Actor,
    given: { disputeId: string; outcome: string; isUpheld?: boolean | undefined },
  ): Promise<Moved>;
  /** @throws KistError as `disputes.ts` says */
  decideDispute(tx: Tx, actor: Actor, given: { disputeId: string; holds: boolean; reason: string }): Promise<Moved>;
  /** @throws KistError as `link-disputes.ts` says */
  openByLink(tx: Tx, said: SaidByLink & { instalmentNo: number }): Promise<Moved>;
  /** @throws KistError as `link-disputes.ts` says */
  escalateByLink(tx: Tx, said: SaidByLink & { disputeId: string }): Promise<Moved>;
  /** @throws KistError as `screen-templates.ts` says */
  endTemplate(tx: Tx, actor: Actor, given: { name: string }): Promise<{ name: string; phones: number }>;
  /** Rests the ladder to the end of a day. @throws KistError as `holds.ts` says */
  hold(tx: Tx, actor: Actor, given: Grant): Promise<{ hold_id: string }>;
  /** @throws KistError as `holds.ts` says */
  liftHold(tx: Tx, actor: Actor, given: { holdId: string; note: string }): Promise<{ hold_id: string }>;
}

export function createLocking(deps: LockingDeps): Locking {
  const previewKey = deps.previewKey ?? randomBytes(32);
  return {
    requestLock: (tx, actor, customerId, order) => requestLock(tx, deps, actor, customerId, order),
    decideOverride: (tx, actor, given) => decideOverride(tx, deps, actor, given),
    requestUnlock: (tx, actor, customerId, order) => requestUnlock(tx, deps, actor, customerId, order),
    requestSwitch: (tx, actor, order) => requestSwitch(tx, deps, actor, order),
    previewLock,
    previewSwitch,
    bulk: (tx, actor, { customer_ids: customerIds, dry_run: dryRun, ...order }) =>
      bulk(tx, { ...deps, previewKey }, actor, { ...order, customerIds, dryRun }),
    decideBulk: (tx, actor, given) => decideBulk(tx, deps, actor, given),
    carryPart: (db, batch) => carryPart(db, deps, batch),
    reportLost: (tx, actor, given) => reportLost(tx, deps, actor, given),
    reportTheft: (tx, actor, given) => reportTheft(tx, deps, actor, given),
    liftTheft: (tx, actor, given) => liftTheft(tx, deps, actor, given),
    letGoOfCancelled: (tx, actor, given) => letGoOfCancelled(tx, deps, actor, given),
    letGoOfExchanged: (tx, actor, given) => letGoOfExchanged(tx, deps, actor, given),
    unclaim: (tx, actor, given) => unclaim(tx, deps, actor, given),
    withdrawLost: (tx, actor, given) => withdrawLost(tx, deps, actor, given),
    duesChanged: (tx, actor, agreement, cause) => duesChanged(tx, deps, actor, agreement, cause),
    paymentClaimed: (tx, actor, agreement, claim) => paymentClaimed(tx, deps, actor, agreement, claim),
    noticesDelivered: async (tx, agreementIds) => factsChanged(tx, deps, await devicesOfAgreements(tx, agreementIds)),
    consented: async (tx, agreementIds) => factsChanged(tx, deps, await devicesOfAgreements(tx, agreementIds)),
    contactsChanged: (tx, owners) => contactsChanged(tx, deps, owners),
    runLadder: (db, orgId) => runLadder(db, deps, orgId),
    tellOfSilences,
    sendDueNotices: (db, orgId) => sendDueNotices(db, deps, orgId),
    enrolled: (tx, deviceId, replacedLevel) => enrolled(tx, deps, deviceId, replacedLevel),
    reported: (tx, changes) => reported(tx, deps, changes),
    phoneGone: (tx, deviceId) => phoneGone(tx, deps, deviceId),
    vendorAccount: (tx, account) => tellOfAccount(tx, account),
    phoneElsewhere: (tx, deviceId) => phoneElsewhere(tx, deviceId),
    disputeFromPhone: (tx, dispute) => openFromPhone(tx, deps, dispute),
    openDispute: (tx, actor, given) => openDispute(tx, deps, actor, given),
    escalateDispute: (tx, actor, given) => escalateDispute(tx, deps, actor, given),
    closeDispute: (tx, actor, given) => closeDispute(tx, deps, actor, given),
    decideDispute: (tx, actor, given) => decideDispute(tx, deps, actor, given),
    openByLink: (tx, said) => openByLink(tx, deps, said),
    escalateByLink: (tx, said) => escalateByLink(tx, deps, said),
    endTemplate: (tx, actor, given) => endTemplate(tx, deps, actor, given),
    hold: (tx, actor, given) => hold(tx, deps, actor, given),
    liftHold: (tx, actor, given) => liftHold(tx, deps, actor, given),
  };
}

export {
  addHolidays,
  comingSteps,
  decidePolicy,
  invariants,
  lockPolicy,
  lockRules,
  previewPolicy,
  removeHolidays,
} from './governing.ts';
export { replayPolicy } from './past.ts';
export { restsForClaim } from './claims.ts';
export { CLOCK_LEAST, type Clocks, publicClocks } from './clocks.ts';
export { disputesOf, disputesToDecide } from './disputes.ts';
export { forgetWordsAbout, openOfLocks } from './erasure-store.ts';
export { holdsOfCustomer } from './holds.ts';
export {
  curesKept,
  holdsKept,
  locksKept,
  phoneClaimsKept,
  reportsKept,
  takingsKept,
  verdictsKept,
} from './kept-store.ts';
export { lockTimeline } from './lock-timeline.ts';
export { overrideOf } from './override-asks.ts';
export { lostReports } from './protection.ts';
export { sendTheftCode } from './theft.ts';
export { phoneClaimOf, refusePhoneClaim } from './phone-claims.ts';
export { compensations, payCompensation } from './payouts.ts';
export { policyFor, policyInForce } from './policies.ts';
export { forgetVerdicts } from './retention-store.ts';
export { ringAsker, ringSecond } from './second-bell.ts';
export { letGoOfExchanged, previewLetGo } from './unclaim.ts';
export { whatWaits } from './waiting.ts';
export { lockedFor, type OwedForLock, owedForLocks } from './wrongful.ts';
