import type { IsoDate } from '@kist/contract/dates';
import type { Paise } from '@kist/contract/money';
import type { Posting } from '#server/ledger/ledger.ts';

interface Opened {
  agreement_id: string;
  delivered_on: IsoDate;
  financed_paise: Paise;
  total_interest_paise: Paise;
  fee_paise: Paise;
}

/** The journal that an agreement begins with: what the customer owes against the sale and what is not earned yet. The down payment is a payment of its own. */
export function openingOf(agreement: Opened): Posting {
  const { agreement_id, financed_paise, total_interest_paise, fee_paise } = agreement;
  const of = { agreement_id };
  return {
    effectKey: `agreement:${agreement_id}`,
    kind: 'agreement_opened',
    refKind: 'agreement',
    refId: agreement_id,
    businessOn: agreement.delivered_on,
    lines: [
      { ...of, code: 'receivable_principal', side: 'debit', amount: financed_paise },
      { ...of, code: 'receivable_interest', side: 'debit', amount: total_interest_paise },
      { ...of, code: 'receivable_fee', side: 'debit', amount: fee_paise },
      { ...of, code: 'sales', side: 'credit', amount: financed_paise },
      { ...of, code: 'unearned_interest', side: 'credit', amount: total_interest_paise },
      { ...of, code: 'unearned_fee', side: 'credit', amount: fee_paise },
    ],
  };
}
