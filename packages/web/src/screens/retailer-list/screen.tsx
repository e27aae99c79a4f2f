import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { ShopState } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { paths } from '#web/paths.ts';
import { ButtonLink, IconButton } from '#web/ui/button.tsx';
import { ChipRow, FilterChip } from '#web/ui/chip.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { countLine } from '#web/widgets/paged-list/use-pages.ts';
import { ProblemView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { useSearchText } from '#web/widgets/use-search-text.ts';
import { ShopRows } from './rows.tsx';
import { type Filters, useShops } from './use-shops.ts';

/** In the order of the chips; a list of the contract's would stand in the app's first bundle. */
const STATES: readonly ShopState[] = ['all', 'active', 'suspended'];

/** Which shops are shown stands in the address. */
function useFilters() {
  const [search, setSearch] = useSearchParams();
  const filters: Filters = {
    search: search.get('search') ?? '',
    state: STATES.find((state) => state === search.get('state')) ?? 'all',
  };
  const set = (next: Filters) =>
    setSearch(
      Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '' && value !== 'all')) as Record<
        string,
        string
      >,
      { replace: true },
    );
  return { filters, isFiltered: search.size > 0, set };
}

/** The mini-retailers of a shop, with what their work comes to; back to the very place one left. */
export function Screen() {
  const { t } = useTranslation();
  const { filters, isFiltered, set } = useFilters();
  const shops = useShops(filters);
  const text = useSearchText(filters.search, (search) => set({ ...filters, search }));
  const { can } = useAccess();
  const navigate = useNavigate();
  return (
    <Frame
      title={t('retailers.title')}
      detail={countLine(shops, (count) => t('retailers.count', { count }))}
      wide
      actions={
        <>
          <SearchButton />
          {can.addShops && (
            <IconButton icon="plus" label={t('retailers.add')} onClick={() => void navigate(paths.addRetailer())} />
          )}
          <IconButton icon="refresh" label={t('common.refresh')} onClick={() => void shops.refresh()} />
        </>
      }
    >
      <SearchField
        label={t('retailers.search')}
        placeholder={t('retailers.search')}
        value={text.value}
        onValue={text.change}
        maxLength={LIMITS.searchLength}
      />
      <ChipRow label={t('customers.filter')}>
        {STATES.map((state) => (
          <FilterChip key={state} pressed={filters.state === state} onClick={() => set({ ...filters, state })}>
            {state === 'all' ? t('common.all') : t(`retailers.${state}`)}
          </FilterChip>
        ))}
      </ChipRow>
      <Body shops={shops} isFiltered={isFiltered} />
    </Frame>
  );
}

function Body({ shops, isFiltered }: { shops: ReturnType<typeof useShops>; isFiltered: boolean }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const { loaded, error, retry } = shops;
  if (!loaded)
    return error ? <ProblemView error={error} onRetry={retry} /> : <ScreenSkeleton label={t('states.loading')} />;
  if (loaded.total > 0) return <ShopRows shops={shops} />;
  if (isFiltered)
    return <StateView kind="no_result" title={t('states.no_result_title')} body={t('states.no_result_body')} />;
  return (
    <StateView kind="empty" title={t('retailers.empty_title')} body={t('retailers.empty_body')}>
      {can.addShops && (
        <ButtonLink to={paths.addRetailer()} icon="plus">
          {t('retailers.add')}
        </ButtonLink>
      )}
    </StateView>
  );
}
