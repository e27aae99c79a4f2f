import { useTranslation } from 'react-i18next';
import { formatMoneyShort } from '#web/i18n/formats.ts';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';
import { BUCKETS, type Bucket } from './buckets.ts';

/** Four stretches of days side by side, each with how many customers and how much; one is open. */
export function BucketRow(props: {
  counts: readonly { bucket: string; customers: number; paise: number }[];
  at: Bucket;
  onChange: (bucket: Bucket) => void;
}) {
  const { counts, at, onChange } = props;
  const { t } = useTranslation();
  return (
    <div
      role="group"
      aria-label={t('shell.emis')}
      className="grid grid-cols-[repeat(auto-fit,minmax(4.75rem,1fr))] gap-1.5 max-[340px]:grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))]"
    >
      {BUCKETS.map((bucket) => {
        const count = counts.find((one) => one.bucket === bucket);
        const isOn = bucket === at;
        return (
          <button
            key={bucket}
            type="button"
            aria-pressed={isOn}
            onClick={() => onChange(bucket)}
            className={cx(
              'grid min-h-16 content-center justify-items-start gap-0.5 rounded-lg border px-2 py-1.5 text-left',
              isOn ? 'border-ink bg-ink text-bg' : 'border-line bg-card active:bg-raise',
            )}
          >
            <span className={cx('text-xs leading-tight', !isOn && 'text-ink-2')}>{t(`dues.${bucket}`)}</span>
            <b className={cx('tracking-tight', !isOn && bucket === 'overdue' && count?.paise ? 'text-over' : '')}>
              {count ? formatMoneyShort(count.paise) : '–'}
            </b>
            <span
              aria-label={count && t('dashboard.customers', { count: count.customers })}
              className={cx('flex items-center gap-1 text-xs', !isOn && 'text-ink-2')}
            >
              <Icon name="people" size={13} />
              {count?.customers}
            </span>
          </button>
        );
      })}
    </div>
  );
}
