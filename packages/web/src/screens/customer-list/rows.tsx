import { startTransition, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { WindowVirtualizer } from 'virtua';
import type { CustomerRow } from '@kist/contract/customers';
import { storedBrand } from '#web/theme/theme.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast.ts';
import { useWhole } from '#web/ui/use-whole.ts';
import { useAtLeast } from '#web/ui/use-width.ts';
import { CustomerRowView, type PlaceOf } from './row.tsx';
import { CustomerTable } from './table.tsx';
import { keepPlace } from './place.ts';
import { useKept } from '#web/widgets/kept-note.tsx';
import { usePlace } from '#web/widgets/list-place.ts';
import type { useCustomers } from './use-customers.ts';

/** Load the next page when this many rows are left below the screen. */
const AHEAD = 12;
/** Height of the rows beside those in sight that are drawn too. */
const BESIDE_PX = 800;
/** Of a row that was not measured yet, or half as many more than are in sight would be drawn at first. */
const rowPx = () => (storedBrand()?.layout === 'compact' ? 49 : 78);

type Customers = ReturnType<typeof useCustomers>;

/** From a row of a phone's list to the customer's page. */
function useOpen(placeOf: PlaceOf): (row: CustomerRow) => void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useCallback(
    (row: CustomerRow) => {
      const to = placeOf(row);
      if (to === null) toast.warning(t('customers.inactive_warning'));
      else void navigate(to);
    },
    [navigate, placeOf, t],
  );
}

/** Rows below those in sight come one after the other: drawn at once they would hold up the first press. */
function useBeside(): number {
  const isWhole = useWhole();
  const [px, setPx] = useState(isWhole ? BESIDE_PX : 0);
  const isGrowing = isWhole && px < BESIDE_PX;
  useEffect(() => {
    if (!isGrowing) return;
    const timer = setTimeout(() => startTransition(() => setPx((before) => before + rowPx())));
    return () => clearTimeout(timer);
  }, [isGrowing, px]);
  return px;
}

/** A hundred thousand rows cost what twenty cost: only those near the screen exist. A table where there is room for its columns. */
export function CustomerRows(props: { customers: Customers; placeOf: PlaceOf }) {
  const { customers, placeOf } = props;
  const { loaded, more, restored } = customers;
  const isTable = useAtLeast('tablet');
  const list = usePlace(customers, isTable, keepPlace);
  const open = useOpen(placeOf);
  const beside = useBeside();
  useKept(loaded?.keptAtMs);
  if (!loaded) return null;
  const checkEnd = () => {
    const handle = list.current;
    if (!handle) return;
    if (handle.findItemIndex(handle.scrollOffset + handle.viewportSize) >= loaded.rows.length - AHEAD) more();
  };
  const scrolled = {
    bufferSize: beside,
    cache: restored?.isTable === isTable ? restored.cache : undefined,
    onScroll: checkEnd,
  };
  // Rows grow above the end of the list: a browser that holds on to that end would run through all of it.
  return (
    <div className="-mx-4 border-t border-line [overflow-anchor:none]">
      {isTable ? (
        <CustomerTable ref={list} rows={loaded.rows} total={loaded.total} placeOf={placeOf} {...scrolled} />
      ) : (
        <WindowVirtualizer ref={list} itemSize={rowPx()} {...scrolled}>
          {loaded.rows.map((row) => (
            <CustomerRowView key={row.customer_id} row={row} onPress={open} />
          ))}
        </WindowVirtualizer>
      )}
      <ListEnd customers={customers} shown={loaded.rows.length} total={loaded.total} />
    </div>
  );
}

/** Below the last row: loading, a failed page, more, or the end. */
function ListEnd({ customers, shown, total }: { customers: Customers; shown: number; total: number }) {
  const { t } = useTranslation();
  const { error, isLoading, more, retry } = customers;
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
      {shown >= total && t('customers.end', { count: total })}
    </div>
  );
}
