import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DisputeView } from '@kist/contract/disputes';
import { Button } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { useShopNowMs } from '#web/state/shop-clock.ts';
import { late } from '#web/widgets/late.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { DisputeCard } from './dispute-card.tsx';

const forms = () => import('#web/widgets/dispute-forms.tsx');
const NO_WORDS = () => Promise.resolve();
const OpenForm = late(async () => (await forms()).OpenForm, NO_WORDS);
const AnswerForm = late(async () => (await forms()).AnswerForm, NO_WORDS);
const FurtherForm = late(async () => (await forms()).FurtherForm, NO_WORDS);

type Asking = { what: 'open' } | { what: 'close' | 'further'; dispute: DisputeView };

/** What the customer says is wrong, what was answered, and what either side can do about it now. The same for the shop and for the customer. */
export function Disputes({
  customerId,
  disputes,
  isRunning,
}: {
  customerId: string;
  disputes: readonly DisputeView[];
  /** There is something to complain about: `mayComplain`. */
  isRunning: boolean;
}) {
  const { t } = useTranslation();
  const { isStaff, isRetailer, can } = useAccess();
  const nowMs = useShopNowMs();
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const titles = { open: isStaff ? 'start' : 'start_own', close: 'close', further: 'further' } as const;
  const isStill = (until: string | null) => until !== null && Date.parse(until) > nowMs;
  return (
    <>
      {disputes.map((dispute) => (
        <DisputeCard key={dispute.dispute_id} dispute={dispute} isResting={isStill(dispute.stops_until)}>
          {dispute.state === 'open' && isRetailer && can.lock && (
            <Button tone="plain" onClick={() => setAsking({ what: 'close', dispute })}>
              {t('dispute.close')}
            </Button>
          )}
          {dispute.state === 'answered' && isStill(dispute.stops_until) && (
            <Button tone="plain" onClick={() => setAsking({ what: 'further', dispute })}>
              {t('dispute.further')}
            </Button>
          )}
        </DisputeCard>
      ))}
      {isRunning && (
        <Button tone={isStaff ? 'quiet' : 'plain'} icon="chat" onClick={() => setAsking({ what: 'open' })}>
          {t(`dispute.${titles.open}`)}
        </Button>
      )}
      <Sheet open={asking !== null} onClose={close} title={t(`dispute.${titles[asking?.what ?? 'open']}`)}>
        {asking?.what === 'open' && <OpenForm customerId={customerId} onDone={close} />}
        {asking?.what === 'close' && <AnswerForm customerId={customerId} dispute={asking.dispute} onDone={close} />}
        {asking?.what === 'further' && <FurtherForm customerId={customerId} dispute={asking.dispute} onDone={close} />}
      </Sheet>
    </>
  );
}
