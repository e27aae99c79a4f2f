import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import type { Agreement } from '#server/agreements/agreements.ts';
import { setDesiredMany } from '#server/devices/desired.ts';
import { type Actor, SYSTEM } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type Applied, applyDecisions } from './apply.ts';
import { changeTo, noLongerStanding, freed, isPaidUp, mayBeHeld } from './decide.ts';
import { phoneClaimWaitsAgain } from './claims-again.ts';
import { phonesOfOtherContact } from './contacts-store.ts';
import type { LockingDeps } from './deps.ts';
import { type Phone, causeOf, heldBy, isHeldBy, levelOf, takePhones } from './facts.ts';
import { leaseTerms } from './lease-terms.ts';
import { releaseIfPaid } from './release.ts';
import { lockScreen } from './screen.ts';
import { insertCure } from './store.ts';
import { lockNotices } from './tell.ts';
import { wallpaperChange } from './switches.ts';
import { isLockedForMoney, lockedAfterPaying, takenBack } from './wrongful.ts';

export interface Unlocked {
  command_id: string | null;
  state: string;
  revision: number;
}

/** What changed the dues: a payment with its own moment and sum, one that was taken back, or new terms. */
interface PaidBy {
  paymentId: string | null;
  isReversal?: true;
  /** All of it is owed back, so the dues are as they were: it only tells of the locks that there were. */
  goesBack?: boolean;
  paid?: { at: Date; paise: number };
}

/**
 * What changed dues mean for the phone, in the payment's own transaction: it commits with the payment or not at all. Cleared dues free the phone at
 * once; dues that are less may lower its level, and any payment ends a test; nothing here ever raises a level, not after a reversal either: that is for
 * the daily ladder and the gate.
 * The lease is always a new one, since it stands on the dues.
 * @param agreement as it is after the posting, its row taken by this transaction
 * @returns the unlock that went out; null when there was nothing to take off
 */
export async function duesChanged(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  agreement: Agreement,
  cause: PaidBy,
): Promise<Unlocked | null> {
  const { agreement_id, device_id } = agreement;
  const { paymentId: payment_id, paid } = cause;
  const takenBackId = cause.isReversal ? payment_id : null;
  if (takenBackId && !cause.goesBack) await phoneClaimWaitsAgain(tx, actor, agreement, takenBackId);
  const phone = cause.goesBack ? undefined : (await takePhones(tx, [device_id]))[0];
  if (takenBackId) await takenBack(tx, actor, { agreement_id, payment_id: takenBackId });
  if (!phone || phone.row.releasedAt || phone.row.agreementId !== agreement_id) {
    // A lock that is long over was wrong all the same, and is owed for.
    const lock = { agreement_id, device_id, wasLocked: false };
    if (payment_id && paid) await lockedAfterPaying(tx, actor, lock, { payment_id, ...paid });
    return null;
  }
  answerClaim(phone, cause);
  const applied = await lowered(tx, deps, actor, phone);
  if (!applied) await refresh(tx, deps, actor, [phone]);
  if (applied && endsLock(phone, applied)) {
    await insertCure.run(tx, { cure_id: newId(), agreement_id, device_id, payment_id });
  }
  // Money of this very moment came before no lock.
  if (payment_id && paid && paid.at.getTime() < phone.nowMs) {
    const lock = { agreement_id, device_id, wasLocked: isLockedForMoney(phone) };
    await lockedAfterPaying(tx, actor, lock, { payment_id, ...paid });
  }
  const isCompleted = agreement.state === 'completed';
  const releasedRevision = isCompleted ? await releaseIfPaid(tx, deps, actor, device_id) : null;
  if (applied) {
    const template = releasedRevision === null ? {} : { template: 'released' as const };
    await deps.notices.send(tx, lockNotices([{ phone, applied, ...template }]));
  }
  if (!applied?.commandId) return null;
  return { command_id: applied.commandId, state: 'QUEUED', revision: releasedRevision ?? applied.revision };
}

/**
 * Whether a lock for money has no cause any more: all that was overdue came, or so much that what is left is too little, or not late enough, to lock. Of one that
 * is paid up also where it may have locked itself by its lease out of reach, of which we have not heard: its holder waits for the same unlock.
 */
const endsLock = (phone: Phone, { to }: Applied): boolean =>
  isPaidUp(phone) ? phone.row.desiredLevel > 0 || mayBeHeld(phone) : isLockedForMoney(phone) && to < LOCKED_FROM_LEVEL;

/** A payment is the shop's yes to what was said on the phone, and does not stand in the rows yet; that one was taken back does. */
function answerClaim({ row, nowMs }: Phone, cause: PaidBy): void {
  if (cause.paymentId === null || cause.isReversal || !row.phoneClaim) return;
  row.phoneClaim = { answer: { is: 'paid', at: new Date(nowMs).toISOString() } };
}

