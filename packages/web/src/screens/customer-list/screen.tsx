import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { CUSTOMER_STATUS } from '@kist/contract/codes';
import { isErased } from '@kist/contract/erased';
import { LIMITS } from '@kist/contract/limits';
import { paths } from '#web/paths.ts';
import { useAppSelector } from '#web/state/store.ts';
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx';
import { ChipRow } from '#web/ui/chip.tsx';
import { cx } from '#web/ui/cx.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { useTall } from '#web/ui/use-tall.ts';
import { useAtLeast } from '#web/ui/use-width.ts';
import { countLine } from '#web/widgets/paged-list/use-pages.ts';
import { useKept } from '#web/widgets/kept-note.tsx';
import { ProblemView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { FilterSheet } from './filter-sheet.tsx';
import { type Filters, filtersOf, withFilters } from './filters.ts';
import { NarrowedChips } from './narrowed.tsx';
import { QuickChips } from './quick-chips.tsx';
import type { PlaceOf } from './row.tsx';
import { CustomerRows } from './rows.tsx';
import { useCustomers } from './use-customers.ts';
import { useSearchText } from '#web/widgets/use-search-text.ts';

/** Which customers are shown stands in the address. */
function useFilters() {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (next: Filters) => setSearch((before) => withFilters(before, next), { replace: true }),
    [setSearch],
  );
  const filters = filtersOf(search);
  return { filters, isFiltered: Object.keys(filters).length > 0, set };
}

/** Every customer of the shop: search, filter, and back to the very place one left. */
export function Screen() {
  const { t } = useTranslation();
  const { filters, isFiltered, set } = useFilters();
  const customers = useCustomers(filters);
  const [isFiltering, setFiltering] = useState(false);
  const placeOf = usePlaceOf(filters.todo);
  const isSearching = (useLocation().state as { search?: boolean } | null)?.search === true;
  return (
    <Frame
      title={t('customers.title')}
      detail={countLine(customers, (count) => t('customers.count', { count }))}
      wide
      focusTitle={!isSearching}
      actions={
        <>
          <IconButton icon="filter" label={t('customers.filter')} onClick={() => setFiltering(true)} />
          <IconButton icon="refresh" label={t('common.refresh')} onClick={() => void customers.refresh()} />
        </>
      }
    >
      <Finder filters={filters} onFilters={set} isFocused={isSearching} />
      <Body customers={customers} isFiltered={isFiltered} onClear={() => set({})} placeOf={placeOf} />
      <FilterSheet open={isFiltering} onClose={() => setFiltering(false)} filters={filters} onFilters={set} />
    </Frame>
  );
}

/** Search and quick filters, in sight however far one scrolled. */
function Finder(props: { filters: Filters; onFilters: (filters: Filters) => void; isFocused: boolean }) {
  const { filters, onFilters, isFocused } = props;
  const { t } = useTranslation();
  const text = useSearchText(filters.search ?? '', (search) => onFilters({ ...filters, search }));
  // A desk has its search above every screen.
  const isDesk = useAtLeast('desk');
  const { part, isTall } = useTall();
  return (
    <div
      ref={part}
      className={cx(
        !isTall && 'sticky',
        'top-[calc(var(--top,0px)+4rem)] z-10 -mx-4 grid grid-cols-[minmax(0,1fr)] gap-2 bg-bg/95 px-4 pb-1 frosted',
      )}
    >
      {!isDesk && (
        <SearchField
          label={t('customers.search')}
          placeholder={t('customers.search')}
          value={text.value}
          onValue={text.change}
          maxLength={LIMITS.searchLength}
          focused={isFocused}
        />
      )}
      <ChipRow label={t('customers.filter')}>
        <NarrowedChips filters={filters} onFilters={onFilters} />
        <QuickChips filters={filters} onFilters={onFilters} />
      </ChipRow>
    </div>
  );
}

function Body(props: {
  customers: ReturnType<typeof useCustomers>;
  isFiltered: boolean;
  onClear: () => void;
  placeOf: PlaceOf;
}) {
  const { customers, isFiltered, onClear, placeOf } = props;
  const { t } = useTranslation();
  const { can } = useAccess();
  const { loaded, error, retry } = customers;
  // Also where it is nothing: who is not found may not be on this phone.
  useKept(loaded?.keptAtMs, loaded?.isSearched);
  if (!loaded)
    return error ? <ProblemView error={error} onRetry={retry} /> : <ScreenSkeleton label={t('states.loading')} />;
  if (loaded.total === 0 && isFiltered)
    return (
      // Who is not on this phone is not found by another spelling: the note above says where was looked.
      <StateView
        kind="no_result"
        title={t('states.no_result_title')}
        body={!loaded.isSearched && t('states.no_result_body')}
      >
        <Button onClick={onClear}>{t('customers.clear_filters')}</Button>
      </StateView>
    );
  if (loaded.total === 0)
    return (
      <StateView kind="empty" title={t('customers.empty_title')} body={t('customers.empty_body')}>
        {can.activate && (
          <ButtonLink to={paths.addCustomer()} icon="plus">
            {t('customers.add_first')}
          </ButtonLink>
        )}
      </StateView>
    );
  return <CustomerRows customers={customers} placeOf={placeOf} />;
}

/** What waits for an answer about money is answered where the money is. */
const ANSWERED_WITH_EMIS: readonly Filters['todo'][] = ['claim_waiting', 'refund_open'];

/** Row click as the specification says: inactive customers go on with their enrolment, or only warn in some organisations. */
function usePlaceOf(todo: Filters['todo']): PlaceOf {
  const onlyWarns = useAppSelector((state) => state.main.org_config?.inactive_warning ?? false);
  return useCallback(
    ({ customer_id: id, status, first_name }) => {
      if (ANSWERED_WITH_EMIS.includes(todo)) return paths.viewEmiDetails(id);
      if (status !== CUSTOMER_STATUS.inactive || isErased({ first_name })) return paths.customerDetails(id);
      return onlyWarns ? null : paths.customerNavigate(id);
    },
    [onlyWarns, todo],
  );
}
