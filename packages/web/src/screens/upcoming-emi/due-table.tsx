import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { Link } from '#web/ui/link.tsx';
import { type Column, TableCard, TableHead, TableRows, TableSums } from '#web/ui/table.tsx';
import { QueuedMarks } from '#web/widgets/queued-payments.tsx';
import type { Bucket } from './buckets.ts';
import { type Due, type OnDue, DueActions, DueState, nameOf } from './due-row.tsx';

/** What a bucket comes to, as its tile says. */
export interface Sum {
  customers: number;
  paise: number;
}
interface Rows extends OnDue {
  bucket: Bucket;
}

const States = ({ due }: { due: Due }) => (
  <span className="grid gap-0.5">
    <DueState due={due} />
    <QueuedMarks customerId={due.customer_id} />
  </span>
);

function useColumns({ bucket, sum, ...on }: Rows & { sum?: Sum }): Column<Due>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'name',
      head: t('customers.sort_name'),
      cell: (due) => (
        <Link to={paths.viewEmiDetails(due.customer_id)} className="block font-semibold hover:underline">
          {nameOf(due)}
          <span className="block text-sm font-normal text-ink-2">{formatMobile(due.mobile)}</span>
        </Link>
      ),
      sum: sum && t('customers.end', { count: sum.customers }),
    },
    { key: 'detail', head: t('emi.phone'), cell: (due) => due.detail, className: 'text-sm' },
    {
      key: 'day',
      head: t('customers.emi_date'),
      cell: (due) => due.dueOn && formatDate(due.dueOn),
      figure: true,
    },
    {
      key: 'state',
      head: t('customers.status'),
      cell: (due) => <States due={due} />,
    },
    {
      key: 'amount',
      head: t('emi.amount'),
      cell: (due) => (
        <span className={bucket === 'overdue' ? 'font-semibold text-over' : 'font-semibold'}>
          {formatMoney(due.paise)}
        </span>
      ),
      figure: true,
      sum: sum && formatMoney(sum.paise),
    },
    {
      key: 'do',
      head: t('emi.collect'),
      hideHead: true,
      cell: (due) => (
        <span className="-my-1 flex justify-end gap-1">
          <DueActions due={due} isAmountBeside {...on} />
        </span>
      ),
    },
  ];
}

/** A bucket by columns, with its sum below. @param children its pages. */
export function DueTable({ children, ...rows }: Rows & { sum: Sum; children: ReactNode }) {
  const { t } = useTranslation();
  const columns = useColumns(rows);
  return (
    <TableCard label={t(`dues.${rows.bucket}`)}>
      <TableHead columns={columns} />
      <tbody>{children}</tbody>
      {rows.sum.customers > 0 && <TableSums columns={columns} />}
    </TableCard>
  );
}

export function DueTableRows({ rows, ...of }: Rows & { rows: readonly Due[] }) {
  return <TableRows columns={useColumns(of)} rows={rows} keyOf={(due) => `${due.customer_id} ${due.dueOn}`} />;
}

/** Something in place of rows: they load, failed, or there are none. */
export const WholeRow = ({ children }: { children: ReactNode }) => (
  <tr>
    <td colSpan={6}>{children}</td>
  </tr>
);
