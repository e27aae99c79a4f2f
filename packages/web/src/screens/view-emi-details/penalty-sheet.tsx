import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails, Receipt } from '@kist/contract/emi';
import { LIMITS } from '@kist/contract/limits';
import type { ChargeView } from '@kist/contract/penalties';
import { useWrite } from '#web/api/use-call.ts';
import { formatDate, formatMoney } from '#web/i18n/formats.ts';
import { tick } from '#web/native/haptics.ts';
import { useQueuedWrite } from '#web/offline/app-outbox.ts';
import { newTimedId } from '#web/state/ids.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import { followGone } from '#web/ui/follow-focus.ts';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast.ts';
import { type ChargeLeft, chargesLeft } from '#web/widgets/collect/after-queued.ts';
import { ReceiptSheet } from '#web/widgets/collect/receipt-sheet.tsx';
import { keptMessageKey } from '#web/widgets/kept-message.ts';
import { MONEY_READS } from '#web/widgets/money-reads.ts';
import { TAKEN } from '#web/widgets/payment-methods.ts';
import { QueuedOnInstalment, useQueuedOf } from '#web/widgets/queued-payments.tsx';
import { reasonFault } from '#web/widgets/reason-fault.ts';
import { TenderFields } from '#web/widgets/tender-fields.tsx';
import { useProblem } from '#web/widgets/use-problem.ts';
import { useChargeTender } from './use-charge-tender.ts';

/** Which fee is open, if one is, and under which id its money goes. */
function useChosen(details: EmiDetails) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [paymentId, setPaymentId] = useState('');
  // While a payment leaves from here, the fee stands as it was when it was pressed.
  const ownId = chosen === null ? '' : paymentId;
  const charges = chargesLeft(details, useQueuedOf(details.agreement.customer_id), ownId);
  const charge = charges.find(({ charge_id, left_paise }) => charge_id === chosen && left_paise > 0);
  const choose = (chargeId: string) => {
    followGone();
    setPaymentId(newTimedId());
    setChosen(chargeId);
  };
  const back = () => {
    followGone();
    setChosen(null);
  };
  return { charges, charge, paymentId, choose, back, forget: () => setChosen(null) };
}

/** The late fees of an agreement: each with what is left of it, taking or giving it up, and adding the one that the rule lets a shop add today. */
export function PenaltySheet({ open, onClose, details }: { open: boolean; onClose: () => void; details: EmiDetails }) {
  const { t } = useTranslation();
  const { charges, charge, paymentId, choose, back, forget } = useChosen(details);
  const [receipt, setReceipt] = useState<Receipt>();
  const close = () => {
    forget();
    onClose();
  };
  const give = (made: Receipt) => {
    setReceipt(made);
    close();
  };
  return (
    <>
      <Sheet open={open} onClose={close} onStepBack={charge && back} title={t('penalty.title')}>
        {charge?.asked ? (
          <AskedWaiver charge={charge} asked={charge.asked} onDone={back} />
        ) : charge ? (
          <>
            <p>{t('penalty.of', { date: formatDate(charge.charged_on), no: charge.instalment_place })}</p>
            <CollectCharge paymentId={paymentId} charge={charge} details={details} onReceipt={give} onKept={back} />
            <Waive charge={charge} customerId={details.agreement.customer_id} onDone={back} />
          </>
        ) : (
          <div className="grid gap-3">
            <Charges charges={charges} onChoose={choose} />
            <Add details={details} onDone={close} />
          </div>
        )}
        {charge && (
          <Button tone="quiet" onClick={back}>
            {t('common.back')}
          </Button>
        )}
      </Sheet>
      <ReceiptSheet receipt={receipt} details={details} onClose={() => setReceipt(undefined)} />
    </>
  );
}

