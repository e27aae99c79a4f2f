import { useTranslation } from 'react-i18next';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { useTyped } from '#web/state/typed.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { PHONE_READS } from '#web/widgets/phone-reads.ts';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { WordsForm } from './answer-form.tsx';

/** Which EMI is wrong, and what about it. What a customer says is heard however short it is. */
export function OpenForm({ customerId, onDone }: { customerId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const { isStaff } = useAccess();
  const problem = useProblem();
  const { data: details } = useRead('getEmiDetails', { body: { customer_id: customerId } });
  const about = `dispute/${customerId}`;
  const [{ chosen }, type] = useTyped<{ chosen: string }>(about);
  const [open, { isBusy }] = useWrite('openDispute', PHONE_READS);
  const rows = details?.instalments ?? [];
  const meant = chosen ?? rows.find((row) => row.left_paise > 0)?.instalment_id;
  const send = async (text: string) => {
    const { error } = await open({
      body: { customer_id: customerId, text, ...(meant !== undefined && { instalment_id: meant }) },
    });
    if (error) problem(error);
    else toast.ok(t('dispute.opened'));
    return !error;
  };
  const words = { hint: t('dispute.hint'), label: t(isStaff ? 'dispute.text' : 'dispute.text_own'), least: 1 };
  return (
    <WordsForm about={about} {...words} isBusy={isBusy} send={send} onDone={onDone}>
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
