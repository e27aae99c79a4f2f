import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '#web/api/error-text.ts';
import type { ReadResult } from '#web/api/use-call.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useKept } from '#web/widgets/kept-note.tsx';

/** One part of what is kept: what there is, that it is on its way, or why it is not there. The other parts do not wait for it. */
export function Part<Data>(props: { title: string; result: ReadResult<Data>; children: (data: Data) => ReactNode }) {
  const { title, result, children } = props;
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = result;
  useKept(data === undefined ? undefined : result.keptAtMs);
  const [hasFailed, setFailed] = useState(false);
  if (error && !isFetching && !hasFailed) setFailed(true);
  return (
    <Card className="grid gap-2" aria-label={title}>
      <h2 className="font-bold">{title}</h2>
      {data !== undefined && children(data)}
      {data === undefined && error && hasFailed && (
        <>
          <p role="status" className="text-ink-2">
            {errorText(error, t)}
          </p>
          <Button tone="plain" icon="refresh" busy={isFetching} onClick={refetch}>
            {t('common.retry')}
          </Button>
        </>
      )}
      {data === undefined && !hasFailed && <Skeleton className="h-12" />}
    </Card>
  );
}
