import { useTranslation } from 'react-i18next';
import { planName } from '@kist/contract/codes';
import { useRead } from '#web/api/use-call.ts';
import { FilterChip } from '#web/ui/chip.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import type { Filters } from './filters.ts';

/** What a link narrowed the list by and no quick filter says: each in its own words, and gone with a press. */
export function NarrowedChips({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const { t } = useTranslation();
  const { retailer_id, user_id, account_id, product_id, app_type, deviceQuery, device_query, serial_number } = filters;
  const shopId = retailer_id ?? user_id ?? account_id;
  const without = (...names: (keyof Filters)[]) => {
    const rest = { ...filters };
    for (const name of names) delete rest[name];
    onFilters(rest);
  };
  return (
    <>
      {filters.dpd && (
        <FilterChip pressed onClick={() => without('dpd', 'sort')}>
          {t(`dpd.${filters.dpd}`)}
        </FilterChip>
      )}
      {shopId && <ShopChip userId={shopId} onClick={() => without('retailer_id', 'user_id', 'account_id')} />}
      {product_id !== undefined && (
        <PlanChip planId={`${product_id as string}`} onClick={() => without('product_id')} />
      )}
      {app_type !== undefined && (
        <FilterChip pressed onClick={() => without('app_type')}>
          {appName(t, `${app_type as string}`)}
        </FilterChip>
      )}
      {[...new Set([deviceQuery, device_query])].map(
        (text) =>
          text && (
            <FilterChip key={text} pressed onClick={() => without('deviceQuery', 'device_query')}>
              {text}
            </FilterChip>
          ),
      )}
      {serial_number && (
        <FilterChip pressed onClick={() => without('serial_number')}>
          {serial_number}
        </FilterChip>
      )}
    </>
  );
}

function ShopChip({ userId, onClick }: { userId: string; onClick: () => void }) {
  const { t } = useTranslation();
  const { data } = useRead('getUserDetails', { query: { user_id: userId } });
  return (
    <FilterChip pressed onClick={onClick}>
      {t('customers.added_by')} {data && (data.shop_name || data.first_name)}
    </FilterChip>
  );
}

function PlanChip({ planId, onClick }: { planId: string; onClick: () => void }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const { data: plans } = useRead('listPlans', {}, { skip: !can.catalogue });
  const name = plans?.find((plan) => String(plan.plan_id) === planId)?.name ?? planId;
  return (
    <FilterChip pressed onClick={onClick}>
      {t('customers.plan')} {name}
    </FilterChip>
  );
}

/** An app type that is a plan's type has that type's name; others are numbers of whoever set them. */
function appName(t: ReturnType<typeof useTranslation>['t'], appType: string): string {
  const name = planName(Number(appType));
  return name ? t(`plan.${name}`) : `${t('customers.plan')} ${appType}`;
}
