import { useTranslation } from 'react-i18next';
import type { EditPreview } from '@kist/contract/revising';
import { formatDate, formatMoney, formatRate } from '#web/i18n/formats.ts';
import { LedgerCard } from '#web/ui/card.tsx';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';

/** How the schedule stands and how it would, side by side; then every EMI as it would be. */
export function Compared({ said, isStale }: { said: EditPreview; isStale: boolean }) {
  const { t } = useTranslation();
  const { before, after } = said;
  const more = after.total_payable_paise - before.total_payable_paise;
  return (
    <LedgerCard
      aria-label={t('emi_edit.after')}
      aria-busy={isStale}
      className={cx('grid gap-3 transition-opacity', isStale && 'opacity-50')}
    >
      <Figures said={said} />
      <p role="status" className={cx('font-semibold', more > 0 && 'text-over')}>
        {t(more > 0 ? 'emi_edit.more' : more < 0 ? 'emi_edit.less' : 'emi_edit.same', {
          amount: formatMoney(Math.abs(more)),
        })}
      </p>
      <details className="group">
        <summary className="-mx-2 flex min-h-12 items-center justify-between rounded-md px-2 font-semibold text-accent-text">
          {t('emi.schedule')}
          <Icon name="down" size={18} className="transition-transform group-open:rotate-180" />
        </summary>
        <After said={said} />
      </details>
    </LedgerCard>
  );
}

function Figures({ said: { before, after } }: { said: EditPreview }) {
  const { t } = useTranslation();
  const rows: [string, string, string][] = [
    [t('emi.one_emi'), formatMoney(before.emi_paise), formatMoney(after.emi_paise)],
    [t('add.tenure'), String(before.tenure), String(after.tenure)],
    [t('emi_edit.last_on'), formatDate(before.last_due_on), formatDate(after.last_due_on)],
    [t('emi.interest'), formatMoney(before.total_interest_paise), formatMoney(after.total_interest_paise)],
    [t('emi.total_cost'), formatMoney(before.total_payable_paise), formatMoney(after.total_payable_paise)],
    [t('emi.apr'), formatRate(before.apr_bps), formatRate(after.apr_bps)],
  ];
  return (
    // With text twice as large it is wider than a phone, and moves by itself.
    <div className="-mx-2 overflow-x-auto px-2">
      <table className="w-full text-sm">
        <thead>
          <tr className="text-ink-2">
            <th scope="col" className="sr-only">
              {t('emi.schedule')}
            </th>
            <th scope="col" className="py-1 pl-2 text-right font-normal">
              {t('emi_edit.now')}
            </th>
            <th scope="col" className="py-1 pl-2 text-right font-normal">
              {t('emi_edit.after')}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(([label, now, then]) => (
            <tr key={label}>
              <th scope="row" className="py-2 text-left font-normal text-ink-2">
                {label}
              </th>
              <td className="py-2 pl-2 text-right">{now}</td>
              <td className={cx('py-2 pl-2 text-right', now !== then && 'font-semibold')}>{then}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Those that stay say so: nothing of the past changes. */
function After({ said: { after, made } }: { said: EditPreview }) {
  const { t } = useTranslation();
  const kept = after.instalments.length - made;
  return (
    <ol className="divide-y divide-line">
      {after.instalments.map((row, index) => (
        <li key={`${row.due_on} ${index}`} className="flex items-baseline gap-3 py-2">
          <span className="w-7 text-sm text-ink-2">{index + 1}</span>
          <span className="min-w-0 flex-1">
            {formatDate(row.due_on)}
            {index < kept && <span className="block text-xs text-ink-2">{t('emi_edit.kept')}</span>}
          </span>
          <span className="font-semibold">{formatMoney(row.total_paise)}</span>
        </li>
      ))}
    </ol>
  );
}
