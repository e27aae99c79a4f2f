import { MONEY_CAUSES, OWNERS_CAUSES } from '@kist/contract/agent';
import type { LockTimeline } from '@kist/contract/customers';
import { LOCK_LEVELS, type LockLevel } from '@kist/contract/lock-policy';
import type { Tx } from '#server/platform/database.ts';
import { GRANTED_HOLDS } from '@kist/contract/hold-kinds';
import { judge } from './decide.ts';
import { type Phone, isHeldBy, levelOf, lookAtPhones } from './facts.ts';
import { activeHolds } from './hold-store.ts';
import { isOrganisations } from './holds.ts';
import { paidOut } from './payout-store.ts';
import { compensation } from './rules/compensation.ts';
import { phoneOfAgreement, readCures, readEvents } from './lock-timeline-store.ts';

/** Why a phone is (or is not) held, and what comes next. Null when there is no such agreement. Writes nothing. */
export async function lockTimeline(tx: Tx, agreementId: string): Promise<LockTimeline | null> {
  const found = await phoneOfAgreement.first(tx, { agreement_id: agreementId });
  const [phone] = found ? await lookAtPhones(tx, [found.device_id]) : [];
  if (!phone) return null;
  const events = await readEvents(tx, agreementId);
  const of = { agreement_id: agreementId };
  const cures = await readCures.all(tx, of);
  const [cure] = cures;
  const { paid_paise } = await paidOut.one(tx, of);
  // Of an agreement that is over no time runs.
  const holds = phone.row.state === 'active' ? await activeHolds.all(tx, of) : [];
  const daysPastDue = judge(phone, { reason: 'EMI_OVERDUE', level: 0, trigger: 'automatic' }).verdict.days_past_due;
  return {
    level: phone.row.desiredLevel,
    policy: phone.policy.preset,
    days_past_due: daysPastDue,
    events: events.map(({ at, kind, params }) => ({ at: at.toISOString(), kind, params })),
    next: nextStep(phone),
    pay_to_open_paise: opensByPaying(phone) ? phone.row.overduePaise : 0,
    is_owners: isOwners(phone),
    holds: holds.flatMap(({ hold_id, kind, until_on, created_by }) => {
      const granted = GRANTED_HOLDS.find((one) => one === kind);
      return granted ? [{ hold_id, kind: granted, until_on, is_organisations: isOrganisations({ created_by }) }] : [];
    }),
    cure: cure
      ? {
          cured_at: cure.cured_at.toISOString(),
          confirmed_at: cure.confirmed_at?.toISOString() ?? null,
          held_since: cure.held_since?.toISOString() ?? null,
          compensation_paise: owed(phone, cure),
        }
      : null,
    owed_paise: Math.max(0, cures.reduce((sum, one) => sum + owed(phone, one), 0) - paid_paise),
  };
}

const isOwners = ({ row }: Phone): boolean => OWNERS_CAUSES.some((cause) => isHeldBy(row, cause));
/** Whether nothing but money holds it: the word of its owner, and a test, end in their own ways. */
const opensByPaying = (phone: Phone): boolean =>
  !isOwners(phone) &&
  (phone.row.locks ?? []).every(({ level, cause }) => level === 0 || MONEY_CAUSES.some((money) => money === cause));

/**
 * The ladder's next level, the first moment it could be taken if nothing is paid, and the rule it waits for. Null at the top, where nothing is due, and
 * where the phone is held at that level already for another cause.
 */
function nextStep(phone: Phone): LockTimeline['next'] {
  const { row } = phone;
  const held = levelOf(row, 'debt');
  if (row.state !== 'active' || row.releasedAt || row.oldestDueOn === null || held === LOCK_LEVELS.kiosk) return null;
  const level = (held + 1) as LockLevel;
  const { verdict } = judge(phone, { reason: 'EMI_OVERDUE', level, trigger: 'automatic' });
  const next = verdict.allowed
    ? { level, at: verdict.decided_at, rule: verdict.rule }
    : { level: verdict.next?.level ?? level, at: verdict.next?.at ?? null, rule: verdict.rule };
  return next.level > row.desiredLevel ? next : null;
}

const owed = (
  { policy, nowMs }: Phone,
  cure: { cured_at: Date; confirmed_at: Date | null; held_since: Date | null },
): number =>
  compensation(
    {
      kind: cure.held_since ? 'wrongful' : 'late_reversal',
      fromMs: (cure.held_since ?? cure.cured_at).getTime(),
      confirmedAtMs: cure.confirmed_at?.getTime() ?? null,
    },
    policy,
    nowMs,
  ).owedPaise;
