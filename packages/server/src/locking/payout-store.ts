import type { Paise } from '@kist/contract/money';
import type { PaymentMethod } from '@kist/contract/payment-methods';
import { as, bool, int8, known, nullable, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import { COUNTS } from './wrongful-store.ts';

const paise = as<Paise>()(int8);

/** The database refuses what goes beyond what is owed now. */
export const insertPayout = statement({
  name: 'locking.insert_payout',
  takes: {
    payout_id: uuid,
    agreement_id: uuid,
    amount_paise: paise,
    method: as<PaymentMethod>()(text),
    reference: text,
    paid_by: uuid,
  },
  text: `
    insert into compensation_payouts (org_id, payout_id, agreement_id, amount_paise, method, reference, paid_by, paid_at)
    values ($1, $payout_id, $agreement_id, $amount_paise, $method, $reference, $paid_by, kist_now())`,
});

/** What was paid out for locks of an agreement under a reference, however it was copied. @returns no row: nothing, or without a reference */
export const payoutUnder = statement({
  name: 'locking.payout_under',
  takes: { agreement_id: uuid, reference: text },
  gives: { payout_id: uuid, amount_paise: paise, method: as<PaymentMethod>()(text) },
  text: `
    select payout_id, amount_paise, method from compensation_payouts
    where org_id = $1 and agreement_id = $agreement_id and upper(regexp_replace($reference, '\\s+', '', 'g')) <> ''
      and upper(regexp_replace(reference, '\\s+', '', 'g')) = upper(regexp_replace($reference, '\\s+', '', 'g')) order by paid_at limit 1`,
});

/** So much was paid out for locks of an agreement. */
export const paidOut = statement({
  name: 'locking.paid_out',
  takes: { agreement_id: uuid },
  gives: { paid_paise: known(paise) },
  text: `
    select coalesce(sum(amount_paise), 0)::bigint as paid_paise from compensation_payouts
    where org_id = $1 and agreement_id = $agreement_id`,
});

/** Each agreement for whose locks anything was ever owed, also what is not any more since money was taken back; what is left to pay out first. */
export const owedByAgreement = statement({
  name: 'locking.owed_by_agreement',
  gives: {
    agreement_id: uuid,
    agreement_no: text,
    shop: nullable(text),
    owed_paise: known(paise),
    paid_paise: known(paise),
    withdrawn_paise: known(paise),
    is_running: known(bool),
  },
  text: `
    select o.agreement_id, o.agreement_no, u.shop_name as shop, o.owed_paise, o.paid_paise, o.withdrawn_paise, o.is_running from (
      select a.agreement_id, a.agreement_no, a.owner_user_id, coalesce(bool_or(c.confirmed_at is null) filter (where ${COUNTS}), false) as is_running,
        coalesce(sum(kist_late_hours(coalesce(w.held_since, c.cured_at), coalesce(c.confirmed_at, kist_now()),
          case when w.held_since is null then (a.policy ->> 'cureWithinMinutes')::int else 0 end) * (a.policy ->> 'compensationPaisePerHour')::bigint) filter (where ${COUNTS}), 0)::bigint as owed_paise,
        -- Of a lock that came off late too, its late hours are owed still.
        coalesce(sum(greatest(0, kist_late_hours(c.held_since, least(c.confirmed_at, c.withdrawn_at), 0) - case when c.began_wrong then 0 else
            kist_late_hours(c.cured_at, coalesce(c.confirmed_at, kist_now()), (a.policy ->> 'cureWithinMinutes')::int) end)
          * (a.policy ->> 'compensationPaisePerHour')::bigint) filter (where c.withdrawn_at is not null), 0)::bigint as withdrawn_paise,
        (select coalesce(sum(p.amount_paise), 0)::bigint from compensation_payouts p where p.org_id = $1 and p.agreement_id = a.agreement_id) as paid_paise
      from cures c join agreements_view a on a.org_id = c.org_id and a.agreement_id = c.agreement_id
      cross join lateral (select case when c.withdrawn_at is null then c.held_since end as held_since) w
      where c.org_id = $1 group by a.agreement_id, a.agreement_no, a.owner_user_id, a.policy
    ) o left join users_view u on u.org_id = $1 and u.user_id = o.owner_user_id
    where o.owed_paise > 0 or o.paid_paise > 0 or o.withdrawn_paise > 0
    order by o.owed_paise - o.paid_paise desc, o.agreement_no limit 500`,
});
