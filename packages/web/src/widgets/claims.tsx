import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EmiDetails, PaymentView } from '@kist/contract/emi';
import { formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { ClaimAnswer, PhoneClaimAnswer } from './claim-answer.tsx';

const nothing = () => undefined;

/** Each payment that the customer says was made and the shop has not answered, with its yes and no. */
export function Claims({ payments }: { payments: readonly PaymentView[] }) {
  const { t } = useTranslation();
  const waiting = payments.filter(({ state }) => state === 'claimed');
  return waiting.map((payment) => {
    const amount = formatMoney(payment.amount_paise);
    // Of two that wait each has a name of its own.
    return (
      <Card
        key={payment.payment_id}
        aria-label={`${t('emi.claimed')}, ${amount}, ${formatDateTime(payment.paid_at)}`}
        className="grid gap-3"
      >
        <MoneySaid payment={payment} title={t('emi.claimed')} />
        <ClaimAnswer paymentId={payment.payment_id} onDone={nothing} />
      </Card>
    );
  });
}

/** What the customer said on the phone, without a sum, and nobody has answered. */
export function ClaimOnPhone({ details: { phone_claim: claim, agreement } }: { details: EmiDetails }) {
  const { t } = useTranslation();
  if (!claim || claim.refuse_reason !== null) return null;
  const at = formatDateTime(claim.said_at);
  return (
    <Card aria-label={`${t('emi.claimed')}, ${at}`} className="grid gap-3">
      <Chip tone="due" icon="rupee">
        {t('emi.claimed')}
      </Chip>
      <p className="text-sm text-ink-2">{t('emi.claimed_on_phone', { at })}</p>
      <PhoneClaimAnswer claim={claim} customerId={agreement.customer_id} />
    </Card>
  );
}

/** The money that is spoken of: how much, when, how, under which reference. */
export function MoneySaid({ payment, title }: { payment: PaymentView; title: ReactNode }) {
  const { t } = useTranslation();
  const how = [t(`emi.pay_${payment.method}`), payment.reference].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1">
      <Chip tone="due" icon="rupee">
        {title}
      </Chip>
      <b className="text-2xl tracking-tight">{formatMoney(payment.amount_paise)}</b>
      <span className="text-sm text-ink-2">
        {formatDateTime(payment.paid_at)} · {how}
      </span>
    </div>
  );
}
