import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import { useQueuedWrite } from '#web/offline/app-outbox.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { tick } from '#web/native/haptics.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterChip } from '#web/ui/chip.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { RadioRows } from '#web/ui/switch.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { keptKey } from '#web/widgets/kept-key.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { choicesOf, type Choice } from './choices.ts';

type Method = 'CASH' | 'UPI' | 'OTHER';

/** Takes one EMI, all that are late, or any part; kept and sent later when there is no network. */
export function CollectSheet(props: {
  open: boolean;
  onClose: () => void;
  details: EmiDetails;
  onReceipt: (receipt: Receipt) => void;
}) {
  const { t } = useTranslation();
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('emi.collect')}>
      {props.open && <Form {...props} />}
    </Sheet>
  );
}

function Form({
  onClose,
  details,
  onReceipt,
}: {
  onClose: () => void;
  details: EmiDetails;
  onReceipt: (receipt: Receipt) => void;
}) {
  const { t } = useTranslation();
  const problem = useProblem();
  const choices = choicesOf(details);
  const [choice, setChoice] = useState<Choice>(choices[0]!);
  const [paise, setPaise] = useState<number | undefined>(choices[0]!.paise);
  const [method, setMethod] = useState<Method>('CASH');
  const [reference, setReference] = useState('');
  const [payOne, { isBusy: isOne }] = useQueuedWrite('updateEmiStatus', MONEY_READS);
  const [payMany, { isBusy: isMany }] = useQueuedWrite('multipleEmiPaid', MONEY_READS);
  const owedPaise = details.agreement.outstanding_paise + details.agreement.penal_left_paise;
  const wrong =
    paise === undefined || paise <= 0
      ? t('field.required')
      : paise > owedPaise
        ? t('errors.AMOUNT_TOO_LARGE')
        : undefined;

  const pick = (next: Choice) => {
    setChoice(next);
    setPaise(next.paise);
  };
  const pay = async () => {
    if (wrong || paise === undefined) return;
    const tender = { method, reference: reference.trim() };
    const label = t('emi.outbox_label', { amount: formatMoney(paise), name: details.agreement.first_name });
    const isWhole = choice.paise === paise && choice.ids.length > 1;
    const outcome = isWhole
      ? await payMany(
          { body: { customer_id: details.agreement.customer_id, instalment_ids: [...choice.ids], ...tender } },
          label,
        )
      : await payOne({ body: { instalment_id: choice.ids[0]!, amount: paise, ...tender } }, label);
    if (outcome.state === 'failed') return problem(outcome.error);
    tick();
    onClose();
    if (outcome.state === 'sent') onReceipt(outcome.data);
    else toast.info(t(keptKey()));
  };

  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void pay();
      }}
    >
      <div className="flex flex-wrap gap-2" role="group" aria-label={t('emi.what')}>
        {choices.map((option) => (
          <FilterChip key={option.id} pressed={option.id === choice.id} onClick={() => pick(option)}>
            {t(`emi.choice_${option.id}`, { count: option.ids.length })} {formatMoney(option.paise)}
          </FilterChip>
        ))}
      </div>
      <MoneyField
        label={t('emi.amount')}
        valuePaise={paise}
        onPaise={setPaise}
        big
        error={paise === undefined ? undefined : wrong}
        hint={t('emi.amount_hint')}
        withPaise
      />
      <RadioRows
        label={t('emi.how')}
        name="method"
        value={method}
        onChange={setMethod}
        options={(['CASH', 'UPI', 'OTHER'] as const).map((value) => ({ value, label: t(`emi.pay_${value}`) }))}
      />
      {method !== 'CASH' && (
        <TextField
          label={t('emi.reference')}
          value={reference}
          onChange={(event) => setReference(event.target.value)}
          maxLength={60}
          optional={t('common.optional')}
        />
      )}
      <Button type="submit" icon="check" block busy={isOne || isMany} disabled={wrong !== undefined}>
        {paise ? t('emi.received', { amount: formatMoney(paise) }) : t('emi.collect')}
      </Button>
    </form>
  );
}
