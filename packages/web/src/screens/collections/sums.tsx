import { useTranslation } from 'react-i18next';
import type { CallReply } from '#web/api/calls.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { Facts, LedgerCard, SectionTitle } from '#web/ui/card.tsx';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { Money } from '#web/widgets/money.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { formatWholeDay } from './days.ts';

type Sums = CallReply<'listCollections'>;

/** In all, by how it came in, and by who took it. */
export function Sums({ of }: { of: Sums }) {
  const { t } = useTranslation();
  const { me } = useAccess();
  // An answer that an older build kept on this phone names no takers.
  const takers = (of as Partial<Sums>).takers ?? [];
  const days = [...new Set([of.from, of.to])].map(formatWholeDay).join(' – ');
  return (
    <>
      <LedgerCard className="grid gap-2">
        <span className="grid gap-0.5">
          <span className="text-sm text-ink-2">{`${days} · ${t('collections.payments', { count: of.total })}`}</span>
          <Money paise={of.paise} />
        </span>
        {of.methods.length > 0 && (
          <Facts
            items={of.methods.map(({ method, payments, paise }) => ({
              label: `${t(`emi.pay_${method}`)} · ${payments}`,
              value: formatMoney(paise),
            }))}
          />
        )}
        <p className="text-sm text-ink-2">{t('collections.about')}</p>
      </LedgerCard>
      {/* Of one who took all of it the card has said everything. */}
      {takers.some(({ user_id: id }) => id !== me?.user_id) && <Takers takers={takers} />}
    </>
  );
}

/** Each with the sum and the cash of it, which lies in that one's till. */
function Takers({ takers }: Pick<Sums, 'takers'>) {
  const { t } = useTranslation();
  return (
    <>
      <SectionTitle>{t('collections.takers')}</SectionTitle>
      <RowGroup label={t('collections.takers')}>
        {takers.map(({ user_id: id, name, shop_name: shop, payments, paise, cash_paise: cash }) => (
          <ListRow
            key={id}
            title={shop || name}
            detail={[shop && name, t('collections.payments', { count: payments })].filter(Boolean).join(' · ')}
            trail={
              <>
                <b className="text-base text-ink">{formatMoney(paise)}</b>
                <span>{`${t('emi.pay_CASH')} ${formatMoney(cash)}`}</span>
              </>
            }
          />
        ))}
      </RowGroup>
    </>
  );
}
