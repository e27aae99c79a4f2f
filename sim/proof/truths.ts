import type { House } from './house.ts';

/** What the books say of one phone, by SQL that shares nothing with the rules. */
export interface Truth {
  customerId: string;
  deviceId: string;
  disputeId: string | null;
  /** Whether an instalment is past its day. */
  isLate: boolean;
  /** Today, and the day on which the oldest debt falls due, also one to come: days since 2000. */
  today: number;
  dueDay: number | null;
  steps: { level: number; fromDpd: number }[];
  /** Everything was paid once: the phone is its holder's, also when a payment is taken back after that. */
  isReleased: boolean;
  isWantedHeld: boolean;
  wantedLevel: number;
  wantedToggles: Record<string, boolean>;
  revision: number;
  reportedRevision: number;
  reportedLevel: number;
}

/** @param customerIds null: of everybody */
export const truthOf = (house: House, orgId: number, customerIds: readonly string[] | null): Promise<Truth[]> =>
  house.owner(async (client) => {
    const { rows } = await client.query<Truth>(
      `select g.customer_id as "customerId", g.device_id as "deviceId",
         (select q.dispute_id from disputes q where q.org_id = g.org_id and q.agreement_id = g.agreement_id and q.state = 'open' limit 1) as "disputeId",
         coalesce(oldest.due_on < kist_today(), false) as "isLate", kist_today() - date '2000-01-01' as today, oldest.due_on - date '2000-01-01' as "dueDay", g.policy -> 'steps' as steps,
         x.released_at is not null as "isReleased", w.lock_level > 0 or exists (select from jsonb_each(w.document -> 'toggles') t where t.value = 'true') as "isWantedHeld",
         w.lock_level as "wantedLevel", w.document -> 'toggles' as "wantedToggles", w.revision::int, r.revision::int as "reportedRevision", r.lock_level as "reportedLevel"
       from agreements g
         join devices x on x.org_id = g.org_id and x.device_id = g.device_id
         join device_desired w on w.org_id = g.org_id and w.device_id = g.device_id
         join device_reports r on r.org_id = g.org_id and r.device_id = g.device_id
         cross join lateral (select min(i.due_on) as due_on from instalments i where i.org_id = g.org_id and i.agreement_id = g.agreement_id
           and i.principal_paise + i.interest_paise + i.fee_paise > i.paid_principal_paise + i.paid_interest_paise + i.paid_fee_paise
             + i.dropped_principal_paise + i.dropped_interest_paise + i.dropped_fee_paise) oldest
       where g.org_id = $1 and ($2::uuid[] is null or g.customer_id = any($2))`,
      [orgId, customerIds],
    );
    return rows;
  });