function Charges({ charges, onChoose }: { charges: readonly ChargeLeft[]; onChoose: (id: string) => void }) {
  const { t } = useTranslation();
  if (charges.length === 0) return null;
  return (
    <RowGroup label={t('penalty.title')}>
      {charges.map((charge) => (
        <ListRow
          key={charge.charge_id}
          {...(charge.left_paise > 0 && { onPress: () => onChoose(charge.charge_id) })}
          title={formatMoney(charge.amount_paise)}
          detail={t('penalty.of', { date: formatDate(charge.charged_on), no: charge.instalment_place })}
          trail={<Trail charge={charge} />}
        />
      ))}
    </RowGroup>
  );
}

/** What was taken for it and is not with the server yet, and what is left behind that. */
function Trail({ charge }: { charge: ChargeLeft }) {
  const { queuedPaise, left_paise } = charge;
  return (
    <>
      {queuedPaise > 0 && <QueuedOnInstalment paise={queuedPaise} />}
      {(queuedPaise === 0 || left_paise > 0) && <Standing charge={charge} />}
    </>
  );
}

function Standing({ charge }: { charge: ChargeView }) {
  const { t } = useTranslation();
  if (charge.asked) return <Chip tone="due">{t('penalty.waiting')}</Chip>;
  if (charge.left_paise > 0)
    return <Chip tone="over">{t('penalty.left', { amount: formatMoney(charge.left_paise) })}</Chip>;
  return charge.waived_paise > 0 ? (
    <Chip tone="lock">{t('penalty.waived', { amount: formatMoney(charge.waived_paise) })}</Chip>
  ) : (
    <Chip tone="ok">{t('emi.state_paid')}</Chip>
  );
}

/** A charge by hand, named with its amount and asked once more before it is made: the customer is told at once, and only waiving it takes it off again. */
function Add({ details: { agreement, chargeable }, onDone }: { details: EmiDetails; onDone: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [isAsking, setAsking] = useState(false);
  const [send, { isBusy }] = useWrite('sendPenalty', MONEY_READS);
  if (!chargeable) return null;
  const amount = formatMoney(chargeable.amount_paise);
  const hint = t('penalty.add_hint', { no: chargeable.instalment_place, date: formatDate(chargeable.due_on) });
  const add = async () => {
    const { error } = await send({ body: { customer_id: agreement.customer_id, amount: chargeable.amount_paise } });
    setAsking(false);
    if (error) return problem(error);
    toast.ok(t('penalty.added', { amount }));
    onDone();
  };
  return (
    <>
      <p className="text-sm text-ink-2">{hint}</p>
      <Button tone="plain" icon="rupee" block onClick={() => setAsking(true)}>
        {t('penalty.add', { amount })}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('penalty.add', { amount })}
        body={hint}
        confirmLabel={t('penalty.add', { amount })}
        busy={isBusy}
        onConfirm={() => void add()}
      />
    </>
  );
}

/** Money for this very charge: whatever else is owed stays as it is. The receipt says what was taken; without a network it is kept. */
function CollectCharge(props: {
  /** One for the open fee, however often it is sent. */
  paymentId: string;
  charge: ChargeView;
  details: EmiDetails;
  onReceipt: (receipt: Receipt) => void;
  onKept: () => void;
}) {
  const { paymentId, charge, details, onReceipt, onKept } = props;
  const { t } = useTranslation();
  const problem = useProblem();
  const { tender, fields, check } = useChargeTender();
  const [pay, { isBusy }] = useQueuedWrite('updateEmiStatus', MONEY_READS);
  const amount = formatMoney(charge.left_paise);
  const of = t('penalty.of', { date: formatDate(charge.charged_on), no: charge.instalment_place });
  const instalment = details.instalments.find(({ no }) => no === charge.instalment_no);
  const run = async () => {
    if (!instalment || !check()) return;
    const outcome = await pay(
      {
        body: {
          instalment_id: instalment.instalment_id,
          amount: charge.left_paise,
          charge_id: charge.charge_id,
          payment_id: paymentId,
          ...tender,
        },
      },
      [t('emi.outbox_label', { amount, name: details.agreement.first_name }), t('penalty.title'), of].join(' · '),
      { about: details.agreement.customer_id, paise: charge.left_paise },
    );
    if (outcome.state === 'failed') return problem(outcome.error);
    tick();
    if (outcome.state === 'sent') return onReceipt(outcome.data);
    toast.info(t(keptMessageKey()));
    onKept();
  };
  return (
    <>
      <TenderFields methods={TAKEN} {...fields} />
      <Button icon="rupee" block busy={isBusy} onClick={() => void run()}>
        {t('penalty.collect')} · {amount} · {t(`emi.pay_${tender.method}`)}
      </Button>
    </>
  );
}

