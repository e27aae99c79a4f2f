import { useTranslation } from 'react-i18next';
import { WindowVirtualizer } from 'virtua';
import type { ShopRow } from '@kist/contract/people';
import { formatMoney, shortName } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { ListRow } from '#web/ui/list-row.tsx';
import { PagedRows } from '#web/widgets/paged-list/rows.tsx';
import type { Pages } from '#web/widgets/paged-list/use-pages.ts';
import { ShopContact } from './contact.tsx';
import { ShopTable } from './table.tsx';

/** Shops, as a table where there is room for its columns. */
export function ShopRows({ shops }: { shops: Pages<ShopRow> }) {
  const { t } = useTranslation();
  return (
    <PagedRows pages={shops} end={(count) => t('retailers.count', { count })}>
      {(virtual, { rows, total }, isTable) =>
        isTable ? (
          <ShopTable rows={rows} total={total} {...virtual} />
        ) : (
          <WindowVirtualizer {...virtual}>
            {rows.map((row) => (
              <Row key={row.user_id} row={row} />
            ))}
          </WindowVirtualizer>
        )
      }
    </PagedRows>
  );
}

/** Shop, its customers, who runs it, for what does not fit is cut from the end; on the right what came in today and the keys it has; to call and to write to. */
function Row({ row }: { row: ShopRow }) {
  const { t } = useTranslation();
  const owner = [shortName(row.first_name), shortName(row.last_name)].filter(Boolean).join(' ');
  const name = row.shop_name || owner;
  return (
    <div className="flex items-center border-b border-line pr-1.5">
      <ListRow
        className="min-w-0 flex-1 pl-4"
        to={paths.retailerProfile(row.user_id)}
        // A small phone keeps its room for the name.
        lead={<Avatar name={name} className="max-[420px]:hidden" />}
        title={<span className="block truncate">{name}</span>}
        detail={
          <span className="block truncate">
            {[t('dashboard.customers', { count: row.customers }), owner, row.city].filter(Boolean).join(' · ')}
          </span>
        }
        trail={
          <>
            {row.is_active ? (
              <span className="font-semibold text-ink">{formatMoney(row.collected_today_paise)}</span>
            ) : (
              <Chip tone="over" icon="lock">
                {t('retailers.suspended')}
              </Chip>
            )}
            <span>{t('retailers.keys', { count: row.keys_left })}</span>
          </>
        }
      />
      <ShopContact name={name} mobile={row.mobile} />
    </div>
  );
}
