import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { planName } from '@kist/contract/codes';
import { useRead } from '#web/api/use-call.ts';
import { formatDate } from '#web/i18n/formats.ts';
import { FilterChip } from '#web/ui/chip.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { type Filters, quickOf } from './filters.ts';

/** A part of the filters that goes with one press: the names that go, and its words. */
type Part = { names: readonly (keyof Filters)[]; words: ReactNode };

/** All that the list is narrowed by and no pressed quick filter says, each in its own words, and gone with a press. */
export function NarrowedChips({ filters, onFilters }: { filters: Filters; onFilters: (filters: Filters) => void }) {
  const { t } = useTranslation();
  const parts = [...partsOfLinks(filters, t), ...(quickOf(filters) === undefined ? partsOfMixtures(filters, t) : [])];
  return parts.map(({ names, words }) => (
    <FilterChip key={names[0]} pressed onClick={() => onFilters(without(filters, names))}>
      {words}
    </FilterChip>
  ));
}

function without(filters: Filters, names: readonly (keyof Filters)[]): Filters {
  const rest = { ...filters };
  for (const name of names) delete rest[name];
  return rest;
}

const said = (parts: readonly (Part | '' | 0 | false | undefined)[]): Part[] =>
  parts.filter((part) => typeof part === 'object');

/** What no quick filter knows. */
function partsOfLinks(filters: Filters, t: TFunction): Part[] {
  const { retailer_id, user_id, account_id, app_type, deviceQuery, device_query, serial_number } = filters;
  const shopId = retailer_id ?? user_id ?? account_id;
  const planId = filters.plan_id ?? filters.product_id;
  return said([
    // The order by days overdue has the overdue alone: it goes with what it came with.
    filters.todo && {
      names: filters.todo === 'overdue' ? ['todo', 'sort'] : ['todo'],
      words: t(`dashboard.do_${filters.todo}`),
    },
    filters.dpd && { names: ['dpd', 'sort'], words: t(`dpd.${filters.dpd}`) },
    shopId && { names: ['retailer_id', 'user_id', 'account_id'], words: <ShopName userId={shopId} /> },
    filters.user_type && {
      names: ['user_type'],
      words: `${t('customers.added_by')} ${t(`shell.${filters.user_type}`)}`,
    },
    planId !== undefined && { names: ['plan_id', 'product_id'], words: <PlanName planId={`${planId as string}`} /> },
    app_type !== undefined && { names: ['app_type'], words: appName(t, `${app_type as string}`) },
    deviceQuery && { names: ['deviceQuery'], words: deviceQuery },
    device_query && device_query !== deviceQuery && { names: ['device_query'], words: device_query },
    serial_number && { names: ['serial_number'], words: serial_number },
    filters.from && { names: ['from'], words: `${t('customers.from')} ${formatDate(filters.from)}` },
    filters.to && { names: ['to'], words: `${t('customers.to')} ${formatDate(filters.to)}` },
  ]);
}

/** What a quick filter says when it stands alone: several together are none. */
function partsOfMixtures({ status, lock_status, due, disputed }: Filters, t: TFunction): Part[] {
  return said([
    due && { names: ['due', 'sort'], words: t(DUE_WORDS[due]) },
    status && status !== 'all' && { names: ['status'], words: t(`status.s${status}`) },
    lock_status && { names: ['lock_status'], words: t(`${lock_status}` === '1' ? 'lock.locked' : 'lock.unlocked') },
    disputed && { names: ['disputed'], words: t('customers.quick_disputed') },
  ]);
}

const DUE_WORDS: Record<NonNullable<Filters['due']>, string> = {
  overdue: 'customers.quick_overdue',
  today: 'customers.quick_today',
  week: 'customers.quick_week',
  month: 'dues.month',
  open: 'dashboard.outstanding',
};

function ShopName({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const { data } = useRead('getUserDetails', { query: { user_id: userId } });
  return `${t('customers.added_by')} ${data ? data.shop_name || data.first_name : ''}`;
}

function PlanName({ planId }: { planId: string }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const { data: plans } = useRead('getProducts', { query: {} }, { skip: !can.catalogue });
  const name = plans?.find((plan) => String(plan.plan_id) === planId)?.name ?? planId;
  return `${t('customers.plan')} ${name}`;
}

/** An app type that is a plan's type has that type's name; others are numbers of whoever set them. */
function appName(t: TFunction, appType: string): string {
  const name = planName(Number(appType));
  return name ? t(`plan.${name}`) : `${t('customers.plan')} ${appType}`;
}
