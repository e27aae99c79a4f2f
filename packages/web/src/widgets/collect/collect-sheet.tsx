import { useTranslation } from 'react-i18next';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import type { ReadResult } from '#web/api/use-call.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { FilterChip } from '#web/ui/chip.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { KeptOnce } from '#web/widgets/kept-note.tsx';
import { TAKEN } from '#web/widgets/payment-methods.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { TenderFields } from '#web/widgets/tender-fields.tsx';
import { useCollecting } from './use-collecting.ts';

/** Takes one EMI, all that are late, or any part; kept and sent later when there is no network. */
export function CollectSheet(props: {
  open: boolean;
  onClose: () => void;
  details: ReadResult<EmiDetails>;
  onReceipt: (receipt: Receipt, of: EmiDetails) => void;
}) {
  const { open, onClose, details, onReceipt } = props;
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t('emi.collect')}>
      {open && (
        <KeptOnce>
          <QueryView result={details} skeleton={<Waits />}>
            {(found) =>
              found.instalments.some((row) => row.left_paise > 0) ? (
                <Form details={found} onClose={onClose} onReceipt={(receipt) => onReceipt(receipt, found)} />
              ) : (
                <StateView kind="done" title={t('emi.all_paid')} />
              )
            }
          </QueryView>
        </KeptOnce>
      )}
    </Sheet>
  );
}

/** As high as the form, so that the sheet does not grow under the thumb. */
function Waits() {
  const { t } = useTranslation();
  return (
    <div className="grid min-h-90 place-items-center">
      <Spinner label={t('common.loading')} />
    </div>
  );
}

type Collecting = ReturnType<typeof useCollecting>;

function Form(props: { onClose: () => void; details: EmiDetails; onReceipt: (receipt: Receipt) => void }) {
  const { t } = useTranslation();
  const collecting = useCollecting(props.details, props.onClose, props.onReceipt);
  const { paise, setPaise, wrong, isBusy } = collecting;
  const { agreement } = props.details;
  return (
    <>
      <TooMuch collecting={collecting} />
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void collecting.collect();
        }}
      >
        <p className="text-sm text-ink-2">
          {[`${agreement.first_name} ${agreement.last_name}`.trim(), agreement.device].filter(Boolean).join(' · ')}
        </p>
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
        <div className="sticky -bottom-4 -mx-4 -mb-4 bg-card px-4 pt-2 pb-4">
          <Button type="submit" icon="check" block busy={isBusy} disabled={wrong !== undefined}>
            {paise ? t('emi.received', { amount: formatMoney(paise) }) : t('emi.collect')}
          </Button>
        </div>
      </form>
    </>
  );
}

/** Asks once whether more than everything owed really came. */
function TooMuch({ collecting: { asking, paise, isBusy } }: { collecting: Collecting }) {
  const { t } = useTranslation();
  const { tooMuch, no, yes } = asking;
  const figures = { owed: formatMoney(tooMuch?.owed ?? 0), rest: formatMoney(tooMuch?.rest ?? 0) };
  return (
    <Confirm
      open={tooMuch !== undefined}
      onClose={no}
      title={t('emi.over_ask', figures)}
      body={t('emi.over_body', figures)}
      confirmLabel={t('emi.over_take', { amount: formatMoney(paise ?? 0) })}
      busy={isBusy}
      onConfirm={yes}
    />
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

/** Cash, UPI or something else. */
function Tender({ collecting: { tenderFields, wrongReference } }: { collecting: Collecting }) {
  const { t } = useTranslation();
  const hint = tenderFields.method === 'UPI' ? t('emi.utr') : undefined;
  return <TenderFields methods={TAKEN} {...tenderFields} hint={hint} wrong={wrongReference} />;
}