/** Gives it up, or a part of it, with why; what was typed outlives a sheet that was pushed away. */
function Waive({ charge, customerId, onDone }: { charge: ChargeView; customerId: string; onDone: () => void }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [typed, type, forget] = useTyped<{ reason: string; paise: number | null }>(
    `waiver/${customerId}/${charge.charge_id}`,
  );
  const { reason = '', paise = charge.left_paise } = typed;
  const [isTried, setTried] = useState(false);
  const lead = useFirstWrong();
  const [waive, { isBusy }] = useWrite('waivePenalty', MONEY_READS);
  const fault = reasonFault(reason, t);
  // Told at the field and as soon as it is typed: the server would say no more than that it is too much.
  const left = t('penalty.left', { amount: formatMoney(charge.left_paise) });
  const tooMuch = paise && paise > charge.left_paise ? left : undefined;
  const run = async () => {
    setTried(true);
    if (!paise || tooMuch || fault) return lead();
    const { data, error } = await waive({
      body: { charge_id: charge.charge_id, amount: paise, reason: reason.trim() },
    });
    if (error) return problem(error);
    forget();
    if (data?.state === 'asked') toast.info(t('penalty.asked'));
    else toast.ok(t('penalty.waived', { amount: formatMoney(paise) }));
    onDone();
  };
  return (
    <div className="grid gap-3">
      <MoneyField
        label={t('emi.amount')}
        valuePaise={paise}
        onPaise={(amount) => type({ paise: amount ?? null })}
        withPaise
        error={paise ? tooMuch : t('field.required')}
      />
      <TextArea
        label={t('emi.reverse_reason')}
        hint={t('penalty.waive_hint')}
        value={reason}
        onChange={(event) => type({ reason: event.target.value })}
        maxLength={LIMITS.noteLength}
        error={isTried ? fault : undefined}
      />
      <Button block busy={isBusy} onClick={() => void run()}>
        {t('penalty.waive')}
      </Button>
    </div>
  );
}

/** It waits for the organisation's word; whoever sees the customer here can only say no, or think better of it. */
export function AskedWaiver(props: {
  charge: ChargeView;
  asked: NonNullable<ChargeView['asked']>;
  onDone: () => void;
}) {
  const { charge, asked, onDone } = props;
  const { t } = useTranslation();
  const problem = useProblem();
  const [decide, { isBusy }] = useWrite('decideWaiver', MONEY_READS);
  const amount = formatMoney(asked.amount_paise);
  const refuse = async () => {
    const { error } = await decide({ body: { waiver_id: asked.waiver_id, is_granted: false } });
    if (error) return problem(error);
    toast.ok(t('penalty.refused'));
    onDone();
  };
  return (
    <div className="grid gap-3">
      <p>{t('penalty.of', { date: formatDate(charge.charged_on), no: charge.instalment_place })}</p>
      <p className="text-ink-2">{t('penalty.asked_by', { amount, name: asked.asked_by, reason: asked.reason })}</p>
      <p className="text-sm text-ink-2">{t('penalty.asked')}</p>
      <Button tone="plain" block busy={isBusy} onClick={() => void refuse()}>
        {t('penalty.refuse')}
      </Button>
    </div>
  );
}
