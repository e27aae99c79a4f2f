import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { WindowVirtualizer } from 'virtua';
import type { CustomerRow } from '@kist/contract/customers';
import { storedBrand } from '#web/theme/theme.ts';
import { toast } from '#web/ui/toast.ts';
import { PagedRows } from '#web/widgets/paged-list/rows.tsx';
import type { Pages } from '#web/widgets/paged-list/use-pages.ts';
import { CustomerRowView, type PlaceOf } from './row.tsx';
import { CustomerTable } from './table.tsx';

/** Of a row that was not measured yet, or half as many more than are in sight would be drawn at first. */
const rowPx = () => (storedBrand()?.layout === 'compact' ? 49 : 78);

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

/** Customers, as a table where there is room for its columns. */
export function CustomerRows({ customers, placeOf }: { customers: Pages<CustomerRow>; placeOf: PlaceOf }) {
  const { t } = useTranslation();
  const open = useOpen(placeOf);
  return (
    <PagedRows pages={customers} end={(count) => t('customers.end', { count })}>
      {(virtual, { rows, total }, isTable) =>
        isTable ? (
          <CustomerTable rows={rows} total={total} placeOf={placeOf} {...virtual} />
        ) : (
          <WindowVirtualizer itemSize={rowPx()} {...virtual}>
            {rows.map((row) => (
              <CustomerRowView key={row.customer_id} row={row} onPress={open} />
            ))}
          </WindowVirtualizer>
        )
      }
    </PagedRows>
  );
}
