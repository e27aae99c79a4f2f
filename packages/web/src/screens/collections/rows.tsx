import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import type { CallReply } from '#web/api/calls.ts';
import { useRead } from '#web/api/use-call.ts';
import { formatMoney, formatTime, shortName } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { ScreenSkeleton } from '#web/ui/skeleton.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import type { CameFrom } from '#web/widgets/came-from.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Sentinel } from '#web/widgets/sentinel.tsx';
import { type Asked, formatWholeDay, PAGE_SIZE, queryOf } from './days.ts';

type Payment = CallReply<'listCollections'>['list'][number];

interface Of {
  asked: Asked;
}

/** Payments of some days, latest first, page after page as one comes near the end. @param count how many pages are open */
export function CollectionRows({ count, onMore, asked }: Of & { count: number; onMore: () => void }) {
  /** The day that each page ends with: the next one may go on with it. */
  const [ends, setEnds] = useState<Partial<Record<number, string>>>({});
  const endsWith = useCallback(
    (page: number, day: string | undefined) => setEnds((was) => (was[page] === day ? was : { ...was, [page]: day })),
    [],
  );
  return Array.from({ length: count }, (_, place) => (
    <Page
      key={place}
      asked={asked}
      page={place + 1}
      dayBefore={ends[place]}
      onMore={place + 1 === count ? onMore : undefined}
      onEnd={endsWith}
    />
  ));
}

function Page(
  props: Of & {
    page: number;
    /** Its heading stands above: what goes on with it has none. */
    dayBefore: string | undefined;
    onMore: (() => void) | undefined;
    onEnd: (page: number, day: string | undefined) => void;
  },
) {
  const { asked, page, dayBefore, onMore, onEnd } = props;
  const { t } = useTranslation();
  const result = useRead('listCollections', { query: queryOf(asked, page) });
  const end = result.data?.list.at(-1)?.paid_on;
  useEffect(() => onEnd(page, end), [onEnd, page, end]);
  return (
    <QueryView result={result} skeleton={<ScreenSkeleton label={t('states.loading')} />}>
      {({ list, total }) =>
        total === 0 ? (
          <StateView kind="empty" title={t('collections.none')} />
        ) : (
          <>
            {byDay(list).map(([day, payments]) => (
              <section
                key={day}
                className="grid gap-1"
                aria-label={day === dayBefore ? undefined : formatWholeDay(day)}
              >
                {asked.days > 1 && day !== dayBefore && (
                  <h2 className="text-sm font-semibold text-ink-2">{formatWholeDay(day)}</h2>
                )}
                <RowGroup>
                  {payments.map((payment) => (
                    <Row key={payment.payment_id} payment={payment} />
                  ))}
                </RowGroup>
              </section>
            ))}
            {onMore && page * PAGE_SIZE < total && <Sentinel onSeen={onMore} />}
          </>
        )
      }
    </QueryView>
  );
}

/** In the order in which they stand. */
function byDay(list: readonly Payment[]): [day: string, payments: Payment[]][] {
  const days = new Map<string, Payment[]>();
  for (const payment of list) days.set(payment.paid_on, [...(days.get(payment.paid_on) ?? []), payment]);
  return [...days];
}

/** Who paid, how and when, on which receipt; a press opens their EMIs, where the receipt is, and from there one comes back to this day. */
function Row({ payment }: { payment: Payment }) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { customer_id, first_name, last_name, device, receipt_no, recorded_by } = payment;
  return (
    <ListRow
      to={paths.viewEmiDetails(customer_id)}
      state={{ cameFrom: paths.collections() + search } satisfies CameFrom}
      title={[shortName(first_name), shortName(last_name)].filter(Boolean).join(' ')}
      detail={
        <>
          {device}
          {receipt_no && (
            <>
              {' · '}
              {/* A number is read in one piece: it goes to the next line whole. */}
              <span className="inline-block">{receipt_no}</span>
            </>
          )}
          {recorded_by && ` · ${recorded_by}`}
        </>
      }
      trail={
        <>
          <b className="text-base text-ink">{formatMoney(payment.amount_paise)}</b>
          <span>
            {t(`emi.pay_${payment.method}`)} · {formatTime(Date.parse(payment.paid_at))}
          </span>
        </>
      }
    />
  );
}
