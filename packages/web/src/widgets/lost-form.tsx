import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { LOST_KINDS, type LostKind } from '@kist/contract/lost-kinds';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { useTold } from './words-form.tsx';

/** Whether it was stolen or is lost, and what the customer wants to say of it; nobody has to explain themselves. */
export function LostForm({ customerId, onDone }: { customerId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<LostKind>('theft');
  const [note, setNote] = useState('');
  const [report, { isBusy }] = useTold('reportLost', t('lost.sent'));
  const send = async () => {
    if (await report({ body: { customer_id: customerId, kind, note: note.trim() } })) onDone();
  };
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">{t('lost.hint')}</p>
      <SelectField
        label={t('lost.kind')}
        value={kind}
        onChange={(event) => setKind(event.target.value as LostKind)}
        options={LOST_KINDS.map((value) => ({ value, label: t(`lost.kind_${value}`) }))}
      />
      <TextArea
        label={t('lost.note')}
        optional={t('common.optional')}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        maxLength={LIMITS.noteLength}
      />
      <Button tone="danger" icon="lock" busy={isBusy} onClick={() => void send()}>
        {t('lost.send')}
      </Button>
    </div>
  );
}
