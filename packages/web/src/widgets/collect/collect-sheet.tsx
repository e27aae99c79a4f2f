import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import type { ReadResult } from '#web/api/use-call.ts';
import { formatMoney } from '#web/i18n/formats.ts';
import { newTimedId } from '#web/state/ids.ts';
import { Button } from '#web/ui/button.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { FilterChip } from '#web/ui/chip.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { KeptOnce } from '#web/widgets/kept-note.tsx';
import { late } from '#web/widgets/late.tsx';
import { TAKEN } from '#web/widgets/payment-methods.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { isUnderWay, QueuedList, useQueuedOf } from '#web/widgets/queued-payments.tsx';
import { TenderFields } from '#web/widgets/tender-fields.tsx';
import { afterQueued, notTold } from './after-queued.ts';
import { type Collected, useCollecting } from './use-collecting.ts';

const UpiCodes = late(async () => (await import('./upi-codes.tsx')).UpiCodes);

/** Takes one EMI, all that are late, or any part; kept and sent later when there is no network. */
export function CollectSheet(props: {
  open: boolean;
  onClose: () => void;
  details: ReadResult<EmiDetails>;
  saidPaise?: number | undefined;
  onReceipt: (receipt: Receipt, of: EmiDetails) => void;
}) {
  const { open, onClose, details, saidPaise, onReceipt } = props;
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t('emi.collect')}>
      {open && (
        <KeptOnce>
          <QueryView result={details} skeleton={<Waits />}>
            {(found) => (
              <Inside
                details={found}
                saidPaise={saidPaise}
                onClose={onClose}
                onReceipt={(receipt) => onReceipt(receipt, found)}
              />
            )}
          </QueryView>
        </KeptOnce>
      )}
    </Sheet>
  );
}

/** What waits on this phone first, then what is left to collect behind it. */
function Inside({ details, ...on }: Omit<Collected, 'paymentId' | 'isAfterQueued'>) {
  const { t } = useTranslation();
  const [paymentId] = useState(() => newTimedId());
  const waiting = notTold(useQueuedOf(details.agreement.customer_id), details, paymentId);
  const underWay = waiting.filter(isUnderWay);
  const left = afterQueued(details, underWay);
  const isLeft = left.instalments.some((row) => row.left_paise > 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <QueuedList entries={waiting} />
      {isLeft && <Form details={left} paymentId={paymentId} isAfterQueued={underWay.length > 0} {...on} />}
      {!isLeft && <StateView kind="done" title={t(underWay.length > 0 ? 'shell.outbox_hint' : 'emi.all_paid')} />}
    </div>
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

function Form(props: Collected) {
  const { t } = useTranslation();
  const collecting = useCollecting(props);
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
          isProposed
          error={paise === undefined ? undefined : wrong}
          hint={t('emi.amount_hint')}
          withPaise
        />
        <Tender collecting={collecting} />
        {collecting.tenderFields.method === 'UPI' && <ShowCode details={props.details} paise={paise} />}
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

function Choices({ collecting: { choices, choice, paise, pick } }: { collecting: Collecting }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-2" role="group" aria-label={t('emi.what')}>
      {choices.map((option) => (
        <FilterChip
          key={option.id}
          pressed={option.id === choice.id && option.paise === paise}
          onClick={() => pick(option)}
        >
          {t(`emi.choice_${option.id}`, { count: option.ids.length })} {formatMoney(option.paise)}
        </FilterChip>
      ))}
    </div>
  );
}

/** What the customer scans, kept from the eyes until it is asked for. */
function ShowCode(asked: { details: EmiDetails; paise: number | undefined }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button tone="plain" icon="qr" onClick={() => setOpen(true)}>
        {t('customer.qr')}
      </Button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('customer.qr')}>
        {isOpen && <UpiCodes {...asked} />}
      </Sheet>
    </>
  );
}

/** Cash, UPI or something else. */
function Tender({ collecting: { tenderFields, wrongReference } }: { collecting: Collecting }) {
  const { t } = useTranslation();
  const hint = tenderFields.method === 'UPI' ? t('emi.utr') : undefined;
  return <TenderFields methods={TAKEN} {...tenderFields} hint={hint} wrong={wrongReference} />;
}
