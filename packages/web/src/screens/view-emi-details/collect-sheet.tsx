import { useTranslation } from 'react-i18next';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import { LIMITS } from '@kist/contract/limits';
import { formatMoney } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterChip } from '#web/ui/chip.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { RadioRows } from '#web/ui/switch.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useCollecting } from './use-collecting.ts';

const METHODS = ['CASH', 'UPI', 'OTHER'] as const;

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

type Collecting = ReturnType<typeof useCollecting>;

function Form(props: { onClose: () => void; details: EmiDetails; onReceipt: (receipt: Receipt) => void }) {
  const { t } = useTranslation();
  const collecting = useCollecting(props.details, props.onClose, props.onReceipt);
  const { paise, setPaise, wrong, isBusy } = collecting;
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void collecting.collect();
      }}
    >
      <Choices collecting={collecting} />
      <MoneyField
        label={t('emi.amount')}
        valuePaise={paise}
        onPaise={setPaise}
        big
        error={paise === undefined ? undefined : wrong}
        hint={t('emi.amount_hint')}
        withPaise
      />
      <Tender collecting={collecting} />
      <Button type="submit" icon="check" block busy={isBusy} disabled={wrong !== undefined}>
        {paise ? t('emi.received', { amount: formatMoney(paise) }) : t('emi.collect')}
      </Button>
    </form>
  );
}

function Choices({ collecting: { choices, choice, pick } }: { collecting: Collecting }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-2" role="group" aria-label={t('emi.what')}>
      {choices.map((option) => (
        <FilterChip key={option.id} pressed={option.id === choice.id} onClick={() => pick(option)}>
          {t(`emi.choice_${option.id}`, { count: option.ids.length })} {formatMoney(option.paise)}
        </FilterChip>
      ))}
    </div>
  );
}

/** Cash, UPI or something else; what is not cash has a reference. */
function Tender({ collecting: { method, setMethod, reference, setReference } }: { collecting: Collecting }) {
  const { t } = useTranslation();
  return (
    <>
      <RadioRows
        label={t('emi.how')}
        name="method"
        value={method}
        onChange={setMethod}
        options={METHODS.map((value) => ({ value, label: t(`emi.pay_${value}`) }))}
      />
      {method !== 'CASH' && (
        <TextField
          label={t('emi.reference')}
          value={reference}
          onChange={(event) => setReference(event.target.value)}
          maxLength={LIMITS.referenceLength}
          optional={t('common.optional')}
        />
      )}
    </>
  );
}
