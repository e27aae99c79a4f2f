import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DisputeView } from '@kist/contract/disputes';
import { LIMITS } from '@kist/contract/limits';
import { useRead } from '#web/api/use-call.ts';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { useTyped } from '#web/state/typed.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { Checkbox } from '#web/ui/switch.tsx';
import { useAccess } from './use-access.ts';
import { useTold, WordsForm } from './words-form.tsx';

interface OfOne {
  customerId: string;
  dispute: DisputeView;
  onDone: () => void;
}

/** The shop's answer, which the customer reads and may take further; that the customer is right opens the phone. */
export function AnswerForm({ customerId, dispute: { dispute_id }, onDone }: OfOne) {
  const { t } = useTranslation();
  const [close, { isBusy }] = useTold('closeDispute', t('dispute.closed'));
  const [isRight, setRight] = useState(false);
  return (
    <WordsForm
      about={`answer/${customerId}/${dispute_id}`}
      hint={t('dispute.answer_hint')}
      label={t('dispute.outcome')}
      least={LIMITS.reasonLengthMin}
      isBusy={isBusy}
      send={(outcome) => close({ body: { dispute_id, outcome, ...(isRight && { is_upheld: true }) } })}
      onDone={onDone}
    >
      <Checkbox checked={isRight} onChange={setRight}>
        {t('lock_timeline.right')}
      </Checkbox>
    </WordsForm>
  );
}

/** The customer does not agree with the shop: somebody above it looks. */
export function FurtherForm({ customerId, dispute: { dispute_id }, onDone }: OfOne) {
  const { t } = useTranslation();
  const [escalate, { isBusy }] = useTold('escalateDispute', t('dispute.sent_further'));
  return (
    <WordsForm
      about={`further/${customerId}/${dispute_id}`}
      hint={t('dispute.further_hint')}
      label={t('dispute.further_text')}
      least={1}
      isBusy={isBusy}
      send={(text) => escalate({ body: { dispute_id, text } })}
      onDone={onDone}
    />
  );
}

/** Which EMI is wrong, and what about it. What a customer says is heard however short it is. */
export function OpenForm({ customerId, onDone }: { customerId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const { isStaff } = useAccess();
  const { data: details } = useRead('getEmiDetails', { body: { customer_id: customerId } });
  const about = `dispute/${customerId}`;
  const [{ chosen }, type] = useTyped<{ chosen: string }>(about);
  const [open, { isBusy }] = useTold('openDispute', t('dispute.opened'));
  const rows = details?.instalments ?? [];
  // Where all is paid it is about one that the phone was locked for.
  const meant = chosen ?? (rows.find((row) => row.left_paise > 0) ?? rows[0])?.instalment_id;
  return (
    <WordsForm
      about={about}
      hint={t('dispute.hint')}
      label={t(isStaff ? 'dispute.text' : 'dispute.text_own')}
      least={1}
      isBusy={isBusy}
      send={(text) =>
        open({ body: { customer_id: customerId, text, ...(meant !== undefined && { instalment_id: meant }) } })
      }
      onDone={onDone}
    >
      {rows.length > 0 && (
        <SelectField
          label={t('dispute.which')}
          value={meant ?? ''}
          onChange={(event) => type({ chosen: event.target.value })}
          options={rows.map((row) => ({
            value: row.instalment_id,
            label: [row.place, formatDate(row.due_on), formatMoney(row.total_paise)].join(' · '),
          }))}
        />
      )}
    </WordsForm>
  );
}
