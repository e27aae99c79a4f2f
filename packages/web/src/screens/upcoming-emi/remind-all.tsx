import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '#web/api/calls.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { tagOf } from '#web/i18n/languages.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { toast } from '#web/ui/toast.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import type { Bucket } from './buckets.ts';

type Preview = CallReply<'previewEmiAlert'>;

/** Reminds everybody of a bucket, after a look at the very words, how many get them which way, and who is left out and why. */
export function RemindAll({ bucket, customers }: { bucket: Bucket; customers: number }) {
  const { t } = useTranslation();
  const { can } = useAccess();
  const [isAsking, setAsking] = useState(false);
  if (!can.useFeatures || customers === 0) return null;
  return (
    <>
      <Button tone="plain" icon="bell" className="md:justify-self-start" onClick={() => setAsking(true)}>
        {t('dues.remind_all', { count: customers })}
      </Button>
      {isAsking && <Asking bucket={bucket} customers={customers} onClose={() => setAsking(false)} />}
    </>
  );
}

function Asking({ bucket, customers, onClose }: { bucket: Bucket; customers: number; onClose: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const filter = { due: bucket };
  const preview = useRead('previewEmiAlert', { body: { filter } });
  const [remind, { isBusy }] = useWrite('sendEmiAlert', ['getUpcomingEmi']);
  const run = async () => {
    const { data, error } = await remind({ body: { filter } });
    onClose();
    if (error) return problem(error);
    toast.ok(
      data.refused > 0
        ? t('dues.reminded_some', { count: data.reminded, refused: data.refused })
        : t('dues.reminded_all', { count: data.reminded }),
    );
  };
  const reminded = preview.data?.reminded ?? 0;
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('dues.remind_all', { count: customers })}
      footer={
        <>
          <Button tone="plain" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          {reminded > 0 && (
            <Button icon="bell" busy={isBusy} onClick={() => void run()}>
              {t('dues.remind_now', { count: reminded })}
            </Button>
          )}
        </>
      }
    >
      <QueryView result={preview}>{(data) => <Shown preview={data} />}</QueryView>
    </Sheet>
  );
}

function Shown({ preview: { texts, left_out: leftOut } }: { preview: Preview }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4">
      {texts.length === 0 && <p>{t('dues.remind_nobody')}</p>}
      {texts.map((one) => (
        <section key={one.language} className="grid gap-2" aria-label={LANGUAGE_NAMES[one.language]}>
          <h3 className="flex flex-wrap items-center gap-2 font-semibold">
            {LANGUAGE_NAMES[one.language]}
            <Chip tone="accent" icon="chat">
              {t('dues.by_sms', { n: one.sms })}
            </Chip>
            {one.phone > 0 && (
              <Chip tone="accent" icon="phone">
                {t('dues.by_phone', { n: one.phone })}
              </Chip>
            )}
          </h3>
          <blockquote
            lang={tagOf(one.language)}
            className="rounded-lg border border-line bg-raise px-3 py-2.5 break-words"
          >
            {one.text}
          </blockquote>
          <p className="text-sm text-ink-2">{t('dues.as_to', { name: one.name })}</p>
        </section>
      ))}
      {leftOut.length > 0 && (
        <section className="grid gap-1" aria-label={t('dues.left_out')}>
          <h3 className="font-semibold">{t('dues.left_out')}</h3>
          {leftOut.map((one) => (
            <LeftOut key={one.code} group={one} />
          ))}
        </section>
      )}
    </div>
  );
}

function LeftOut({ group: { code, count, customers } }: { group: Preview['left_out'][number] }) {
  const { t } = useTranslation();
  return (
    <details className="rounded-lg border border-line bg-card px-3">
      <summary className="flex min-h-12 items-center justify-between gap-3">
        <span>{t(`dues.out_${code}`)}</span>
        <b>{count}</b>
      </summary>
      <ul className="grid gap-1 pb-3 text-sm text-ink-2">
        {customers.map((one) => (
          <li key={one.customer_id} className="flex flex-wrap justify-between gap-x-3">
            <span className="text-ink">{one.name}</span>
            {one.again_at && <span>{t('dues.again', { when: formatDateTime(one.again_at) })}</span>}
          </li>
        ))}
        {count > customers.length && <li>…</li>}
      </ul>
    </details>
  );
}
