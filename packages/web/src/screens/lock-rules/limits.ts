import type { TFunction } from 'i18next';
import { needsConsentCode } from '@kist/contract/consent-code';
import { LIMITS } from '@kist/contract/limits';
import { TOO_LITTLE } from '@kist/contract/lock-bounds';
import type { LockPolicy } from '@kist/contract/lock-policy';
import { formatInr } from '@kist/contract/money-text';
import { hourText } from '#web/widgets/rule-text.ts';

const percent = (bps: number): string => String(bps / 100);

/** What keeps a lock from coming, and what is owed when an unlock is late. */
export function limitsOf(policy: LockPolicy, t: TFunction): { label: string; value: string }[] {
  const { fromHour, toHour } = policy.automaticHours;
  const { paise, bpsOfEmi } = policy.tooLittle ?? TOO_LITTLE;
  const say = (name: string, value: string) => ({ label: t(`lock_rules.${name}`), value });
  return [
    say('hours', t('lock_rules.hours_value', { from: hourText(fromHour, t), to: hourText(toHour, t) })),
    say('dwell', t('lock_rules.dwell_value', { count: policy.minDwellDays })),
    say('little', t('lock_rules.little_value', { paise: formatInr(paise), percent: percent(bpsOfEmi) })),
    say('consent', t(needsConsentCode(policy) ? 'lock_rules.consent_code' : 'lock_rules.consent_signature')),
    say('override', t(policy.overrideAllowed ? 'lock_rules.override_yes' : 'lock_rules.override_no')),
    say('cap', t('lock_rules.cap_value', { percent: percent(policy.penalCapBps) })),
    say('cure', t('lock_rules.cure_value', { count: policy.cureWithinMinutes })),
    say('owed', formatInr(policy.compensationPaisePerHour)),
    say('silent', t('lock_rules.dwell_value', { count: policy.silentAfterDays ?? LIMITS.silentAfterDays })),
  ];
}
