import { useTranslation } from 'react-i18next';
import type { EmiPreview as Figures } from '@kist/contract/emi-terms';
import { errorText } from '#web/api/error-text.ts';
import { awayBy, isNetworkError } from '#web/api/errors.ts';
import { formatDate, formatMoney, formatRate } from '#web/i18n/formats.ts';
import { keptHere } from '#web/state/kept-here.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts, LedgerCard } from '#web/ui/card.tsx';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Money } from '#web/widgets/money.tsx';
import { frequencyOf, type Values } from './fields.ts';
import { FirstPeriod } from './first-period.tsx';
import type { Preview } from './use-preview.ts';

/** What the terms come to: the EMI big, then all that it costs, then every instalment. */
export function EmiPreview({ preview, form }: { preview: Preview; form: { values: Values } }) {
  const { t } = useTranslation();
  const { data, error, isOpen, isStale, retry } = preview;
  return (
    <LedgerCard aria-label={t('add.preview')} className="grid gap-3">
      {isOpen ? (
        <p className="py-6 text-center text-ink-2">{t('add.preview_open')}</p>
      ) : error ? (
        <Problem
          text={
            isNetworkError(error) && awayBy(error) === 'network'
              ? `${t('add.preview_offline')} ${t(keptHere('add.form_safe'))}`
              : errorText(error, t)
          }
          onRetry={retry}
        />
      ) : data ? (
        <div aria-busy={isStale} className={cx('grid gap-3 transition-opacity', isStale && 'opacity-50')}>
          <Cost figures={data} values={form.values} />
        </div>
      ) : (
        <div role="status" className="grid gap-2">
          <span className="sr-only">{t('states.loading')}</span>
          <Skeleton className="h-12 w-1/2" />
          <Skeleton className="h-28" />
        </div>
      )}
    </LedgerCard>
  );
}

function Problem({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="grid justify-items-center gap-3 py-3 text-center">
      <Icon name="offline" size={28} className="text-due" />
      <p role="status" className="text-ink-2">
        {text}
      </p>
      <Button tone="plain" icon="refresh" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </div>
  );
}

function Cost({ figures, values }: { figures: Figures; values: Values }) {
  const { t } = useTranslation();
  const rows = figures.instalments;
  const downPaise = Number(values['emi.down_payment']);
  const frequency = t(`emi.frequency_${frequencyOf(values)}`);
  return (
    <>
      <p className="grid gap-0.5">
        <span className="text-sm text-ink-2">
          {t('emi.emi_times', { count: rows.length })} · {frequency}
        </span>
        <Money paise={figures.emi} />
      </p>
      <Facts
        items={[
          { label: t('add.first_due'), value: formatDate(rows[0]?.due_on) },
          { label: t('emi.financed'), value: formatMoney(figures.financed) },
          { label: t('emi.interest'), value: formatMoney(figures.total_interest) },
          ...(figures.fee > 0 ? [{ label: t('emi.fee'), value: formatMoney(figures.fee) }] : []),
          { label: t('add.total_cost'), value: formatMoney(figures.total_payable + downPaise) },
          { label: t('emi.apr'), value: formatRate(figures.apr_bps) },
        ]}
      />
      <FirstPeriod figures={figures} values={values} />
      <details className="group">
        <summary className="-mx-2 flex min-h-12 items-center justify-between rounded-md px-2 font-semibold text-accent-text">
          {t('emi.schedule')}
          <Icon name="down" size={18} className="transition-transform group-open:rotate-180" />
        </summary>
        <Schedule rows={rows} />
      </details>
    </>
  );
}

const Schedule = ({ rows }: { rows: Figures['instalments'] }) => {
  const { t } = useTranslation();
  return (
    <ol className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row.no} className="flex items-baseline gap-3 py-2">
          <span className="w-7 text-sm text-ink-2">{row.no}</span>
          <span className="min-w-0 flex-1">
            {formatDate(row.due_on)}
            <span className="block text-xs text-ink-2">
              {t(row.fee > 0 ? 'emi.parts_fee' : 'emi.parts', {
                principal: formatMoney(row.principal),
                interest: formatMoney(row.interest),
                fee: formatMoney(row.fee),
              })}
            </span>
          </span>
          <span className="font-semibold">{formatMoney(row.total)}</span>
        </li>
      ))}
    </ol>
  );
};
