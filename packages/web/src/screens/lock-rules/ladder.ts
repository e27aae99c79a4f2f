import type { TFunction } from 'i18next';
import type { LockPolicy } from '@kist/contract/lock-policy';

/** One thing that happens to an EMI that is not paid: when, what, and what it waits for. */
export interface LadderRow {
  day: string;
  what: string;
  detail?: string | undefined;
}

const dayText = (day: number, t: TFunction): string => {
  if (day === 0) return t('lock_rules.on_day');
  return day < 0 ? t('lock_rules.before', { count: -day }) : t('lock_rules.late', { count: day });
};

/** A policy as a person reads it: day by day, reminders, notices and what is taken. */
export function ladderOf({ reminderOffsetDays, notices, steps }: LockPolicy, t: TFunction): LadderRow[] {
  const after = (no: number | undefined) => (no === undefined ? undefined : t('lock_rules.after', { no }));
  const rows: (LadderRow & { on: number })[] = [
    ...reminderOffsetDays.map((on) => ({ on, day: dayText(on, t), what: t('lock_rules.reminder') })),
    ...notices.map(({ no, fromDpd, minDaysToPay, afterNotice }) => ({
      on: fromDpd,
      day: dayText(fromDpd, t),
      what: t('lock_rules.notice', { no }),
      detail: [after(afterNotice), t('lock_rules.pay', { count: minDaysToPay })].filter(Boolean).join(' · '),
    })),
    ...steps.map(({ level, fromDpd, needsNotices }) => ({
      on: fromDpd,
      day: dayText(fromDpd, t),
      what: t(`lock.level_${level}`),
      detail: after(needsNotices.at(-1)),
    })),
  ];
  // Of one day in the order above: a notice comes before what it warns of.
  return rows.toSorted((a, b) => a.on - b.on);
}
