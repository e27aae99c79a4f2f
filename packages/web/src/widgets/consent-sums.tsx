import { useTranslation } from 'react-i18next';
import { useRead } from '#web/api/use-call.ts';
import { formatMoney } from '#web/i18n/formats.ts';

/** What a customer agrees to, in the sums that the message with their code says: all of it paise, the total without the down payment. */
interface AgreedSums {
  financed: number;
  emis: number;
  amount: number;
  /** Of the last EMI, without a fee. */
  last: number;
  total: number;
}

/** In the words of the message, so that both can be held side by side. */
export function ConsentSums({ financed, emis, amount, last, total }: AgreedSums) {
  const { t } = useTranslation();
  const said = { financed: formatMoney(financed), emis, amount: formatMoney(amount), total: formatMoney(total) };
  return (
    <div>
      <p className="font-semibold">{t('add.sums', said)}</p>
      {last !== amount && <p className="text-sm text-ink-2">{t('add.last_emi', { amount: formatMoney(last) })}</p>}
    </div>
  );
}

/** Of an agreement that runs. */
export function AgreementSums({ customerId }: { customerId: string }) {
  const { data } = useRead('getEmiDetails', { body: { customer_id: customerId } });
  if (!data) return null;
  const { agreement, instalments } = data;
  const last = instalments.at(-1);
  return (
    <ConsentSums
      financed={agreement.financed_paise}
      emis={agreement.tenure}
      amount={agreement.emi_paise}
      last={last ? last.principal_paise + last.interest_paise : agreement.emi_paise}
      total={agreement.total_payable_paise}
    />
  );
}
