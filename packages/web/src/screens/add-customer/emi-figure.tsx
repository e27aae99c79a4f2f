import { useTranslation } from 'react-i18next';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/widgets/money.tsx';
import type { Preview } from './use-preview.ts';

/** The EMI beside the button, as the preview has it, read aloud when it changes: on a phone the card lies below the fold while the terms are typed. */
export function EmiFigure({ preview }: { preview: Preview }) {
  const { t } = useTranslation();
  const { data, error, isStale } = preview;
  if (!data || error) return null;
  return (
    <p role="status" className={cx('grid content-center md:sr-only', isStale && 'opacity-50')}>
      <span className="text-xs text-ink-2">{t('emi.emi_times', { count: data.instalments.length })}</span>
      <Money paise={data.emi} size="md" />
    </p>
  );
}
