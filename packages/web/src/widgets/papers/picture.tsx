import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '#web/api/errors.ts';
import { asApiError, linkedFile } from '#web/api/linked-file.ts';
import { useRead } from '#web/api/use-call.ts';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ProblemView } from '#web/widgets/query-view.tsx';

/** What a link opened, for as long as it is shown. */
function useLinkedPicture(url: string | undefined) {
  const [shown, setShown] = useState<{ url: string; source?: string; error?: ApiError }>();
  useEffect(() => {
    if (url === undefined) return;
    const stopped = new AbortController();
    let source: string | undefined;
    linkedFile(url, stopped.signal).then(
      (blob) => {
        source = URL.createObjectURL(blob);
        setShown({ url, source });
      },
      (error: unknown) => {
        if (!stopped.signal.aborted) setShown({ url, error: asApiError(error) });
      },
    );
    return () => {
      stopped.abort();
      if (source) URL.revokeObjectURL(source);
    };
  }, [url]);
  return shown?.url === url ? shown : undefined;
}

/** A kept picture, opened by a link of its own, which is good for a minute and asked for when the picture is. */
export function Picture({ documentId, alt }: { documentId: string; alt: string }) {
  const { t } = useTranslation();
  const link = useRead('getDocument', { query: { document_id: documentId } });
  const picture = useLinkedPicture(link.isFetching ? undefined : link.data?.url);
  const error = link.error ?? picture?.error;
  if (error && !link.isFetching) return <ProblemView error={error} onRetry={link.refetch} />;
  if (!picture?.source)
    return (
      <div role="status">
        <span className="sr-only">{t('states.loading')}</span>
        <Skeleton className="h-48" />
      </div>
    );
  return (
    <Card className="p-2">
      <img src={picture.source} alt={alt} className="mx-auto max-h-[60dvh] rounded-lg bg-white object-contain" />
    </Card>
  );
}
