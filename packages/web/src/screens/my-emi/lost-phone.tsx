import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LostKind } from '@kist/contract/lost-kinds';
import type { CustomerProfile } from '@kist/contract/customers';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { toast } from '#web/ui/toast.ts';
import { late } from '#web/widgets/late.tsx';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** It needs the network, so its code comes when it is opened; its words came with the screen's. */
const LostForm = late(
  async () => (await import('#web/widgets/lost-form.tsx')).LostForm,
  () => Promise.resolve(),
);

/** The customer's own word that the phone was stolen or is lost, and the way to take it back. Nothing to do with what is owed. */
export function LostPhone({ profile: { customer, device, lost_reports: reports } }: { profile: CustomerProfile }) {
  const { customer_id: customerId } = customer;
  const { t } = useTranslation();
  const problem = useProblem();
  const [isAsking, setAsking] = useState(false);
  const [withdraw, { isBusy }] = useWrite('withdrawLost', PHONE_READS);
  if (!device?.enrolled_at || device.released_at) return null;
  const takeBack = async (kind: LostKind) => {
    const { data: done, error } = await withdraw({ body: { customer_id: customerId, kind } });
    if (error) return problem(error);
    toast.ok(done && done.level > 0 ? t('lost.found_still_locked') : t('lost.found_done'));
  };
  return (
    <>
      {reports.map(({ kind, at }) => (
        <Card key={kind} className="grid gap-2">
          <Chip tone="over" icon="shield">
            {t(`lost.said_${kind}`)}
          </Chip>
          <p className="text-sm text-ink-2">{t('lost.since', { at: formatDateTime(at) })}</p>
          <Button tone="plain" busy={isBusy} onClick={() => void takeBack(kind)}>
            {t('lost.found')}
          </Button>
        </Card>
      ))}
      {reports.length === 0 && (
        <Button tone="quiet" icon="shield" onClick={() => setAsking(true)}>
          {t('lost.start')}
        </Button>
      )}
      <Sheet open={isAsking} onClose={() => setAsking(false)} title={t('lost.start')}>
        {isAsking && <LostForm customerId={customerId} onDone={() => setAsking(false)} />}
      </Sheet>
    </>
  );
}
