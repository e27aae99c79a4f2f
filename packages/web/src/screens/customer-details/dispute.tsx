import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LockTimeline } from '@kist/contract/customers';
import { LIMITS } from '@kist/contract/limits';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';

/** The customer's word against ours: while it is open no lock happens by itself. */
export function Dispute({ customerId, dispute }: { customerId: string; dispute: LockTimeline['dispute'] }) {
  const { t } = useTranslation();
  const { isRetailer, can } = useAccess();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {dispute ? (
        <Card className="grid gap-2">
          <Chip tone="over" icon="chat">
            {t('dispute.open')}
          </Chip>
          <p>{dispute.text}</p>
          <p className="text-sm text-ink-2">{t('dispute.since', { at: formatDateTime(dispute.opened_at) })}</p>
          {isRetailer && can.lock && (
            <Button tone="plain" onClick={() => setAsking(true)}>
              {t('dispute.close')}
            </Button>
          )}
        </Card>
      ) : (
        <Button tone="quiet" icon="chat" onClick={() => setAsking(true)}>
          {t('dispute.start')}
        </Button>
      )}
      <Sheet open={isAsking} onClose={() => setAsking(false)} title={dispute ? t('dispute.close') : t('dispute.start')}>
        {isAsking && <Form customerId={customerId} dispute={dispute} onDone={() => setAsking(false)} />}
      </Sheet>
    </>
  );
}

function Form({
  customerId,
  dispute,
  onDone,
}: {
  customerId: string;
  dispute: LockTimeline['dispute'];
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [text, setText] = useState('');
  const [isShort, setShort] = useState(false);
  // What a customer says is heard however short it is; what was found must be told.
  const least = dispute ? LIMITS.reasonLengthMin : 1;
  const [openIt, { isBusy: isOpening }] = useWrite('openDispute', PHONE_READS);
  const [closeIt, { isBusy: isClosing }] = useWrite('closeDispute', PHONE_READS);
  const send = async () => {
    if (text.trim().length < least) return setShort(true);
    const { error } = dispute
      ? await closeIt({ body: { dispute_id: dispute.dispute_id, outcome: text.trim() } })
      : await openIt({ body: { customer_id: customerId, text: text.trim() } });
    if (error) return problem(error);
    toast.ok(dispute ? t('dispute.closed') : t('dispute.opened'));
    onDone();
  };
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">{t('dispute.hint')}</p>
      <TextArea
        label={dispute ? t('dispute.outcome') : t('dispute.text')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        maxLength={LIMITS.noteLength}
        error={isShort && text.trim().length < least ? t('field.required') : undefined}
      />
      <Button busy={isOpening || isClosing} onClick={() => void send()}>
        {t('common.save')}
      </Button>
    </div>
  );
}
