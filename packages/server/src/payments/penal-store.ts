import type { IsoDate } from '@kist/contract/dates';
import type { Paise } from '@kist/contract/money';
import type { StampedPenal } from '#server/agreements/agreements.ts';
import { as, date, int4, int8, jsonb, known, listOf, nullable, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** What has something overdue on a day and a stamped rule that charges by itself. */
const CHARGEABLE = `state = 'active' and kist_is_overdue(oldest_due_on, $on) and (penal ->> 'is_daily')::boolean`;

/** The next agreements that may be charged on a day, in the order of their ids. */
export const chargeable = statement({
  name: 'payments.chargeable',
  takes: { on: date, after: nullable(uuid), limit: int8 },
  gives: { agreement_id: uuid },
  isPlannedEachTime: true,
  text: `
    select agreement_id from agreements where org_id = $1 and ${CHARGEABLE} and ($after is null or agreement_id > $after)
    order by agreement_id limit $limit`,
});

/** Takes those of these agreements, in the order of their ids, so that no payment of theirs comes between; one that paid meanwhile is left out. */
export const takeChargeable = statement({
  name: 'payments.take_chargeable',
  takes: { on: date, agreement_ids: listOf(uuid) },
  gives: { agreement_id: uuid, customer_id: uuid, penal: known(jsonb<StampedPenal>()) },
  isPlannedEachTime: true,
  text: `
    select agreement_id, customer_id, penal from agreements where org_id = $1 and agreement_id = any($agreement_ids) and ${CHARGEABLE}
    order by agreement_id for no key update`,
});

const paise = as<Paise>()(int8);
const day = as<IsoDate>()(date);

/** What of these agreements fell due before a day and is not paid. */
export const overdueInstalments = statement({
  name: 'payments.overdue_instalments',
  takes: { agreement_ids: listOf(uuid), on: date },
  gives: {
    agreement_id: uuid,
    no: int4,
    due_on: day,
    principal_paise: paise,
    interest_paise: paise,
    fee_paise: paise,
    paid_principal_paise: paise,
    paid_interest_paise: paise,
    paid_fee_paise: paise,
    paid_on: nullable(day),
  },
  isPlannedEachTime: true,
  text: `
    select agreement_id, no, due_on, principal_paise - dropped_principal_paise as principal_paise, interest_paise - dropped_interest_paise as interest_paise,
      fee_paise - dropped_fee_paise as fee_paise, paid_principal_paise, paid_interest_paise, paid_fee_paise, paid_on
    from instalments where org_id = $1 and agreement_id = any($agreement_ids) and kist_is_overdue(due_on, $on) and paid_on is null order by agreement_id, no`,
});

export const chargesOf = statement({
  name: 'payments.charges_of',
  takes: { agreement_ids: listOf(uuid) },
  gives: {
    agreement_id: uuid,
    charge_id: uuid,
    instalment_no: int4,
    charged_on: day,
    amount_paise: paise,
    paid_paise: paise,
    waived_paise: paise,
  },
  isPlannedEachTime: true,
  text: `
    select agreement_id, charge_id, instalment_no, charged_on, amount_paise, paid_paise, waived_paise
    from charges where org_id = $1 and agreement_id = any($agreement_ids) and taken_back_at is null`,
});
