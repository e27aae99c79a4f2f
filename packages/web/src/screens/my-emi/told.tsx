import { useTranslation } from 'react-i18next';
import type { EmiDetails, PaymentView } from '@kist/contract/emi';
import type { PayTo } from '@kist/contract/pay-to';
import { formatDate, formatDateTime, formatMoney } from '#web/i18n/formats.ts';
import { Card } from '#web/ui/card.tsx';
import { Chip } from '#web/ui/chip.tsx';

/** The newest refusal, until a payment came after it. */
export function lastRefused(payments: readonly PaymentView[]): PaymentView | undefined {
  const last = payments.find(
    ({ state, goes_to }) => goes_to !== 'down_payment' && (state === 'refused' || state === 'posted'),
  );
  return last?.state === 'refused' ? last : undefined;
}

/** What became of "I have paid": the shop's yes is awaited, or its no was given. Nothing here is called paid. */
export function Told({ details, pay }: { details: EmiDetails; pay: PayTo }) {
  const { t } = useTranslation();
  const waiting = details.payments.filter(({ state }) => state === 'claimed' || state === 'pending_approval');
  const refused = lastRefused(details.payments);
  const { rests_until_on: until } = pay;
  const said = details.phone_claim;
  const refusedOnPhone = said && said.refuse_reason !== null ? said : null;
  const isWaiting = waiting.length > 0 || Boolean(said && !refusedOnPhone) || (until !== null && !refusedOnPhone);
  if (!isWaiting && !refused && !refusedOnPhone) return null;
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-2" role="status" aria-label={t('mine.told')}>
      {isWaiting && (
        <>
          <Chip tone="due" icon="clock">
            {t('mine.told')}
          </Chip>
          {waiting.map(({ payment_id, amount_paise, paid_at }) => (
            <p key={payment_id}>
              {t('mine.told_amount', { amount: formatMoney(amount_paise), at: formatDateTime(paid_at) })}
            </p>
          ))}
          {waiting.length === 0 && <p>{t('mine.told_on_phone')}</p>}
          <p className="text-sm text-ink-2">{t('mine.told_not_paid')}</p>
          {until !== null && <p className="text-sm text-ink-2">{t('mine.rests', { date: formatDate(until) })}</p>}
        </>
      )}
      {(refused || refusedOnPhone) && <Refused payment={refused} said={refusedOnPhone} />}
    </Card>
  );
}

/** The shop's no, of a sum or of what was said on the phone without one, with its words. */
function Refused({ payment, said }: { payment: PaymentView | undefined; said: EmiDetails['phone_claim'] }) {
  const { t } = useTranslation();
  return (
    <>
      <Chip tone="over" icon="close">
        {t('mine.refused')}
      </Chip>
      {payment && (
        <p>
          {t('mine.refused_amount', {
            amount: formatMoney(payment.amount_paise),
            at: formatDateTime(payment.paid_at),
            reason: payment.refuse_reason ?? '',
          })}
        </p>
      )}
      {said && <p>{t('mine.refused_on_phone', { at: formatDateTime(said.said_at), reason: said.refuse_reason })}</p>}
    </>
  );
}
