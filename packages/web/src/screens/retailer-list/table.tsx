import { useTranslation } from 'react-i18next';
import { WindowVirtualizer } from 'virtua';
import type { ShopRow } from '@kist/contract/people';
import { formatMoney, shortName } from '#web/i18n/formats.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { Chip } from '#web/ui/chip.tsx';
import { cx } from '#web/ui/cx.ts';
import { Link } from '#web/ui/link.tsx';
import { ListTable, ListTableBody, ListTableHead, listTableRow, ListTableTitle, rowLink } from '#web/ui/list-table.tsx';
import type { Virtual } from '#web/widgets/paged-list/rows.tsx';
import { ShopContact } from './contact.tsx';

/** What has no column there, owner, mobile and town, stands under the shop's name. */
const COLUMNS =
  'grid items-center gap-x-4 grid-cols-[minmax(0,1fr)_6rem_5rem_8rem_7rem_6rem] @6xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_8rem_minmax(0,1fr)_6rem_5rem_8rem_7rem_6rem]';
const ALL = 'hidden @6xl:block';
const FIGURE = 'text-right';
const Row = listTableRow(COLUMNS);

/** Shops by columns: who runs it and where, its customers, the keys it has, what came in today; to call and to write to. */
export function ShopTable(
  props: Virtual & {
    rows: readonly ShopRow[];
    total: number;
  },
) {
  const { rows, total, ...list } = props;
  const { t } = useTranslation();
  return (
    <ListTable label={t('retailers.title')} total={total}>
      <ListTableHead columns={COLUMNS} top="top-[calc(var(--top,0px)+4rem)]">
        <ListTableTitle>{t('retailers.shop_name')}</ListTableTitle>
        <ListTableTitle className={ALL}>{t('retailers.owner')}</ListTableTitle>
        <ListTableTitle className={ALL}>{t('customer.mobile')}</ListTableTitle>
        <ListTableTitle className={ALL}>{t('add.city')}</ListTableTitle>
        <ListTableTitle className="text-right">{t('customers.title')}</ListTableTitle>
        <ListTableTitle className="text-right">{t('dashboard.keys')}</ListTableTitle>
        <ListTableTitle className="text-right">{t('retailers.collected_today')}</ListTableTitle>
        <ListTableTitle>{t('customers.status')}</ListTableTitle>
        <ListTableTitle>
          <span className="sr-only">{t('common.call')}</span>
        </ListTableTitle>
      </ListTableHead>
      <WindowVirtualizer as={ListTableBody} item={Row} {...list}>
        {rows.map((row) => (
          <Cells key={row.user_id} row={row} />
        ))}
      </WindowVirtualizer>
    </ListTable>
  );
}

function Cells({ row }: { row: ShopRow }) {
  const { t } = useTranslation();
  const owner = [shortName(row.first_name), shortName(row.last_name)].filter(Boolean).join(' ');
  const name = row.shop_name || owner;
  return (
    <>
      <th scope="row" className="min-w-0 text-left font-normal">
        <Link to={paths.retailerProfile(row.user_id)} data-row={row.user_id} className={rowLink}>
          {name}
        </Link>
        <span className="block truncate text-sm text-ink-2 @6xl:hidden">
          {[formatMobile(row.mobile), owner, row.city].filter(Boolean).join(' · ')}
        </span>
      </th>
      <td className={cx('min-w-0 truncate', ALL)}>{owner}</td>
      <td className={cx('text-sm whitespace-nowrap', ALL)}>{formatMobile(row.mobile)}</td>
      <td className={cx('min-w-0 truncate', ALL)}>{row.city}</td>
      <td className={FIGURE}>{row.customers}</td>
      <td className={FIGURE}>{row.keys_left}</td>
      <td className={cx(FIGURE, 'font-semibold')}>{formatMoney(row.collected_today_paise)}</td>
      <td>
        {row.is_active ? (
          <Chip tone="ok" icon="check">
            {t('retailers.active')}
          </Chip>
        ) : (
          <Chip tone="over" icon="lock">
            {t('retailers.suspended')}
          </Chip>
        )}
      </td>
      <td className="relative">
        <span className="flex justify-end">
          <ShopContact name={name} mobile={row.mobile} />
        </span>
      </td>
    </>
  );
}