/** @returns what was taken off; null when the phone is on no level that the facts do not carry. */
async function lowered(tx: Tx, deps: LockingDeps, actor: Actor, phone: Phone): Promise<Applied | null> {
  const isCompleted = phone.row.state === 'completed';
  if (isCompleted || (isPaidUp(phone) && mayBeHeld(phone))) {
    // A new revision also voids what the phone may have taken by its lease and not told us yet.
    const changes = [freed(phone, 'EMI_OVERDUE', 'automatic')];
    for (const reason of ['ORG_OVERRIDE', 'ENROLMENT_TEST'] as const)
      if (isHeldBy(phone.row, causeOf(reason))) changes.push(freed(phone, reason, 'automatic'));
    const [applied] = await applyDecisions(tx, deps.waker, [{ phone, changes }], { actor, command: 'unlock' });
    return applied ?? null;
  }
  const changes = noLongerStanding(phone).filter(({ cause }) => cause !== 'enrolment_test');
  // Who pays is past trying out: the next thing a payment does is open the phone.
  if (isHeldBy(phone.row, 'enrolment_test')) changes.push(freed(phone, 'ENROLMENT_TEST', 'automatic'));
  if (changes.length === 0) return null;
  const [applied] = await applyDecisions(tx, deps.waker, [{ phone, changes }], { actor });
  return applied ?? null;
}

const termsAsHeld = (phone: Phone) => {
  const held = heldBy(phone.row, 'debt');
  return leaseTerms(phone, { level: held?.level ?? 0, sinceMs: held ? Date.parse(held.level_since) : null });
};

/** A new lease on the facts as they are; levels and revisions stay. For phones whose facts were read in this transaction. */
export async function renewLeases(tx: Tx, phones: readonly Phone[]): Promise<void> {
  await setDesiredMany(
    tx,
    phones.map((phone) => ({
      deviceId: phone.row.deviceId,
      lease: termsAsHeld(phone),
      ...wallpaperChange(phone.row, phone.row.restrictions ?? []),
    })),
  );
}

/** Whether the screen of a phone held for money asks for another sum than is due now, or names somebody else, to call or to pay. */
function isScreenOld({ row }: Phone): boolean {
  const { shownCause, shownPaise, shownCount, shownPhone, shownShop, shownUpi } = row;
  if (shownPaise === null || (shownCause !== 'debt' && shownCause !== 'override')) return false;
  const due = lockScreen(row, heldBy(row, shownCause)?.reason ?? 'EMI_OVERDUE');
  const isOtherSum = shownPaise !== due.amount_paise || shownCount !== due.instalments_due;
  const isOtherShop = (shownPhone ?? '') !== due.shop_phone || (shownShop ?? '') !== due.shop;
  return isOtherSum || isOtherShop || shownUpi !== due.upi_uri;
}

/**
 * New leases for phones whose levels stay; one whose lock screen names a sum that is no longer due, or a shop that nobody answers at, gets a new screen with it, at the level it is on and with
 * the gate's word that this level stands.
 */
export async function refresh(
  tx: Tx,
  deps: Pick<LockingDeps, 'waker'>,
  actor: Actor,
  phones: readonly Phone[],
): Promise<void> {
  const decisions = phones.filter(isScreenOld).map((phone) => {
    const reason = phone.row.shownCause === 'override' ? 'ORG_OVERRIDE' : 'EMI_OVERDUE';
    const level = levelOf(phone.row, causeOf(reason));
    return { phone, changes: [changeTo(phone.facts({ reason, level, trigger: 'automatic' }), level)] };
  });
  // A level that does not stand any more is the ladder's to lower, not ours to confirm.
  const standing = decisions.filter(({ changes }) => changes.every(({ verdict }) => verdict.allowed));
  await applyDecisions(tx, deps.waker, standing, { actor });
  const done = new Set(standing.map(({ phone }) => phone));
  const others = phones.filter((phone) => !done.has(phone));
  await renewLeases(tx, others);
  deps.waker.wake(
    tx,
    others.map(({ row }) => row.deviceId),
  );
}

/** Phones whose contact changes along with the shop; the ladder, which looks every few minutes, has the rest. */
const AT_ONCE = 500;

/** Whom the customers of these shops call or pay is somebody else from now on (suspended, let in again, another number, name or UPI address, passed on): their phones say so. */
export async function contactsChanged(
  tx: Tx,
  deps: Pick<LockingDeps, 'waker'>,
  owners: readonly string[],
): Promise<void> {
  const found = await phonesOfOtherContact.all(tx, { owners, limit: AT_ONCE });
  const phones = await takePhones(
    tx,
    found.map(({ device_id }) => device_id),
  );
  if (phones.length > 0) await refresh(tx, deps, SYSTEM(tx.orgId ?? 0), phones);
}

/**
 * The facts behind these phones' leases changed (a notice arrived, a dispute was opened or closed, a hold recorded). Their levels stay; a test that the
 * facts no longer carry ends at once.
 */
export async function factsChanged(
  tx: Tx,
  deps: Pick<LockingDeps, 'waker' | 'notices'>,
  deviceIds: readonly string[],
): Promise<void> {
  const phones = (await takePhones(tx, deviceIds)).filter(({ row }) => row.releasedAt === null);
  const tested = phones.filter(({ row }) => isHeldBy(row, 'enrolment_test'));
  const ended = tested
    .map((phone) => ({ phone, changes: noLongerStanding(phone).filter(({ cause }) => cause === 'enrolment_test') }))
    .filter(({ changes }) => changes.length > 0);
  const applied = await applyDecisions(tx, deps.waker, ended, { actor: SYSTEM(tx.orgId ?? 0) });
  await deps.notices.send(tx, lockNotices(ended.map(({ phone }, index) => ({ phone, applied: applied[index]! }))));
  const done = new Set(ended.map(({ phone }) => phone));
  const others = phones.filter((phone) => !done.has(phone));
  if (others.length === 0) return;
  await renewLeases(tx, others);
  deps.waker.wake(
    tx,
    others.map(({ row }) => row.deviceId),
  );
}
