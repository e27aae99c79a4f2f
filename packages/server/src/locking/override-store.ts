import { as, int4, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const ask = { ask_id: uuid, device_id: uuid, agreement_id: uuid, note: text, asked_by: uuid };

/** The moment, and the one at which it ends by itself, are the database's. */
export const insertAsk = statement({
  name: 'locking.insert_override_ask',
  takes: ask,
  gives: { ends_at: timestamptz },
  text: `
    insert into override_asks (org_id, ask_id, device_id, agreement_id, note, asked_by, asked_at, ends_at)
    values ($1, $ask_id, $device_id, $agreement_id, $note, $asked_by, kist_now(), kist_now() + interval '1 day') returning ends_at`,
});

/** What waits for a second person about this phone, as its agreement stands. */
export const waitingAsk = statement({
  name: 'locking.waiting_override_ask',
  takes: { device_id: uuid },
  gives: { ...ask, ends_at: timestamptz, asked_by_name: nullable(text) },
  text: `
    select o.ask_id, o.device_id, o.agreement_id, o.note, o.asked_by, o.ends_at, u.name as asked_by_name
    from override_asks o left join users_view u on u.org_id = o.org_id and u.user_id = o.asked_by
    where o.org_id = $1 and o.device_id = $device_id and o.state = 'asked' and o.ends_at > kist_now()`,
});

/** How often it was asked for an agreement in the last 24 hours, and until the oldest of them is a day old. */
export const askedLately = statement({
  name: 'locking.override_asked_lately',
  takes: { agreement_id: uuid },
  gives: { asked: int4, wait_s: int4 },
  text: `
    select count(*)::int as asked, coalesce(ceil(extract(epoch from min(o.asked_at) + interval '1 day' - kist_now())), 0)::int as wait_s
    from override_asks o where o.org_id = $1 and o.agreement_id = $agreement_id and o.asked_at > kist_now() - interval '1 day'`,
});

export const findAsk = statement({
  name: 'locking.find_override_ask',
  takes: { ask_id: uuid },
  gives: { device_id: uuid, customer_id: uuid },
  text: `
    select o.device_id, a.customer_id from override_asks o join agreements_view a on a.org_id = o.org_id and a.agreement_id = o.agreement_id
    where o.org_id = $1 and o.ask_id = $ask_id`,
});

/** What is open about a phone is over: another may be asked. */
export const endAsks = statement({
  name: 'locking.end_override_asks',
  takes: { device_id: uuid },
  text: `
    update override_asks set state = 'ended', decided_at = kist_now()
    where org_id = $1 and device_id = $device_id and state = 'asked'`,
});

export const decideAsk = statement({
  name: 'locking.decide_override_ask',
  takes: {
    ask_id: uuid,
    state: as<'agreed' | 'refused'>()(text),
    decided_by: uuid,
    /** Why not, in their words. */
    refusal_note: nullable(text),
  },
  text: `
    update override_asks set state = $state, decided_by = $decided_by, decided_at = kist_now(), refusal_note = $refusal_note
    where org_id = $1 and ask_id = $ask_id`,
});

/** Who could be the second person: the retailer whose customers it is about or that is above who looks after them, and did not make who asks, and the organisation's administrators. */
export const couldAgree = statement({
  name: 'locking.could_agree_to_override',
  takes: { owner: uuid, asked_by: uuid },
  gives: { user_id: uuid },
  text: `
    select u.user_id from users_view u
    where u.org_id = $1 and u.is_active and u.user_id <> $asked_by and u.user_type in ('retailer', 'admin') and (
      u.user_type = 'admin' or u.user_id = $owner
      or u.user_id = (select o.parent_user_id from users_view o where o.org_id = $1 and o.user_id = $owner))
      and not exists (select from users_view a where a.org_id = $1 and a.user_id = $asked_by and a.parent_user_id = u.user_id)
    order by u.user_id`,
});
