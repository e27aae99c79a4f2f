import type { IsoDate } from '@kist/contract/dates';
import type { Paise } from '@kist/contract/money';
import { as, date, int4, int8, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const LOAN = {
  financer_id: int4,
  loan_account_no: text,
  sanctioned_paise: as<Paise>()(int8),
  sanctioned_on: as<IsoDate>()(date),
};

/** No row where the financer's account number stands already. */
export const insertLoan = statement({
  name: 'agreements.insert_loan',
  takes: { agreement_id: uuid, recorded_by: uuid, ...LOAN },
  gives: { agreement_id: uuid },
  text: `
    insert into financed_loans (org_id, agreement_id, recorded_by, recorded_at, ${Object.keys(LOAN).join(', ')})
    values ($1, $agreement_id, $recorded_by, kist_now(), ${Object.keys(LOAN)
      .map((name) => `$${name}`)
      .join(', ')})
    on conflict do nothing returning agreement_id`,
});

/** The loan behind an agreement, with the name of who made it. */
export const loanOf = statement({
  name: 'agreements.loan_of',
  takes: { agreement_id: uuid },
  gives: { financer: text, ...LOAN },
  text: `
    select f.name as financer, ${Object.keys(LOAN)
      .map((name) => `l.${name}`)
      .join(', ')}
    from financed_loans l join financers_view f on f.org_id = l.org_id and f.financer_id = l.financer_id
    where l.org_id = $1 and l.agreement_id = $agreement_id`,
});
