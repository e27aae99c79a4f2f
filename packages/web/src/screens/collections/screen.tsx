import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { Choose } from './choose.tsx';
import { type Asked, queryOf, useAsked } from './days.ts';
import { CollectionRows } from './rows.tsx';
import { Sums } from './sums.tsx';

/**
 * What came in for EMIs and late fees on a day, or in the last two weeks: in sum, by how, by who took it, and payment by payment. What was paid down at a
 * sale and what was given back are in no figure here, so a till is counted with more than this.
 */
export function Screen() {
  const { t } = useTranslation();
  const { asked, today, isOther, set } = useAsked();
  const [count, setCount] = useState(1);
  // The very first page of the rows: the sums of all of them come with it.
  const first = useRead('listCollections', { query: queryOf(asked, 1) });
  const change = (to: Partial<Asked>) => {
    setCount(1);
    set(to);
  };
  return (
    <Frame title={t('collections.title')} back={paths.dashboard()} wide actions={<SearchButton />}>
      <Choose asked={asked} today={today} onChange={change} />
      {isOther && (
        <p role="status" className="rounded-lg bg-due-soft p-3 text-sm text-due">
          {t('collections.no_day')}
        </p>
      )}
      <QueryView result={first}>
        {(data) => (
          <>
            <Sums of={data} />
            <CollectionRows
              key={Object.values(asked).join(' ')}
              asked={asked}
              count={count}
              onMore={() => setCount(count + 1)}
            />
          </>
        )}
      </QueryView>
    </Frame>
  );
}
