import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LockTimeline } from '@kist/contract/customers';
import { formatDate } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from '#web/widgets/late.tsx';
import { useRunningHolds } from '#web/widgets/running-holds.ts';
import { useAccess } from '#web/widgets/use-access.ts';

type Hold = LockTimeline['holds'][number];

/** The words are the page's own. */
const NO_WORDS = () => Promise.resolve();
const Grant = late(async () => (await import('#web/widgets/hold-forms.tsx')).Grant, NO_WORDS);
const Lift = late(async () => (await import('#web/widgets/hold-forms.tsx')).Lift, NO_WORDS);

/** Time that the shop gives a customer whose agreement runs: while it lasts no lock rises. */
export function Holds(props: { customerId: string; timeline: Pick<LockTimeline, 'holds'>; isRunning: boolean }) {
  const { customerId, timeline, isRunning } = props;
  const { t } = useTranslation();
  const holds = useRunningHolds(timeline);
  const { isRetailer, isStaff, can } = useAccess();
  const [open, setOpen] = useState<Hold | 'new' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {holds.map((hold) => (
        <Card key={hold.hold_id} className="grid gap-2">
          <Chip tone="due" icon="shield">
            {t('hold.until', { until_on: formatDate(hold.until_on) })}
          </Chip>
          <p>{t(`hold.kind_${hold.kind}`)}</p>
          {hold.is_organisations && <p className="text-sm text-ink-2">{t('hold.organisations')}</p>}
          {isRetailer && can.lock && !hold.is_organisations && (
            <Button tone="plain" onClick={() => setOpen(hold)}>
              {t('hold.lift')}
            </Button>
          )}
        </Card>
      ))}
      {isStaff && can.unlock && isRunning && holds.length === 0 && (
        <Button tone="quiet" icon="shield" onClick={() => setOpen('new')}>
          {t('hold.start')}
        </Button>
      )}
      <Sheet open={open !== null} onClose={close} title={open === 'new' ? t('hold.start') : t('hold.lift')}>
        {open === 'new' && <Grant customerId={customerId} onDone={close} />}
        {open !== null && open !== 'new' && <Lift customerId={customerId} hold={open} onDone={close} />}
      </Sheet>
    </>
  );
}
