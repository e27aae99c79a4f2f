import type { LockReason } from '@kist/contract/lock-policy';
import { LIMITS } from '@kist/contract/limits';
import type { Paise } from '@kist/contract/money';
import type { Waiting } from '@kist/contract/waiting';
import { as, int4, int8, known, listOf, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Whose customers it is about; null: everybody's. */
const takes = { owners: nullable(listOf(uuid)) };

/**
 * Overrides of agreements as they stand, asked for by somebody who could ask for them now as well (`override-asks.ts` says the same of one), and locks of more
 * phones than the hour has room for; and waivers that who asked could ask for now as well (`payments/waivers.ts` says the same of one).
 */
const WAITING = `
    select 'override' as kind, o.ask_id as id, 'ORG_OVERRIDE' as reason, o.note, o.asked_by, a.owner_user_id as owner, 1 as phones, a.customer_id,
      a.agreement_id, o.asked_at, o.ends_at, null::bigint as amount_paise
    from override_asks o
    join agreements_view a on a.org_id = o.org_id and a.agreement_id = o.agreement_id and a.device_id = o.device_id and a.state = 'active'
    join users_view w on w.org_id = o.org_id and w.user_id = a.owner_user_id
    where o.org_id = $1 and o.state = 'asked' and o.ends_at > kist_now() and kist_may_lock(o.org_id, o.asked_by)
      and o.asked_by in (w.user_id, w.parent_user_id) and ($owners is null or a.owner_user_id = any($owners))
    union all
    select 'batch', b.batch_id, b.reason, '', b.requested_by, b.requested_by, b.total, null,
      null, b.created_at, b.created_at + interval '${LIMITS.bulkApprovalMinutes} minutes', null
    from waiting_batches_view b
    where b.org_id = $1 and b.created_at > kist_now() - interval '${LIMITS.bulkApprovalMinutes} minutes'
      and ($owners is null or b.requested_by = any($owners))
    union all
    select 'waiver', v.waiver_id, null, v.reason, v.asked_by, a.owner_user_id, 0, a.customer_id, v.agreement_id, v.asked_at, null,
      v.amount_paise
    from waivers_view v
    join agreements_view a on a.org_id = v.org_id and a.agreement_id = v.agreement_id and a.state <> 'cancelled'
    where v.org_id = $1 and v.state = 'asked' and kist_shop_sees(v.org_id, v.asked_by, v.agreement_id)
      and ($owners is null or a.owner_user_id = any($owners))`;

export const countWaiting = statement({
  name: 'locking.count_waiting',
  takes,
  gives: { total: known(int4) },
  text: `select count(*)::int as total from (${WAITING}) w`,
});

/** What ends first comes first, then what ends by no day, as it was asked. */
export const listWaiting = statement({
  name: 'locking.list_waiting',
  takes: { ...takes, limit: int4, skip: int4 },
  gives: {
    kind: known(as<Waiting['kind']>()(text)),
    id: known(uuid),
    reason: nullable(as<LockReason>()(text)),
    note: known(text),
    asked_by: known(uuid),
    asked_by_name: nullable(text),
    /** The retailer of who asked. */
    asked_by_shop: nullable(uuid),
    shop: nullable(text),
    shop_mobile: nullable(text),
    agreement_no: nullable(text),
    phone: nullable(text),
    days_past_due: known(int4),
    overdue_paise: known(as<Paise>()(int8)),
    phones: known(int4),
    customer_id: nullable(uuid),
    asked_at: known(timestamptz),
    ends_at: nullable(timestamptz),
    amount_paise: nullable(as<Paise>()(int8)),
  },
  text: `
    select w.kind, w.id, w.reason, w.note, w.asked_by, u.name as asked_by_name, coalesce(u.parent_user_id, u.user_id) as asked_by_shop, s.shop_name as shop,
      c.mobile as shop_mobile, a.agreement_no, d.name as phone, kist_days_past_due(a.oldest_due_on, kist_today()) as days_past_due,
      coalesce((select sum(i.left_paise) from instalments_view i
        where i.org_id = $1 and i.agreement_id = a.agreement_id and kist_is_overdue(i.due_on, kist_today())), 0)::bigint as overdue_paise,
      w.phones, w.customer_id, w.asked_at, w.ends_at, w.amount_paise
    from (${WAITING}) w
    left join users_view u on u.org_id = $1 and u.user_id = w.asked_by
    left join users_view s on s.org_id = $1 and s.user_id = w.owner
    left join shop_contacts_view c on c.org_id = $1 and c.user_id = w.owner
    left join agreements_view a on a.org_id = $1 and a.agreement_id = w.agreement_id
    left join devices_view d on d.org_id = $1 and d.device_id = a.device_id
    order by w.ends_at, w.asked_at, w.id limit $limit offset $skip`,
});
