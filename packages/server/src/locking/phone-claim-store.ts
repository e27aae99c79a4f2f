import { as, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** No row where one is open already. */
export const insertPhoneClaim = statement({
  name: 'locking.insert_phone_claim',
  takes: { claim_id: uuid, agreement_id: uuid, customer_id: uuid },
  text: `
    insert into phone_claims (org_id, claim_id, agreement_id, customer_id, said_at) values ($1, $claim_id, $agreement_id, $customer_id, kist_now())
    on conflict (org_id, agreement_id) where state = 'open' do nothing`,
});

export const findPhoneClaim = statement({
  name: 'locking.find_phone_claim',
  takes: { claim_id: uuid },
  gives: { agreement_id: uuid, customer_id: uuid },
  text: 'select agreement_id, customer_id from phone_claims where org_id = $1 and claim_id = $claim_id',
});

/** What was said last on the phone of an agreement. */
export const lastPhoneClaim = statement({
  name: 'locking.last_phone_claim',
  takes: { agreement_id: uuid },
  gives: {
    claim_id: uuid,
    said_at: timestamptz,
    state: as<'open' | 'told' | 'paid' | 'refused' | 'over'>()(text),
    ended_at: nullable(timestamptz),
    reason: nullable(text),
  },
  text: `
    select claim_id, said_at, state, ended_at, reason from phone_claims
    where org_id = $1 and agreement_id = $agreement_id order by said_at desc, claim_id desc limit 1`,
});

/** When a payment of an agreement last came into the books that stands, whatever day it is of. */
export const lastPostedAt = statement({
  name: 'locking.last_posted_at',
  takes: { agreement_id: uuid },
  gives: { posted_at: nullable(timestamptz) },
  text: `
    select max(m.moved_at) as posted_at from payments_view p
      join payment_moves_view m on m.org_id = p.org_id and m.payment_id = p.payment_id and m.to_state = 'posted'
    where p.org_id = $1 and p.agreement_id = $agreement_id and p.state = 'posted'`,
});

/**
 * What was said last on the phone of an agreement, when it was answered by money and none stands that came in since it was said, nor, where the money had come
 * before we heard of it, that very money or any since.
 */
export const unansweredAgain = statement({
  name: 'locking.unanswered_again',
  takes: { agreement_id: uuid },
  gives: { claim_id: uuid, customer_id: uuid },
  text: `
    with said as (
      select claim_id, customer_id, said_at, state, ended_at from phone_claims
      where org_id = $1 and agreement_id = $agreement_id order by said_at desc, claim_id desc limit 1
    ), came as (
      select p.state, m.moved_at as at, (
          select min(b.moved_at) from payment_moves_view b where b.org_id = p.org_id and b.payment_id = p.payment_id and b.to_state = 'reversed') as back_at
      from payments_view p join payment_moves_view m on m.org_id = p.org_id and m.payment_id = p.payment_id and m.to_state = 'posted'
      where p.org_id = $1 and p.agreement_id = $agreement_id
    )
    select s.claim_id, s.customer_id from said s
    where s.state = 'paid' and not exists (
      select from came c where c.state = 'posted' and c.at >= least(s.said_at, (
        select max(x.at) from came x where x.at <= s.ended_at and (x.back_at is null or x.back_at > s.ended_at))))`,
});

/** The customer said it again with a sum. */
export const tellPhoneClaim = statement({
  name: 'locking.tell_phone_claim',
  takes: { agreement_id: uuid },
  text: `
    update phone_claims set state = 'told', ended_at = kist_now()
    where org_id = $1 and agreement_id = $agreement_id and state = 'open'`,
});

/** A payment had come when we heard of it. */
export const payPhoneClaim = statement({
  name: 'locking.pay_phone_claim',
  takes: { claim_id: uuid },
  text: `update phone_claims set state = 'paid', ended_at = kist_now() where org_id = $1 and claim_id = $claim_id and state = 'open'`,
});

/** No row where it is answered already. */
export const refusePhoneClaim = statement({
  name: 'locking.refuse_phone_claim',
  takes: { claim_id: uuid, answered_by: uuid, reason: text },
  text: `
    update phone_claims set state = 'refused', ended_at = kist_now(), answered_by = $answered_by, reason = $reason
    where org_id = $1 and claim_id = $claim_id and state = 'open'`,
});
