import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useRead } from '#web/api/use-call.ts';
import { cx } from '#web/ui/cx.ts';
import { useTall } from '#web/ui/use-tall.ts';
import { Collect } from '#web/widgets/collect/collect.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { RemindSheet } from '#web/widgets/remind-sheet.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { BucketRow } from './bucket-row.tsx';
import { firstBucket, isBucket } from './buckets.ts';
import { DueRows } from './due-rows.tsx';
import { RemindAll } from './remind-all.tsx';

/** What is to be collected and when: overdue, today, 7 and 30 days, each with its sum; call, remind and collect without leaving. */
export function Screen() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [collecting, setCollecting] = useState<string | null>(null);
  const { part, isTall } = useTall();
  const [reminding, setReminding] = useState<string | null>(null);
  const { can } = useAccess();
  const onRemind = can.useFeatures ? setReminding : undefined;
  const counts = useRead('upcomingEmiCounts', {});
  const asked = search.get('bucket');
  return (
    <Frame title={t('shell.emis')} wide actions={<SearchButton />}>
      <QueryView result={counts}>
        {(data) => {
          const at = isBucket(asked) ? asked : firstBucket(data);
          const sum = data.find(({ bucket }) => bucket === at) ?? { customers: 0, paise: 0 };
          return (
            <>
              <div
                ref={part}
                className={cx(
                  !isTall && 'sticky',
                  'top-[calc(var(--top,0px)+4rem)] z-10 -mx-4 bg-bg/95 px-4 pb-2 frosted',
                )}
              >
                <BucketRow counts={data} at={at} onChange={(bucket) => setSearch({ bucket }, { replace: true })} />
              </div>
              <RemindAll bucket={at} customers={sum.customers} />
              <DueRows key={at} bucket={at} sum={sum} onCollect={setCollecting} onRemind={onRemind} />
            </>
          );
        }}
      </QueryView>
      <Collect customerId={collecting} onClose={() => setCollecting(null)} />
      <RemindSheet
        whom={reminding === null ? null : { customer_id: reminding }}
        title={t('emi.remind')}
        onClose={() => setReminding(null)}
      />
    </Frame>
  );
}
