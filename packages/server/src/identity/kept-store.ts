import { as, jsonb, known, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { DeviceNote } from './session-store.ts';

/** Logins live in real time; what is told is told by the product's clock, as everything that a person dates. */
const told = (moment: string): string => `${moment} + (kist_now() - now())`;

/**
 * Where a customer was and is signed in, newest first, for as long as it is kept; nothing that a session is entered by. Of those who had the number before
 * nothing: what was over before the login opened this customer is not theirs.
 */
export const sessionsKept = statement({
  name: 'identity.sessions_kept',
  takes: { customer_id: uuid },
  gives: {
    device: jsonb<Partial<DeviceNote>>(),
    ip: text,
    first_seen_at: timestamptz,
    last_seen_at: timestamptz,
    ended_at: nullable(timestamptz),
  },
  text: `
    select s.device, s.ip, ${told('s.created_at')} as first_seen_at, ${told('s.last_seen_at')} as last_seen_at,
      case when least(s.revoked_at, s.expires_at) <= now() then ${told('least(s.revoked_at, s.expires_at)')} end as ended_at
    from customer_logins l join sessions s on s.org_id = l.org_id and s.user_id = l.user_id
    where l.org_id = $1 and l.customer_id = $customer_id and ${told('s.last_seen_at')} >= l.since
    order by s.created_at desc, s.session_id desc`,
});

/** How a customer comes back in without a code: what a device is known by, and since when. */
export const waysInKept = statement({
  name: 'identity.ways_in_kept',
  takes: { customer_id: uuid },
  gives: {
    kind: known(as<'passkey' | 'trusted_device' | 'mpin'>()(text)),
    device: jsonb<Partial<DeviceNote>>(),
    since: timestamptz,
    last_used_at: nullable(timestamptz),
  },
  text: `
    with login as (select user_id from customer_logins where org_id = $1 and customer_id = $customer_id)
    select 'passkey' as kind, p.device, ${told('p.created_at')} as since, ${told('p.last_used_at')} as last_used_at
    from login join passkeys p on p.org_id = $1 and p.user_id = login.user_id
    union all
    select 'trusted_device', '{}', ${told('t.created_at')}, ${told('t.last_used_at')}
    from login join trusted_devices t on t.org_id = $1 and t.user_id = login.user_id
    union all
    select 'mpin', '{}', ${told('u.mpin_set_at')}, null from login join users u on u.org_id = $1 and u.user_id = login.user_id where u.mpin_set_at is not null
    order by since, kind`,
});
