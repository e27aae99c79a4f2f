import type { LockReason } from '@kist/contract/lock-policy';
import * as commands from '#server/commands/commands.ts';
import { mayAsk } from '#server/commands/offered.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { mapInSlices } from '#server/platform/slices.ts';
import { type Decision, applyDecisions, recordRefusals } from './apply.ts';
import { type Judged, judge, manualLevel } from './decide.ts';
import type { LockingDeps } from './deps.ts';
import { type Phone, causeOf, lookAtPhones, seizePhones } from './facts.ts';
import { assertNotTheft } from './policy.ts';
import { releasePaid } from './release.ts';
import { phonesOfCustomers } from './store.ts';
import { lockNotices } from './tell.ts';
import { beginUnlock, unlocked } from './unlocking.ts';

interface Order {
  command: 'lock' | 'unlock';
  reason: LockReason;
}

/** Some phones of an order to many, to be carried out in this transaction. */
export interface PartOrder extends Order {
  batchId: string;
  customerIds: readonly string[];
  /** A part of an order of before: what somebody has freed since stays free. */
  askedAt?: Date;
  /** Throws when so many locks are too many: nothing of them is carried out then. */
  mayAllow(wanted: number): void;
}

interface Decided {
  decisions: Decision[];
  refused: { phone: Phone; rule: string }[];
  /** Those of the refused that the gate refused. */
  byGate: (Judged & { phone: Phone; reason: LockReason })[];
}

/**
 * Takes the phones of those of these customers that this person may order. What was waited for may have been a transfer, so whose they are is looked at again.
 * @returns `missing`: who has none of them
 */
async function seizeTheirs(
  tx: Tx,
  actor: Actor,
  customerIds: readonly string[],
): Promise<{ deviceIds: string[]; missing: string[] }> {
  const asked = await phonesOfCustomers(tx, customerIds, ownersOf(actor));
  const seized = await seizePhones(tx, [...new Set(asked.values())]);
  const phonesOf = await phonesOfCustomers(tx, customerIds, ownersOf(actor));
  const theirs = new Set(phonesOf.values());
  const taken = new Set(seized);
  return {
    deviceIds: seized.filter((id) => theirs.has(id)),
    missing: customerIds.filter((id) => !taken.has(phonesOf.get(id) ?? '')),
  };
}

/**
 * Takes the phones, judges each by the facts of now and carries out what stands: verdicts, locks, desired states, orders, audit, notices. A payment or an
 * unlock that came before is seen, one that comes meanwhile waits for the end of this transaction and sees what it did.
 */
export async function carryOut(
  tx: Tx,
  deps: LockingDeps,
  actor: Actor,
  { command, reason, customerIds, batchId, askedAt, mayAllow }: PartOrder,
): Promise<commands.PartResult> {
  const { deviceIds, missing } = await seizeTheirs(tx, actor, customerIds);
  if (command === 'unlock') {
    assertNotTheft(reason);
    await beginUnlock(tx, deviceIds, reason, actor);
  }
  const freed = askedAt && command === 'lock' ? await commands.freedSince(tx, deviceIds, askedAt) : new Set<string>();
  const phones = await lookAtPhones(tx, deviceIds);
  const { decisions, refused, byGate } = await decide(phones, { actor, command, reason, freed });
  mayAllow(decisions.length);
  const how = { actor, command, batchId };
  await recordRefusals(tx, byGate, how);
  const applied = await applyDecisions(tx, deps.waker, decisions, how);
  await deps.notices.send(tx, lockNotices(decisions.map(({ phone }, index) => ({ phone, applied: applied[index]! }))));
  await releasePaid(tx, deps, actor, decisions);
  return {
    allowed: decisions.length,
    refused: missing.length + refused.length,
    refusals: [
      ...missing.map((id) => ({ customer_id: id, rule: 'NOT_ENROLLED' })),
      ...refused.map(({ phone, rule }) => ({ customer_id: phone.row.customerId ?? '', rule })),
    ],
  };
}

/** Whose customers' phones this person may order; null: everybody's. */
export const ownersOf = (actor: Actor): readonly string[] | null =>
  actor.userType === 'system' ? null : actor.visibleOwnerIds;

/** What becomes of each of these phones. @param freed phones that are not locked any more, whatever the gate would say */
export async function decide(
  phones: readonly Phone[],
  { actor, command, reason, freed = new Set() }: Order & { actor: Actor; freed?: ReadonlySet<string> },
): Promise<Decided> {
  const inUse = phones.filter(isInUse);
  const unused = phones.filter((phone) => !isInUse(phone)).map((phone) => ({ phone, rule: 'NOT_ENROLLED' }));
  if (command === 'unlock') {
    assertNotTheft(reason);
    return {
      decisions: await mapInSlices(inUse, (phone) => unlocked(phone, reason), 'ahead'),
      refused: unused,
      byGate: [],
    };
  }
  const rest = inUse.filter(({ row }) => !freed.has(row.deviceId));
  const offered = rest.filter((phone) => mayAsk(actor, 'lock', phone.place));
  const isOffered = new Set(offered);
  const judged = await mapInSlices(
    offered,
    (phone) => {
      const level = manualLevel(phone, reason);
      return { phone, reason, ...judge(phone, { reason, level, trigger: 'manual' }) };
    },
    'ahead',
  );
  const byGate = judged.filter(({ verdict }) => !verdict.allowed);
  return {
    decisions: judged
      .filter(({ verdict }) => verdict.allowed)
      .map(({ phone, verdict, facts }) => ({
        phone,
        changes: [{ cause: causeOf(reason), reason, level: verdict.requested_level, verdict, facts }],
      })),
    refused: [
      ...unused,
      ...inUse.filter(({ row }) => freed.has(row.deviceId)).map((phone) => ({ phone, rule: 'FREED_MEANWHILE' })),
      ...rest.filter((phone) => !isOffered.has(phone)).map((phone) => ({ phone, rule: 'FEATURE_NOT_OFFERED' })),
      ...byGate.map(({ phone, verdict }) => ({ phone, rule: verdict.rule })),
    ],
    byGate,
  };
}

const isInUse = ({ row }: Phone): boolean => row.enrolledAt !== null && row.releasedAt === null;
