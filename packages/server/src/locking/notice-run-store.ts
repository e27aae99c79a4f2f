import type { IsoDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import type { LockPolicy } from '@kist/contract/lock-policy';
import type { Tx } from '#server/platform/database.ts';

export interface ArrearsRow {
  agreementId: string;
  customerId: string;
  policy: LockPolicy;
  unpaid: { due_on: IsoDate; paise: number }[];
  delivered: { no: number; due_on: IsoDate; at: string; channel: string }[] | null;
  /** When its customer first agreed to the clause, with signature and code. */
  consentAt: Date | null;
  /** Money was taken back then: what was told before counts for nothing. */
  reversedAt: Date | null;
  sent: { kind: 'reminder' | 'notice'; no: number; due_on: IsoDate }[] | null;
}

/** Agreements that may have something to be told on a day, in the order of their ids, with what was said before about the same instalments. */
export async function readArrears(tx: Tx, on: IsoDate, after: string, limit: number): Promise<ArrearsRow[]> {
  const { rows } = await tx.query<ArrearsRow>(
    `with late as materialized (
       select agreement_id, customer_id, policy, oldest_due_on from agreements
       where org_id = kist_org() and state = 'active' and oldest_due_on <= $1::date + ${LIMITS.reminderDaysAhead} and ($2 = '' or agreement_id > nullif($2, '')::uuid)
       order by agreement_id limit $3
     )
     select s.agreement_id as "agreementId", s.customer_id as "customerId", s.policy, u.list as unpaid, d.list as delivered, n.list as sent,
       k.accepted_at as "consentAt", v.reversed_at as "reversedAt"
     from late s
     left join reversals_view v on v.org_id = kist_org() and v.agreement_id = s.agreement_id
     left join lateral (
       select min(x.accepted_at) as accepted_at from consents x where x.org_id = kist_org() and x.agreement_id = s.agreement_id
         and kist_consent_counts(x.document_id, x.confirmation_id, kist_needs_consent_code(s.policy))
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
         and m.is_number_confirmed is not false
     ) d on true
     left join lateral (
       select jsonb_agg(distinct jsonb_build_object('kind', m.kind, 'no', m.no, 'due_on', m.due_on)) as list
       from notices m where m.org_id = kist_org() and m.agreement_id = s.agreement_id and m.kind in ('reminder', 'notice') and m.channel = 'sms'
         and m.due_on >= s.oldest_due_on and (m.kind = 'reminder' or v.reversed_at is null or m.created_at >= v.reversed_at)
     ) n on true
     order by s.agreement_id`,
    [on, after, limit],
  );
  return rows;
}
