import { useState } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { EmiDetails, PaymentView } from '@kist/contract/emi';
import { isErased } from '@kist/contract/erased';
import { formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { useTyped } from '#web/state/typed.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { StateView } from '#web/ui/state-view.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { useAtLeast } from '#web/ui/use-width.ts';
import { PaperActions } from '#web/widgets/collect/paper-actions.tsx';
import { useShopSignature } from '#web/widgets/collect/shop-signature.ts';
import { leftAfter, paperText, paymentPaper } from '#web/widgets/collect/paper.ts';
import { useTheirWords } from '#web/widgets/collect/their-words.ts';
import { late } from '#web/widgets/late.tsx';
import { usePaymentPage } from '#web/widgets/payment-page.tsx';
import { useAccess, useMe } from '#web/widgets/use-access.ts';
import { ClaimAnswer } from '#web/widgets/claim-answer.tsx';
import { Refund } from './refund.tsx';

/** It needs the network, so its code comes when it is opened; its words came with the screen's. */
const Reverse = late(
  async () => (await import('./reverse.tsx')).Reverse,
  () => Promise.resolve(),
);

const STATE_WORDS = {
  claimed: 'emi.claimed',
  pending_approval: 'emi.claimed',
  reversed: 'emi.reversed',
  refused: 'emi.refused',
} as const;

/** Struck out is what was money once or was never any; of what waits for an answer nobody knows yet. */
const AMOUNT_LOOKS: Record<PaymentView['state'], string> = {
  posted: 'font-semibold',
  claimed: 'text-ink-2',
  pending_approval: 'text-ink-2',
  reversed: 'text-ink-2 line-through',
  refused: 'text-ink-2 line-through',
};

/** What waits for an answer is not what was taken back. */
const toneOf = ({ state }: PaymentView) =>
  state === 'posted' ? 'ok' : state === 'claimed' || state === 'pending_approval' ? 'due' : 'over';

/** Every payment, reversed ones included: nothing disappears from a ledger. */
export function PaymentList({ details }: { details: EmiDetails }) {
  const { payments } = details;
  const { t } = useTranslation();
  const [openId, setOpenId] = useState<string | null>(null);
  // As it is now: it may have been reversed on another phone meanwhile.
  const open = payments.find(({ payment_id }) => payment_id === openId);
  const onOpen = ({ payment_id }: PaymentView) => setOpenId(payment_id);
  const close = () => setOpenId(null);
  const isTable = useAtLeast('tablet');
  if (payments.length === 0) return <StateView kind="empty" title={t('emi.no_payments')} />;
  return (
    <>
      {isTable ? (
        <PaymentTable payments={payments} onOpen={onOpen} />
      ) : (
        <PaymentRows payments={payments} onOpen={onOpen} />
      )}
      <Sheet open={open !== undefined} onClose={close} title={t('emi.receipt')}>
        {open && <Detail payment={open} details={details} onDone={close} />}
      </Sheet>
    </>
  );
}

interface Listed {
  payments: readonly PaymentView[];
  onOpen: (payment: PaymentView) => void;
}
type Say = ReturnType<typeof useTranslation>['t'];
const methodOf = (payment: PaymentView, t: Say): string =>
  payment.goes_to === 'down_payment' ? t('emi.down') : t(`emi.pay_${payment.method}`);

/** What became of it, where it is not simply received. */
function StateOf({ payment }: { payment: PaymentView }) {
  const { t } = useTranslation();
  return payment.state === 'posted' ? (
    <span>{payment.receipt_no}</span>
  ) : (
    <Chip tone={toneOf(payment)}>{t(STATE_WORDS[payment.state])}</Chip>
  );
}

function PaymentRows({ payments, onOpen }: Listed) {
  const { t } = useTranslation();
  return (
    <RowGroup label={t('emi.payments')}>
      {payments.map((payment) => (
        <ListRow
          key={payment.payment_id}
          onPress={() => onOpen(payment)}
          lead={<RowIcon icon={payment.state === 'posted' ? 'receipt' : 'history'} tone={toneOf(payment)} />}
          title={formatMoney(payment.amount_paise)}
          detail={`${formatDateTime(payment.paid_at)} · ${methodOf(payment, t)}`}
          trail={<StateOf payment={payment} />}
        />
      ))}
    </RowGroup>
  );
}

/** By columns; below them what was received, without what was taken back or is only said. */
function PaymentTable({ payments, onOpen }: Listed) {
  const { t } = useTranslation();
  const received = payments.reduce((sum, one) => (one.state === 'posted' ? sum + one.amount_paise : sum), 0);
  const columns: Column<PaymentView>[] = [
    {
      key: 'at',
      head: t('emi.received_at'),
      cell: (payment) => (
        <button
          type="button"
          onClick={() => onOpen(payment)}
          className="min-h-8 text-left font-semibold text-accent-text hover:underline"
        >
          {formatDateTime(payment.paid_at)}
        </button>
      ),
      sum: t('emi.state_paid'),
    },
    { key: 'how', head: t('emi.how'), cell: (payment) => methodOf(payment, t) },
    { key: 'by', head: t('emi.recorded_by'), cell: (payment) => payment.recorded_by },
    { key: 'no', head: t('emi.no_short'), cell: (payment) => <StateOf payment={payment} /> },
    {
      key: 'amount',
      head: t('emi.amount'),
      cell: (payment) => <span className={AMOUNT_LOOKS[payment.state]}>{formatMoney(payment.amount_paise)}</span>,
      figure: true,
      sum: formatMoney(received),
    },
  ];
  return <Table label={t('emi.payments')} columns={columns} rows={payments} keyOf={(payment) => payment.payment_id} />;
}

function Detail(props: { payment: PaymentView; details: EmiDetails; onDone: () => void }) {
  const { payment, details, onDone } = props;
  const { agreement } = details;
  const { t } = useTranslation();
  const { isStaff } = useAccess();
  const about = reversalOf(agreement, payment);
  const [{ reason }] = useTyped<{ reason: string }>(about);
  const [isAsked, setReversing] = useState<boolean>();
  // What was begun on an earlier page opens by itself, once it was read.
  const wantsReversal = isAsked ?? reason !== undefined;
  // Nobody who was erased may owe again: what was paid for the EMIs stays paid.
  const isReversible =
    isStaff &&
    payment.state === 'posted' &&
    payment.goes_to !== 'down_payment' &&
    !(isErased(agreement) && payment.goes_to !== 'suspense');
  const isReversing = wantsReversal && isReversible;
  return (
    <div className="grid gap-3">
      <Facts
        items={[
          { label: t('emi.amount'), value: formatMoney(payment.amount_paise) },
          ...(payment.receipt_no ? [{ label: t('emi.no_short'), value: payment.receipt_no }] : []),
          { label: t('emi.received_at'), value: formatDateTime(payment.paid_at) },
          { label: t('emi.how'), value: t(`emi.pay_${payment.method}`) },
          ...(payment.reference ? [{ label: t('emi.reference'), value: payment.reference }] : []),
          { label: t('emi.recorded_by'), value: payment.recorded_by },
          ...payment.allocations.map((part) => ({
            label: t('emi.part_to', { no: part.instalment_place ?? '–', bucket: t(`emi.bucket_${part.bucket}`) }),
            value: formatMoney(part.paise),
          })),
          ...(payment.note_no ? [{ label: t('emi.note_no'), value: payment.note_no }] : []),
          ...(payment.reverse_reason ? [{ label: t('emi.reverse_reason'), value: payment.reverse_reason }] : []),
        ]}
      />
      {payment.state === 'posted' && !isReversing && <Given payment={payment} details={details} />}
      {isReversible && !isReversing && (
        <Button tone="quiet" icon="history" onClick={() => setReversing(true)}>
          {t('emi.reverse')}
        </Button>
      )}
      {isStaff && payment.state === 'claimed' && <ClaimAnswer paymentId={payment.payment_id} onDone={onDone} />}
      {isStaff && payment.state === 'posted' && payment.goes_to === 'suspense' && (
        <Refund paymentId={payment.payment_id} onDone={onDone} />
      )}
      {isReversing && (
        <Reverse about={about} paymentId={payment.payment_id} onDone={onDone} onCancel={() => setReversing(false)} />
      )}
    </div>
  );
}

/** The receipt to give once more. */
function Given({ payment, details }: { payment: PaymentView; details: EmiDetails }) {
  const { agreement } = details;
  const { t } = useTranslation();
  const shop = useMe().data?.shop_name ?? '';
  const signature = useShopSignature();
  const paymentPage = usePaymentPage();
  const { customer_id, device, agreement_no: agreementNo, mobile } = agreement;
  const theirs = useTheirWords(customer_id);
  const of = { shop, customer: nameOf(agreement), device, agreementNo, paymentPage, signature };
  const paperIn = (words: TFunction) => paymentPaper(of, payment, words, leftAfter(payment, details));
  return <PaperActions paper={paperIn(t)} mobile={mobile || undefined} text={paperText(paperIn(theirs), theirs)} />;
}

const nameOf = ({ first_name, last_name }: EmiDetails['agreement']) => `${first_name} ${last_name}`.trim();

/** The words of a reversal that was begun. */
const reversalOf = ({ customer_id }: EmiDetails['agreement'], { payment_id }: PaymentView) =>
  `reversal/${customer_id}/${payment_id}`;
