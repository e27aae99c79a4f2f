import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { EmiDetails } from '@kist/contract/emi';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { LedgerCard } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { InstalmentBar } from '#web/widgets/instalment-bar.tsx';
import { Money } from '#web/widgets/money.tsx';

const titleOf = ({ agreement }: EmiDetails, t: TFunction): string => {
  if (agreement.state === 'completed') return t('emi.all_paid');
  if (agreement.overdue_paise > 0) return t('mine.to_pay');
  return t('emi.next_on', { date: formatDate(agreement.next_due_on) });
};

/** What is owed, of which EMIs, since when; late fees apart, for they lock nothing. */
export function Owed({ details }: { details: EmiDetails }) {
  const { t } = useTranslation();
  const { agreement, instalments } = details;
  const overdue = instalments.filter(({ state }) => state === 'overdue');
  const next = instalments.find(({ left_paise }) => left_paise > 0);
  return (
    <LedgerCard className="grid gap-1">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="text-sm text-ink-2">{titleOf(details, t)}</h2>
        {overdue.length > 0 && (
          <Chip tone="over" icon="clock">
            {t('customers.late', { count: agreement.days_past_due })}
          </Chip>
        )}
      </div>
      <Money paise={overdue.length > 0 ? agreement.overdue_paise : (next?.left_paise ?? 0)} />
      {overdue.length > 0 && (
        <dl className="grid gap-1 py-1">
          {overdue.map(({ no, place, due_on, left_paise }) => (
            <div key={no} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <dt className="text-sm text-ink-2">
                {t('emi.part_no', { no: place })} · {t('emi.overdue_since', { date: formatDate(due_on) })}
              </dt>
              <dd className="ml-auto font-medium">{formatMoney(left_paise)}</dd>
            </div>
          ))}
        </dl>
      )}
      {agreement.penal_left_paise > 0 && (
        <p className="text-sm text-ink-2">
          {t('emi.penal_left', { amount: formatMoney(agreement.penal_left_paise) })} · {t('mine.fee_locks_nothing')}
        </p>
      )}
      <div className="mt-2 grid gap-1.5">
        <InstalmentBar segments={instalments.map(({ state }) => state)} />
        <span className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-2">
          <span>{t('customers.paid_of', { paid: agreement.paid_count, total: agreement.tenure })}</span>
          <span>{t('emi.left', { amount: formatMoney(agreement.outstanding_paise) })}</span>
        </span>
      </div>
    </LedgerCard>
  );
}
