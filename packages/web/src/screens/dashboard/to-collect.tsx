import { useTranslation } from 'react-i18next';
import type { Dashboard } from '@kist/contract/reports';
import { formatMoney } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { ProgressBar } from '#web/ui/bars.tsx';
import { LedgerCard } from '#web/ui/card.tsx';
import { Link } from '#web/ui/link.tsx';
import { Money } from '#web/widgets/money.tsx';

/**
 * The page of the ledger that is open today. Large stands what today's EMIs still owe, which is what a press opens; that and what came in for them make
 * what they owed this morning. What came in for old dues beside is told apart: it makes none of today's less.
 */
export function ToCollect({ today }: { today: Dashboard['today'] }) {
  const { t } = useTranslation();
  const received = today.due_paise - today.left_paise;
  const share = today.due_paise > 0 ? received / today.due_paise : today.collected_paise > 0 ? 1 : 0;
  const ofThem = t('dashboard.received', { amount: formatMoney(received) });
  const inAll = t('dashboard.collected', { amount: formatMoney(today.collected_paise) });
  return (
    <LedgerCard>
      <Link to={paths.upcomingEmi('today')} className="grid gap-0.5">
        <span className="text-sm text-ink-2">{t('dashboard.to_collect', { count: today.customers })}</span>
        <span className="flex flex-wrap items-baseline gap-x-3">
          <Money paise={today.left_paise} />
          {today.due_paise > 0 && (
            <span className="text-sm text-ink-2">
              {t('dashboard.of_morning', { amount: formatMoney(today.due_paise) })}
            </span>
          )}
        </span>
      </Link>
      <ProgressBar share={share} label={today.due_paise > 0 ? ofThem : inAll} className="mt-2.5" />
      {/* As tall as a thumb; what it is taller than its words lies in the card's own edge. */}
      {(today.due_paise > 0 || today.collected_paise > 0) && (
        <Link
          to={paths.collections()}
          className="-mb-2 flex min-h-12 flex-wrap items-center justify-between gap-x-3 text-sm text-ink-2"
        >
          {today.due_paise > 0 && <span>{ofThem}</span>}
          {today.collected_paise !== received && <span>{inAll}</span>}
        </Link>
      )}
    </LedgerCard>
  );
}
