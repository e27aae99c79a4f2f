import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { addDays, type IsoDate } from '@kist/contract/dates';
import type { CallReply } from '#web/api/calls.ts';
import { useRead } from '#web/api/use-call.ts';
import { formatDay, formatMoney, shopToday } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Facts, LedgerCard } from '#web/ui/card.tsx';
import { FilterChip } from '#web/ui/chip.tsx';
import { Money } from '#web/widgets/money.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { PAGE_SIZE } from './page-size.ts';
import { CollectionRows } from './rows.tsx';

/** As many days as Home's bars have. */
const FORTNIGHT = 14;
/** The most that is asked for at once. */
const DAYS_MAX = 31;

/** Which days, by the address; a day that has not come has nothing. */
function useDays() {
  const [search, setSearch] = useSearchParams();
  const today = shopToday();
  const asked = search.get('on') ?? '';
  const on = /^\d{4}-\d\d-\d\d$/.test(asked) && asked < today ? (asked as IsoDate) : today;
  const count = Number(search.get('days'));
  const days = Number.isInteger(count) && count > 1 && count <= DAYS_MAX ? count : 1;
  const set = (next: IsoDate, of = 1) =>
    setSearch({ ...(next < today && { on: next }), ...(of > 1 && { days: String(of) }) }, { replace: true });
  return { on, days, isToday: on === today, set };
}

/** What came in on a day, or in the last two weeks: in sum, by how, and payment by payment. With the cash of it the till is counted in the evening. */
export function Screen() {
  const { t } = useTranslation();
  const { on, days, isToday, set } = useDays();
  const [count, setCount] = useState(1);
  // The very first page of the rows: the sums of all of them come with it.
  const first = useRead('listCollections', { query: { on, days, page: 1, page_size: PAGE_SIZE } });
  const to = (next: IsoDate, of = 1) => {
    setCount(1);
    set(next, of);
  };
  return (
    <Frame title={t('collections.title')} back={paths.dashboard()} wide actions={<SearchButton />}>
      <div className="flex flex-wrap items-center gap-2">
        <IconButton icon="back" label={t('collections.day_before')} onClick={() => to(addDays(on, -1))} />
        <FilterChip pressed={days === 1} onClick={() => to(on)}>
          {formatDay(on)}
        </FilterChip>
        <IconButton
          icon="next"
          label={t('collections.day_after')}
          disabled={isToday}
          onClick={() => to(addDays(on, 1))}
        />
        <FilterChip pressed={days > 1} onClick={() => to(shopToday(), FORTNIGHT)}>
          {t('collections.days', { count: FORTNIGHT })}
        </FilterChip>
      </div>
      <QueryView result={first}>
        {(data) => (
          <>
            <Sums of={data} />
            <CollectionRows
              key={`${on} ${days}`}
              on={on}
              days={days}
              count={count}
              onMore={() => setCount(count + 1)}
            />
          </>
        )}
      </QueryView>
    </Frame>
  );
}

/** In all, and by how it came in. */
function Sums({ of }: { of: CallReply<'listCollections'> }) {
  const { t } = useTranslation();
  return (
    <LedgerCard className="grid gap-2">
      <span className="grid gap-0.5">
        <span className="text-sm text-ink-2">{t('collections.payments', { count: of.total })}</span>
        <Money paise={of.paise} />
      </span>
      {of.methods.length > 0 && (
        <Facts
          items={of.methods.map(({ method, payments, paise }) => ({
            label: `${t(`emi.pay_${method}`)} · ${payments}`,
            value: formatMoney(paise),
          }))}
        />
      )}
    </LedgerCard>
  );
}
