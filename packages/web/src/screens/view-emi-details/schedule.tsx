import { useTranslation } from 'react-i18next';
import type { EmiDetails } from '@kist/contract/emi';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { Chip, type Tone } from '#web/ui/chip.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { useAtLeast } from '#web/ui/use-width.ts';
import { QueuedOnInstalment, queuedByInstalment, useQueuedOf } from '#web/widgets/queued-payments.tsx';

type Row = EmiDetails['instalments'][number];

const LOOKS: Record<Row['state'], { tone: Tone; icon: IconName }> = {
  paid: { tone: 'ok', icon: 'check' },
  part: { tone: 'due', icon: 'clock' },
  overdue: { tone: 'over', icon: 'clock' },
  due: { tone: 'accent', icon: 'calendar' },
  upcoming: { tone: 'lock', icon: 'calendar' },
};

/** Every instalment: when, how much, what of it is interest, whether it is paid. By columns, with their sums, where there is room. */
export function Schedule({ rows, customerId }: { rows: readonly Row[]; customerId: string }) {
  const { t } = useTranslation();
  const queued = queuedByInstalment(useQueuedOf(customerId));
  const isTable = useAtLeast('tablet');
  if (isTable) return <ScheduleTable rows={rows} queued={queued} />;
  return (
    <RowGroup label={t('emi.schedule')}>
      {rows.map((row) => (
        <ListRow
          key={row.instalment_id}
          lead={<span className="w-7 text-center text-sm font-semibold text-ink-2">{row.place}</span>}
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
              <State row={row} queued={queued} />
            </>
          }
        />
      ))}
    </RowGroup>
  );
}

type Queued = ReturnType<typeof queuedByInstalment>;

/** Whether it is paid, and what waits on this phone to be sent. */
function State({ row, queued }: { row: Row; queued: Queued }) {
  const { t } = useTranslation();
  return (
    <>
      <Chip tone={LOOKS[row.state].tone} icon={LOOKS[row.state].icon}>
        {row.state !== 'paid' && row.paid_paise > 0
          ? t('emi.part_left', { amount: formatMoney(row.left_paise) })
          : t(`emi.state_${row.state}`)}
      </Chip>
      {queued.has(row.instalment_id) && <QueuedOnInstalment paise={queued.get(row.instalment_id) ?? null} />}
    </>
  );
}

function ScheduleTable({ rows, queued }: { rows: readonly Row[]; queued: Queued }) {
  const { t } = useTranslation();
  const money = (head: string, of: (row: Row) => number): Column<Row> => ({
    key: head,
    head: <span className="inline-block first-letter:uppercase">{head}</span>,
    cell: (row) => (of(row) === 0 ? <span className="text-ink-2">–</span> : formatMoney(of(row))),
    figure: true,
    sum: formatMoney(rows.reduce((all, row) => all + of(row), 0)),
  });
  const some = (column: Column<Row>, of: (row: Row) => number) => (rows.some((row) => of(row) > 0) ? [column] : []);
  const feeOf = (row: Row) => row.fee_paise;
  const penalOf = (row: Row) => row.penal_paise;
  const columns: Column<Row>[] = [
    { key: 'no', head: t('emi.one_emi'), cell: (row) => row.place, sum: rows.length },
    {
      key: 'day',
      head: t('customers.emi_date'),
      cell: (row) => formatDate(row.due_on),
      className: 'whitespace-nowrap',
    },
    money(t('emi.bucket_principal'), (row) => row.principal_paise),
    money(t('emi.bucket_interest'), (row) => row.interest_paise),
    ...some(money(t('emi.bucket_fee'), feeOf), feeOf),
    ...some(money(t('emi.bucket_penal'), penalOf), penalOf),
    money(t('emi.amount'), (row) => row.total_paise),
    money(t('emi.state_paid'), (row) => row.paid_paise),
    money(t('emi.still_left'), (row) => row.left_paise),
    {
      key: 'state',
      head: t('customers.status'),
      cell: (row) => <State row={row} queued={queued} />,
    },
  ];
  return (
    <Table
      label={t('emi.schedule')}
      columns={columns}
      rows={rows}
      keyOf={(row) => row.instalment_id}
      rowLook={(row) => (row.state === 'overdue' ? 'bg-over-soft/40' : '')}
    />
  );
}
