import type { IsoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import type { LockPolicy } from '@kist/contract/lock-policy';
import { date, int4, int8, listOf, nullable, uuid } from '#server/platform/column-types.ts';
import type { Tx } from '#server/platform/database.ts';
import { statement } from '#server/platform/statement.ts';

export interface ArrearsRow {
  agreementId: string;
  customerId: string;
  policy: LockPolicy;
  unpaid: { due_on: IsoDate; paise: number }[];
  delivered: { no: number; due_on: IsoDate; at: string; channel: string }[] | null;
  /** When its customer first agreed to the clause, with signature and code. */
  consentAt: Date | null;
  /** Money was taken back then, or the phone exchanged: what was told before counts for nothing. */
  toldAnewFrom: Date | null;
  /** Of notices those that may count: since the customer agreed, and since what `toldAnewFrom` says. */
  sent: { kind: 'reminder' | 'notice'; no: number; due_on: IsoDate }[] | null;
}

/**
 * Agreements that may have something to be told on a day, in the order of their ids: something is late, or the first reminder of the oldest instalment has
 * come up.
 * @param ahead days before an instalment on which its first reminder may come; null: as the policy says that the agreement was signed under
 */
export const agreementsToTell = statement({
  name: 'locking.agreements_to_tell',
  takes: { on: date, ahead: nullable(int4), after: nullable(uuid), limit: int8 },
  gives: { agreement_id: uuid },
  isPlannedEachTime: true,
  text: `
    select agreement_id from agreements_view where org_id = $1 and state = 'active'
      and oldest_due_on <= $on + coalesce($ahead, (select -min(day::int) from jsonb_array_elements_text(policy -> 'reminderOffsetDays') as day), 0)
      and ($after is null or agreement_id > $after)
    order by agreement_id limit $limit`,
});

/** The same of some shops' customers. */
export const agreementsOfShops = statement({
  name: 'locking.agreements_of_shops',
  takes: { on: date, ahead: int4, owners: listOf(uuid), after: nullable(uuid), limit: int8 },
  gives: { agreement_id: uuid, customer_id: uuid },
  isPlannedEachTime: true,
  text: `
    select agreement_id, customer_id from agreements_view where org_id = $1 and owner_user_id = any($owners) and state = 'active'
      and oldest_due_on <= $on + $ahead and ($after is null or agreement_id > $after)
    order by agreement_id limit $limit`,
});

/** What of these agreements falls due or is late, with what was said before about the same instalments. */
export async function readArrears(tx: Tx, on: IsoDate, ids: readonly string[]): Promise<ArrearsRow[]> {
  const { rows } = await tx.query<ArrearsRow>(
    `with late as materialized (
       select a.agreement_id, a.customer_id, a.policy, a.oldest_due_on, a.exchanged_at from unnest($2::uuid[]) as w(id) join agreements a on a.org_id = kist_org() and a.agreement_id = w.id
       where a.state = 'active' and a.oldest_due_on <= $1::date + ${LIMITS.reminderDaysAhead}
     )
     select s.agreement_id as "agreementId", s.customer_id as "customerId", s.policy, u.list as unpaid, d.list as delivered, n.list as sent,
       k.accepted_at as "consentAt", greatest(v.reversed_at, s.exchanged_at) as "toldAnewFrom"
     from late s
     left join reversals_view v on v.org_id = kist_org() and v.agreement_id = s.agreement_id
     left join lateral (
       select min(x.accepted_at) as accepted_at from consents x where x.org_id = kist_org() and x.agreement_id = s.agreement_id
         and kist_consent_counts(x.document_id, x.confirmation_id, kist_needs_consent_code(s.policy), x.accepted_at, s.exchanged_at)
     ) k on true
     join lateral (
       select jsonb_agg(jsonb_build_object('due_on', i.due_on, 'paise',
         i.left_paise)) as list
       from instalments i where i.org_id = kist_org() and i.agreement_id = s.agreement_id and i.paid_on is null and i.due_on <= $1::date + ${LIMITS.reminderDaysAhead}
     ) u on true
     left join lateral (
       select jsonb_agg(jsonb_build_object('no', m.no, 'due_on', m.due_on, 'channel', m.channel,
         'at', to_char(m.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as list
       from notice_deliveries_view m where m.org_id = kist_org() and m.agreement_id = s.agreement_id and m.kind = 'notice' and m.due_on = s.oldest_due_on
         and m.is_number_confirmed is not false and m.handed_out_at >= coalesce(greatest(v.reversed_at, s.exchanged_at), '-infinity')
     ) d on true
     left join lateral (
       select jsonb_agg(distinct jsonb_build_object('kind', m.kind, 'no', m.no, 'due_on', m.due_on)) as list
       from notices m where m.org_id = kist_org() and m.agreement_id = s.agreement_id and m.kind in ('reminder', 'notice') and m.channel = 'sms'
         and m.due_on >= s.oldest_due_on and (m.kind = 'reminder' or m.created_at >= coalesce(greatest(v.reversed_at, s.exchanged_at, k.accepted_at), '-infinity'))
     ) n on true
     order by s.agreement_id`,
    [on, [...ids]],
  );
  return rows;
}
