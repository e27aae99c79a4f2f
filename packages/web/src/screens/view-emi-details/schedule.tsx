import { useTranslation } from 'react-i18next';
import type { EmiDetails } from '@kist/contract/emi';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { Chip, type Tone } from '#web/ui/chip.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { QueuedOnInstalment, queuedByInstalment, useQueuedOf } from '#web/widgets/queued-payments.tsx';

type Row = EmiDetails['instalments'][number];

const LOOKS: Record<Row['state'], { tone: Tone; icon: IconName }> = {
  paid: { tone: 'ok', icon: 'check' },
  part: { tone: 'due', icon: 'clock' },
  overdue: { tone: 'over', icon: 'clock' },
  due: { tone: 'accent', icon: 'calendar' },
  upcoming: { tone: 'lock', icon: 'calendar' },
};

/** Every instalment: when, how much, what of it is interest, whether it is paid. */
export function Schedule({ rows, customerId }: { rows: readonly Row[]; customerId: string }) {
  const { t } = useTranslation();
  const queued = queuedByInstalment(useQueuedOf(customerId));
  return (
    <RowGroup label={t('emi.schedule')}>
      {rows.map((row) => (
        <ListRow
          key={row.instalment_id}
          lead={<span className="w-7 text-center text-sm font-semibold text-ink-2">{row.no}</span>}
          title={formatDate(row.due_on)}
          detail={
            <>
              {t(row.fee_paise > 0 ? 'emi.parts_fee' : 'emi.parts', {
                principal: formatMoney(row.principal_paise),
                interest: formatMoney(row.interest_paise),
                fee: formatMoney(row.fee_paise),
              })}
              {row.penal_paise > 0 && (
                <span className="block text-over">{t('emi.penal', { amount: formatMoney(row.penal_paise) })}</span>
              )}
            </>
          }
          trail={
            <>
              <b className="text-base text-ink">{formatMoney(row.total_paise)}</b>
              <Chip tone={LOOKS[row.state].tone} icon={LOOKS[row.state].icon}>
                {row.state !== 'paid' && row.paid_paise > 0
                  ? t('emi.part_left', { amount: formatMoney(row.left_paise) })
                  : t(`emi.state_${row.state}`)}
              </Chip>
              {queued.has(row.instalment_id) && <QueuedOnInstalment paise={queued.get(row.instalment_id) ?? null} />}
            </>
          }
        />
      ))}
    </RowGroup>
  );
}
