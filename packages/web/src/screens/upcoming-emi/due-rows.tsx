import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '#web/api/use-call.ts';
import { stockDues } from '#web/offline/stock-dues.ts';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { useAtLeast } from '#web/ui/use-width.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Sentinel } from '#web/widgets/sentinel.tsx';
import { between, type Bucket } from './buckets.ts';
import { DueRow, type Due, type OnDue } from './due-row.tsx';
import { DueTable, DueTableRows, type Sum, WholeRow } from './due-table.tsx';

const PAGE_SIZE = 30;

interface Page {
  rows: Due[];
  total: number;
}

/**
 * One page of a bucket. Of overdue EMIs a customer has one row with all that is overdue, longest first; of days to come each EMI has its own, by its day.
 * Read through the cache, so that a payment renews every page that is open. What money is taken by of each row comes behind it, for when the network goes.
 */
function usePage({ bucket, day }: Of, page: number) {
  const { t } = useTranslation();
  const isOverdue = bucket === 'overdue';
  const late = useRead(
    'listCustomers',
    { query: { due: 'overdue', sort: 'overdue', page, page_size: PAGE_SIZE } },
    { skip: !isOverdue },
  );
  const coming = useRead(
    'getUpcomingEmi',
    { query: { bucket: isOverdue ? 'today' : bucket, ...between(day), page, page_size: PAGE_SIZE } },
    { skip: isOverdue },
  );
  const { data: read, keptAtMs } = isOverdue ? late : coming;
  useEffect(() => {
    if (read && keptAtMs === undefined) stockDues(read.list);
  }, [read, keptAtMs]);
  const data: Page | undefined = isOverdue
    ? late.data && {
        total: late.data.total,
        rows: late.data.list.map((row) => ({
          ...row,
          paise: row.overdue_paise,
          dueOn: row.next_due_on,
          detail: row.device,
          reminded_at: row.reminded_at ?? null,
        })),
      }
    : coming.data && {
        total: coming.data.total,
        rows: coming.data.list.map((row) => ({
          ...row,
          paise: row.left_paise,
          dueOn: row.due_on,
          detail: [row.device, t('emi.part_no', { no: row.instalment_place })].join(' · '),
        })),
      };
  return { ...(isOverdue ? late : coming), data };
}

/** A bucket, or one day of it. */
interface Of {
  bucket: Bucket;
  day?: string | undefined;
}
interface Rows extends OnDue, Of {}

/** The rows of a bucket, page after page as one comes near its end; by columns where there is room. @param sum what all of them come to. */
export function DueRows({ sum, ...rows }: Rows & { sum: Sum }) {
  const [count, setCount] = useState(1);
  /** The day that each page ends with: the next one may go on with it. */
  const [ends, setEnds] = useState<Partial<Record<number, string | null>>>({});
  const endsWith = useCallback(
    (page: number, day: string | null) => setEnds((was) => (was[page] === day ? was : { ...was, [page]: day })),
    [],
  );
  const isTable = useAtLeast('tablet');
  const pages = Array.from({ length: count }, (_, index) => (
    <PageRows
      key={index}
      {...rows}
      page={index + 1}
      isLast={index + 1 === count}
      isTable={isTable}
      dayBefore={ends[index] ?? null}
      onMore={() => setCount(index + 2)}
      onEnd={endsWith}
    />
  ));
  if (!isTable) return <div className="-mx-4 border-t border-line">{pages}</div>;
  return (
    <DueTable {...rows} sum={sum}>
      {pages}
    </DueTable>
  );
}

function PageRows(
  props: Rows & {
    page: number;
    isLast: boolean;
    isTable: boolean;
    dayBefore: string | null;
    onMore: () => void;
    onEnd: (page: number, day: string | null) => void;
  },
) {
  const { page, isLast, isTable, dayBefore, onMore, onEnd, ...of } = props;
  const { t } = useTranslation();
  const result = usePage(of, page);
  const end = result.data?.rows.at(-1)?.dueOn ?? null;
  useEffect(() => onEnd(page, end), [onEnd, page, end]);
  const around = (state: ReactNode) => (isTable ? <WholeRow>{state}</WholeRow> : state);
  const view = (
    <QueryView result={result} skeleton={<ScreenSkeleton label={t('states.loading')} />}>
      {({ rows, total }) =>
        total === 0 ? (
          <StateView kind="done" title={of.day ? t('states.no_result_title') : t(`dues.none_${of.bucket}`)} />
        ) : (
          <>
            {isTable ? <DueTableRows rows={rows} {...of} /> : <DayRows rows={rows} dayBefore={dayBefore} {...of} />}
            {isLast && page * PAGE_SIZE < total && around(<Sentinel onSeen={onMore} />)}
          </>
        )
      }
    </QueryView>
  );
  return result.data?.total ? view : around(view);
}

/** Below one another, each day with its date above. */
const DayRows = ({ rows, dayBefore, bucket, ...on }: Rows & { rows: readonly Due[]; dayBefore: string | null }) =>
  rows.map((due, index) => {
    const last = index === 0 ? dayBefore : rows[index - 1]?.dueOn;
    const isNewDay = bucket !== 'overdue' && bucket !== 'today' && due.dueOn !== last;
    return <DueRow key={`${due.customer_id} ${due.dueOn}`} due={due} day={isNewDay ? due.dueOn : null} {...on} />;
  });
