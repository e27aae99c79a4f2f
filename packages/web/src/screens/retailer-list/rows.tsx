import { useTranslation } from 'react-i18next';
import { WindowVirtualizer } from 'virtua';
import type { ShopRow } from '@kist/contract/people';
import { formatMoney, shortName } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { ListRow } from '#web/ui/list-row.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useAtLeast } from '#web/ui/use-width.ts';
import { usePlace } from '#web/widgets/list-place.ts';
import { keepPlace } from './place.ts';
import { ShopTable } from './table.tsx';
import type { useShops } from './use-shops.ts';

/** Load the next page when this many rows are left below the screen. */
const AHEAD = 12;
type Shops = ReturnType<typeof useShops>;

/** A thousand rows cost what twenty cost: only those near the screen exist. */
export function ShopRows({ shops }: { shops: Shops }) {
  const { loaded, more, restored } = shops;
  const isTable = useAtLeast('tablet');
  const list = usePlace(shops, isTable, keepPlace);
  if (!loaded) return null;
  const checkEnd = () => {
    const handle = list.current;
    if (!handle) return;
    if (handle.findItemIndex(handle.scrollOffset + handle.viewportSize) >= loaded.rows.length - AHEAD) more();
  };
  const cache = restored?.isTable === isTable ? restored.cache : undefined;
  const scrolled = { bufferSize: 800, cache, onScroll: checkEnd };
  return (
    <div className="-mx-4 border-t border-line [overflow-anchor:none]">
      {isTable ? (
        <ShopTable ref={list} rows={loaded.rows} total={loaded.total} {...scrolled} />
      ) : (
        <WindowVirtualizer ref={list} {...scrolled}>
          {loaded.rows.map((row) => (
            <Row key={row.user_id} row={row} />
          ))}
        </WindowVirtualizer>
      )}
      <ListEnd shops={shops} shown={loaded.rows.length} total={loaded.total} />
    </div>
  );
}

/** Shop, its customers, who runs it, for what does not fit is cut from the end; on the right what came in today and the keys it has. */
function Row({ row }: { row: ShopRow }) {
  const { t } = useTranslation();
  const owner = [shortName(row.first_name), shortName(row.last_name)].filter(Boolean).join(' ');
  return (
    <ListRow
      className="border-b border-line px-4"
      to={paths.retailerProfile(row.user_id)}
      lead={<Avatar name={row.shop_name || owner} />}
      title={<span className="block truncate">{row.shop_name || owner}</span>}
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
  );
}

/** Below the last row: loading, a failed page, more, or the end. */
function ListEnd({ shops, shown, total }: { shops: Shops; shown: number; total: number }) {
  const { t } = useTranslation();
  const { error, isLoading, more, retry } = shops;
  return (
    <div className="grid min-h-16 place-items-center p-3 text-sm text-ink-2">
      {isLoading && <Spinner label={t('common.loading')} />}
      {!isLoading && error && (
        <Button tone="plain" icon="refresh" onClick={retry}>
          {t('common.retry')}
        </Button>
      )}
      {!isLoading && !error && shown < total && (
        <Button tone="quiet" onClick={more}>
          {t('customers.more')}
        </Button>
      )}
      {shown >= total && t('retailers.count', { count: total })}
    </div>
  );
}
