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
import { between, dayOf, firstBucket, isBucket } from './buckets.ts';
import { DayChip } from './day-chip.tsx';
import type { OnDue } from './due-row.tsx';
import { DueRows } from './due-rows.tsx';
import type { Sum } from './due-table.tsx';
import { RemindAll } from './remind-all.tsx';

/** What is to be collected and when: overdue, today, 7 and 30 days, each with its sum; call, remind and collect without leaving. */
export function Screen() {
  const { t } = useTranslation();
  const [collecting, setCollecting] = useState<{ customerId: string; saidPaise?: number | undefined } | null>(null);
  const [reminding, setReminding] = useState<string | null>(null);
  const { can } = useAccess();
  const onRemind = can.useFeatures ? setReminding : undefined;
  const counts = useRead('upcomingEmiCounts', {});
  const onCollect = (customerId: string, saidPaise?: number) => setCollecting({ customerId, saidPaise });
  return (
    <Frame title={t('shell.emis')} wide actions={<SearchButton />}>
      <QueryView result={counts}>
        {(data) => <Asked counts={data} onCollect={onCollect} onRemind={onRemind} />}
      </QueryView>
      <Collect customerId={null} {...collecting} onClose={() => setCollecting(null)} />
      <RemindSheet
        whom={reminding === null ? null : { customer_id: reminding }}
        title={t('emi.remind')}
        onClose={() => setReminding(null)}
      />
    </Frame>
  );
}

const NOTHING: Sum = { customers: 0, paise: 0 };

/** The bucket that the address asks for, or one day of it. */
function Asked({ counts, ...on }: { counts: readonly (Sum & { bucket: string })[] } & OnDue) {
  const [search, setSearch] = useSearchParams();
  const { part, isTall } = useTall();
  const asked = search.get('bucket');
  const at = isBucket(asked) ? asked : firstBucket(counts);
  const day = dayOf(at, search.get('on'));
  const ofDay = useRead('upcomingEmiCounts', { query: between(day) }, { skip: day === undefined });
  const sum = (day ? ofDay.data : counts)?.find(({ bucket }) => bucket === at);
  const toBucket = (bucket: string) => setSearch({ bucket }, { replace: true });
  return (
    <>
      <div
        ref={part}
        className={cx(!isTall && 'sticky', 'top-[calc(var(--top,0px)+4rem)] z-10 -mx-4 bg-bg/95 px-4 pb-2 frosted')}
      >
        <BucketRow counts={counts} at={at} onChange={toBucket} />
      </div>
      {day ? (
        <DayChip day={day} sum={sum} onClear={() => toBucket(at)} />
      ) : (
        <RemindAll bucket={at} customers={sum?.customers ?? 0} />
      )}
      <DueRows key={`${at} ${day}`} bucket={at} day={day} sum={sum ?? NOTHING} {...on} />
    </>
  );
}
