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
  if (waiting.length === 0 && until === null && !refused) return null;
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-2" role="status" aria-label={t('mine.told')}>
      {(waiting.length > 0 || until !== null) && (
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
      {refused && (
        <>
          <Chip tone="over" icon="close">
            {t('mine.refused')}
          </Chip>
          <p>
            {t('mine.refused_amount', {
              amount: formatMoney(refused.amount_paise),
              at: formatDateTime(refused.paid_at),
              reason: refused.refuse_reason ?? '',
            })}
          </p>
        </>
      )}
    </Card>
  );
}
