import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { formatMoney } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { ProgressBar } from '#web/ui/bars.tsx';
import { LedgerCard } from '#web/ui/card.tsx';
import { Link } from '#web/ui/link.tsx';
import { Money } from '#web/widgets/money.tsx';

/** The page of the ledger that is open today. */
export function ToCollect({ today }: { today: Dashboard['today'] }) {
  const { t } = useTranslation();
  const share =
    today.due_paise > 0 ? (today.due_paise - today.left_paise) / today.due_paise : today.collected_paise > 0 ? 1 : 0;
  const collected = t('dashboard.collected', { amount: formatMoney(today.collected_paise) });
  const left = t('dashboard.left', { amount: formatMoney(today.left_paise) });
  return (
    <LedgerCard>
      <Link to={paths.upcomingEmi('today')} className="grid gap-0.5">
        <span className="text-sm text-ink-2">{t('dashboard.to_collect', { count: today.customers })}</span>
        <Money paise={today.due_paise} />
        <ProgressBar share={share} label={`${collected}, ${left}`} className="mt-2.5" />
        <span className="mt-1 flex flex-wrap justify-between gap-x-3 text-sm text-ink-2">
          <span>{collected}</span>
          <span>{left}</span>
        </span>
      </Link>
    </LedgerCard>
  );
}
