import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails } from '@kist/contract/emi';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import { useWrite } from '#web/api/use-call.ts';
import { formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { newTimedId } from '#web/state/ids.ts';
import { Button } from '#web/ui/button.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { toast } from '#web/ui/toast.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { CLAIMED } from '#web/widgets/payment-methods.ts';
import { TenderFields } from '#web/widgets/tender-fields.tsx';
import { useProblem } from '#web/widgets/use-problem.ts';

/** What is asked for today: what is late, else the next instalment. */
const dueOf = ({ agreement, instalments }: EmiDetails): number =>
  agreement.overdue_paise > 0
    ? agreement.overdue_paise
    : (instalments.find(({ left_paise }) => left_paise > 0)?.left_paise ?? 0);

/** What the customer said before and nobody has answered. */
export const waitingClaims = ({ payments }: EmiDetails): EmiDetails['payments'] =>
  payments.filter(({ state }) => state === 'claimed');

/** The customer's own "I have paid": the shop is asked, and nothing counts as paid before it says yes. While one waits it is asked first whether this is another. */
export function ClaimSheet(props: { open: boolean; onClose: () => void; details: EmiDetails }) {
  const { t } = useTranslation();
  return (
    <Sheet open={props.open} onClose={props.onClose} title={t('emi.i_paid')}>
      {props.open && <Asked {...props} />}
    </Sheet>
  );
}

/** Before the form, where one waits already. */
function Asked(props: { onClose: () => void; details: EmiDetails }) {
  const { t } = useTranslation();
  // What waited when the sheet opened: the own word of this sheet is no reason to ask.
  const [waiting] = useState(() => waitingClaims(props.details));
  const [isAnother, setAnother] = useState(false);
  if (waiting.length === 0 || isAnother) return <Form {...props} again={isAnother} />;
  return (
    <div className="grid gap-3">
      <Waiting claims={waiting} />
      <Button block onClick={props.onClose}>
        {t('common.close')}
      </Button>
      <Button tone="plain" icon="plus" block onClick={() => setAnother(true)}>
        {t('emi.claim_another')}
      </Button>
    </div>
  );
}

/** Each with its sum and its day. */
export function Waiting({ claims }: { claims: EmiDetails['payments'] }) {
  const { t } = useTranslation();
  return claims.map(({ payment_id, amount_paise, paid_at }) => (
    <p key={payment_id} className="rounded-lg bg-due-soft px-3 py-2 text-due">
      {t('emi.claim_waits', { amount: formatMoney(amount_paise), at: formatDateTime(paid_at) })}
    </p>
  ));
}

/** What is said; told under one id, however often the open sheet sends it. */
function useClaim(details: EmiDetails, again: boolean, onDone: () => void) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [paise, setPaise] = useState<number | undefined>(dueOf(details));
  const [method, setMethod] = useState<PaymentMethod>('UPI');
  const [reference, setReference] = useState('');
  const [payment_id] = useState(() => newTimedId());
  const [claim, { isBusy }] = useWrite('claimPayment', MONEY_READS);
  const tell = async () => {
    if (!paise) return;
    const { customer_id } = details.agreement;
    const said = { customer_id, payment_id, amount: paise, method, reference: reference.trim(), again };
    const { error } = await claim({ body: said });
    if (error) return problem(error);
    toast.ok(t('emi.i_paid_told'));
    onDone();
  };
  return { paise, setPaise, tenderFields: { method, setMethod, reference, setReference }, tell, isBusy };
}

function Form({ onClose, details, again }: { onClose: () => void; details: EmiDetails; again: boolean }) {
  const { t } = useTranslation();
  const { paise, setPaise, tenderFields, tell, isBusy } = useClaim(details, again, onClose);
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void tell();
      }}
    >
      <p className="text-sm text-ink-2">{t('emi.i_paid_hint')}</p>
      <MoneyField
        label={t('emi.amount')}
        valuePaise={paise}
        onPaise={setPaise}
        big
        withPaise
        error={paise ? undefined : t('field.required')}
      />
      <TenderFields methods={CLAIMED} {...tenderFields} />
      <Button type="submit" icon="check" block busy={isBusy}>
        {t('emi.i_paid')}
      </Button>
    </form>
  );
}
