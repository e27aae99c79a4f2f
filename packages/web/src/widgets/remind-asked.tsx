import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '#web/api/calls.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { tagOf } from '#web/i18n/languages.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { toast } from '#web/ui/toast.ts';
import { QueryView } from './query-view.tsx';
import type { Reminding } from './remind-sheet.tsx';
import { useProblem } from './use-problem.ts';

type Preview = CallReply<'previewEmiAlert'>;
type Told = CallReply<'sendEmiAlert'>;

/** Asks before anybody is reminded, with the very words, how many get them which way, and who is left out and why. */
export function Asked({ whom, onDone }: { whom: Reminding; onDone: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const preview = useRead('previewEmiAlert', { body: { filter: whom } });
  const [remind, { isBusy }] = useWrite('sendEmiAlert', ['getUpcomingEmi', 'listCustomers']);
  const run = async () => {
    const { data, error } = await remind({ body: 'customer_id' in whom ? whom : { filter: whom } });
    onDone();
    if (error) return problem(error);
    toast.ok('customer_id' in whom ? oneTold(data, t) : manyTold(data, t));
  };
  const reminded = preview.data?.reminded ?? 0;
  return (
    <>
      <QueryView result={preview}>{(data) => <Shown preview={data} />}</QueryView>
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex flex-wrap gap-2 bg-card px-4 pt-2 pb-4 *:flex-1">
        <Button tone="plain" onClick={onDone}>
          {t('common.cancel')}
        </Button>
        {reminded > 0 && (
          <Button icon="bell" busy={isBusy} onClick={() => void run()}>
            {t('dues.remind_now', { count: reminded })}
          </Button>
        )}
      </div>
    </>
  );
}

const oneTold = ({ sent }: Told, t: TFunction): string =>
  t('emi.reminded', { channels: sent.map((channel) => t(`emi.channel_${channel}`)).join(' + ') });

const manyTold = ({ reminded, refused }: Told, t: TFunction): string =>
  refused > 0 ? t('dues.reminded_some', { count: reminded, refused }) : t('dues.reminded_all', { count: reminded });

function Shown({ preview: { total, texts, left_out: leftOut } }: { preview: Preview }) {
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
            <LeftOut key={one.code} group={one} isOpen={total === 1} />
          ))}
        </section>
      )}
    </div>
  );
}

function LeftOut(props: { group: Preview['left_out'][number]; isOpen: boolean }) {
  const { code, count, customers } = props.group;
  const { t } = useTranslation();
  return (
    <details open={props.isOpen} className="rounded-lg border border-line bg-card px-3">
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
