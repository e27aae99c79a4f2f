import { DAY_MS } from '@kist/contract/dates';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { WindowVirtualizer } from 'virtua';
import type { CustomerRow } from '@kist/contract/customers';
import { isErased } from '@kist/contract/erased';
import { formatAge, formatDay, formatMoney } from '#web/i18n/formats.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { telUrl, whatsAppUrl } from '#web/native/share.ts';
import { besideList } from '#web/paths.ts';
import { IconAnchor } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Link } from '#web/ui/link.tsx';
import { ListTable, ListTableBody, ListTableHead, listTableRow, ListTableTitle, rowLink } from '#web/ui/list-table.tsx';
import { toast } from '#web/ui/toast.ts';
import type { Virtual } from '#web/widgets/paged-list/rows.tsx';
import { LockChip, StatusChip } from '#web/widgets/state-chips.tsx';
import { FirstChips, type PlaceOf, useRowWords } from './row.tsx';

/**
 * How wide each column is, by the room that the list has: alone on a page all of them, on a tablet those that do not say the same again, beside a customer
 * three. What has no column there stands under another: how far the EMIs are under the name, what is due under the state. To call and to write is in every row.
 */
const COLUMNS =
  'grid items-center gap-x-3 grid-cols-[minmax(0,1fr)_8.5rem_6rem] @2xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_6.5rem_8.5rem_6rem] @4xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_6.5rem_4.5rem_7.5rem_8.5rem_6rem] @6xl:grid-cols-[minmax(0,1fr)_7.5rem_minmax(0,1fr)_6.5rem_4.5rem_7.5rem_8.5rem_6rem]';
const Row = listTableRow(COLUMNS);
/** From which of these widths on something is shown, or until which. */
const FROM = { '2': 'hidden @2xl:block', '3': 'hidden @4xl:block', '4': 'hidden @6xl:block' };
const UNTIL = { '2': '@2xl:hidden', '3': '@4xl:hidden', '4': '@6xl:hidden' };

/** Customers by columns. Arrow keys go from row to row, Enter opens. */
export function CustomerTable(
  props: Virtual & {
    rows: readonly CustomerRow[];
    total: number;
    placeOf: PlaceOf;
  },
) {
  const { rows, total, placeOf, ...list } = props;
  const { t } = useTranslation();
  const chosen = useChosen();
  const { search } = useLocation();
  return (
    <ListTable label={t('customers.title')} total={total}>
      <Head />
      <WindowVirtualizer as={ListTableBody} item={Row} {...list}>
        {rows.map((row) => (
          <Cells
            key={row.customer_id}
            row={row}
            to={placeOf(row)}
            search={search}
            isChosen={row.customer_id === chosen}
          />
        ))}
      </WindowVirtualizer>
    </ListTable>
  );
}

/** Who stands beside the list. */
function useChosen(): string | undefined {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  return search.get('customer_id') ?? pathname.split('/')[2];
}

/** Below the title, on a tablet the search, and the filters. */
const BELOW_FINDER = 'top-[calc(var(--top,0px)+10.75rem)] lg:top-[calc(var(--top,0px)+7.25rem)]';

function Head() {
  const { t } = useTranslation();
  const head = (words: string, className?: string) => <ListTableTitle className={className}>{words}</ListTableTitle>;
  return (
    <ListTableHead columns={COLUMNS} top={BELOW_FINDER}>
      {head(t('customers.sort_name'))}
      {head(t('customer.mobile'), FROM[4])}
      {head(t('emi.phone'), FROM[2])}
      {head(t('customers.emi_date'), cx(FROM[2], 'text-right'))}
      {head(t('customers.quick_overdue'), cx(FROM[3], 'text-right'))}
      {head(t('customers.status'), FROM[3])}
      {head(t('customers.lock'), FROM[3])}
      {head(t('customers.status'), UNTIL[3])}
      <ListTableTitle>
        <span className="sr-only">{t('common.call')}</span>
      </ListTableTitle>
    </ListTableHead>
  );
}

const Cells = memo(function Cells(props: { row: CustomerRow; to: string | null; search: string; isChosen: boolean }) {
  const { row, isChosen } = props;
  const { t } = useTranslation();
  const { name, progress } = useRowWords(row);
  const mobile = row.mobile ? formatMobile(row.mobile) : '';
  const due = dueOf(row);
  return (
    <>
      <th scope="row" className="min-w-0 text-left font-normal">
        <NameLink {...props} name={name} />
        <span className={cx('flex gap-x-2 text-sm text-ink-2', UNTIL[4])}>
          <span className={UNTIL[2]}>{progress}</span>
          <span className="min-w-0 flex-1 truncate">{mobile}</span>
        </span>
      </th>
      <td className={cx('text-sm whitespace-nowrap', FROM[4])}>{mobile}</td>
      <td className={cx('min-w-0', FROM[2])}>
        {row.device && <span className="block truncate">{row.device}</span>}
        <span className="block text-sm text-ink-2">{progress}</span>
      </td>
      <td className={cx('text-right', FROM[2])}>
        {due && (
          <>
            <span className="block">{due.amount}</span>
            <span className="block text-sm text-ink-2">{due.on}</span>
          </>
        )}
      </td>
      <td className={cx('text-right', FROM[3], row.days_past_due > 0 && 'font-semibold text-over')}>
        {row.days_past_due > 0 && formatAge(row.days_past_due * DAY_MS)}
      </td>
      <td className={FROM[3]}>{isErased(row) || <StatusChip status={row.status} />}</td>
      <td className={FROM[3]}>{row.lock && (!isErased(row) || row.lock.pending) && <LockChip lock={row.lock} />}</td>
      <td className={UNTIL[3]}>
        <FirstChips row={row} />
        {due && <span className={cx('block text-sm text-ink-2', UNTIL[2])}>{`${due.amount} · ${due.on}`}</span>}
      </td>
      <td className="relative">
        {row.mobile && !isChosen && (
          <span className="flex justify-end">
            <IconAnchor icon="call" label={`${t('common.call')} ${name}`} href={telUrl(row.mobile)} />
            <IconAnchor icon="chat" label={`${t('common.whatsapp')} ${name}`} href={whatsAppUrl('', row.mobile)} />
          </span>
        )}
      </td>
    </>
  );
});

/** A real link, to be opened in a window of its own too; the whole row is its target. The filters go along, so that the list beside stays as it is. */
function NameLink(props: { row: CustomerRow; to: string | null; search: string; isChosen: boolean; name: string }) {
  const { row, to, search, isChosen, name } = props;
  const { t } = useTranslation();
  return (
    <Link
      to={to === null ? '' : besideList(to, search)}
      data-row={row.customer_id}
      aria-current={isChosen ? 'true' : undefined}
      onClick={(event) => {
        if (to !== null) return;
        event.preventDefault();
        toast.warning(t('customers.inactive_warning'));
      }}
      className={rowLink}
    >
      {name}
    </Link>
  );
}

/** When, and how much: what is overdue before what comes. */
function dueOf(row: CustomerRow): { amount: string; on: string } | undefined {
  const paise = row.overdue_paise || row.next_due_paise;
  return row.next_due_on && paise > 0 ? { amount: formatMoney(paise), on: formatDay(row.next_due_on) } : undefined;
}
