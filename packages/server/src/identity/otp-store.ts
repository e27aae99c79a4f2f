import type { CodePurpose } from '@kist/contract/codes';
import {
  as,
  bool,
  bytea,
  float8,
  int4,
  known,
  nothing,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { Lane } from './askers.ts';

const purpose = as<CodePurpose>()(text);
const lane = as<Lane>()(text);

const key = {
  mobile_hash: bytea,
  purpose,
  customer_id: nullable(uuid),
  /** Who may present it: the device that asked, or the network of one that names no device; null for step-up codes, which a session ordered. */
  device_hash: nullable(bytea),
  /** The text that the code agrees to; null where it agrees to none. */
  about_hash: nullable(bytea),
  /** What is sold and on which terms, as the code's message says it; null where it says none. */
  deal_hash: nullable(bytea),
};
export type OtpKey = RowOf<typeof key>;

const otp = {
  otp_id: uuid,
  code_hash: bytea,
  is_consumed: bool,
  is_expired: bool,
  tries: int4,
  requested_by: nullable(uuid),
};
export type OtpRow = RowOf<typeof otp>;

/** The newest code for exactly this mobile, purpose, customer and device: a stranger's request never replaces one's own code. */
export const lockOtp = statement({
  name: 'identity.lock_otp',
  takes: key,
  gives: otp,
  text: `
    select otp_id, code_hash, consumed_at is not null as is_consumed, expires_at <= now() as is_expired, tries, requested_by
    from otps where org_id = $1 and mobile_hash = $mobile_hash and purpose = $purpose and customer_id is not distinct from $customer_id
      and device_hash is not distinct from $device_hash and about_hash is not distinct from $about_hash
      and deal_hash is not distinct from $deal_hash
    order by created_at desc, otp_id desc limit 1 for update`,
});

/** Who, if anybody, asked in a session for a step-up code for this customer within the last day. */
export const stepUpRequester = statement({
  name: 'identity.step_up_requester',
  takes: { mobile_hash: bytea, purpose, customer_id: nullable(uuid) },
  gives: { requested_by: known(uuid) },
  text: `
    select requested_by from otps where org_id = $1 and mobile_hash = $mobile_hash and purpose = $purpose
      and customer_id is not distinct from $customer_id and requested_by is not null and created_at > now() - interval '1 day'
    order by created_at desc limit 1`,
});

/** One after the other for each mobile: two requests at once can not both be the fifth. */
export const holdMobile = statement({
  name: 'identity.hold_mobile',
  takes: { mobile_hash: bytea },
  gives: { pg_advisory_xact_lock: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('otp:' || $1::int || ':' || encode($mobile_hash, 'hex'), 0))`,
});

const sent = {
  by_asker: int4,
  /** By all strangers at its site; 0 where nobody is a stranger. */
  by_site: int4,
  /** By all askers of its lane. */
  by_lane: int4,
  /** Since the asker's last one of this purpose; null when there was none. */
  since_last_s: nullable(float8),
  /** Until the oldest of them is a day old. */
  asker_waits_s: float8,
  site_waits_s: float8,
  lane_waits_s: float8,
};
/** Codes about one mobile that nobody has used in the last 24 hours, whatever their purpose. */
export type SentOtps = RowOf<typeof sent>;

/** What was sent about a mobile in the last 24 hours and not used, by one asker, its site and all of its lane. */
export const sentOtps = statement({
  name: 'identity.sent_otps',
  takes: { mobile_hash: bytea, lane, asker: bytea, purpose, site: nullable(bytea) },
  gives: sent,
  text: `
    select count(*) filter (where asker = $asker)::int as by_asker, count(*) filter (where site = $site)::int as by_site, count(*)::int as by_lane,
      extract(epoch from now() - max(created_at) filter (where asker = $asker and purpose = $purpose))::float8 as since_last_s,
      coalesce(extract(epoch from min(created_at) filter (where asker = $asker) + interval '1 day' - now()), 0)::float8 as asker_waits_s,
      coalesce(extract(epoch from min(created_at) filter (where site = $site) + interval '1 day' - now()), 0)::float8 as site_waits_s,
      coalesce(extract(epoch from min(created_at) + interval '1 day' - now()), 0)::float8 as lane_waits_s
    from otps where org_id = $1 and mobile_hash = $mobile_hash and lane = $lane and consumed_at is null and created_at > now() - interval '1 day'`,
});

/** One shop's requests, one after the other: two at once can not both be the last. */
export const holdAsker = statement({
  name: 'identity.hold_asker',
  takes: { asker: bytea },
  gives: { pg_advisory_xact_lock: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('asker:' || $1::int || ':' || encode($asker, 'hex'), 0))`,
});

const unusedOf = (whose: string) =>
  `(select count(*)::int as n, coalesce(extract(epoch from min(created_at) + interval '1 day' - now()), 0)::float8 as waits_s from otps
      where org_id = $1 and lane = 'counter' and consumed_at is null and created_at > now() - interval '1 day'${whose})`;

/** Codes that went from a counter to customers in the last 24 hours and nobody used, whatever the number: of one shop, and of all; and until the oldest of them is a day old. */
export const unusedAtCounters = statement({
  name: 'identity.unused_at_counters',
  takes: { asker: bytea },
  gives: { by_shop: int4, shop_waits_s: float8, by_all: int4, all_wait_s: float8 },
  text: `
    select shop.n as by_shop, shop.waits_s as shop_waits_s, everyone.n as by_all, everyone.waits_s as all_wait_s
    from ${unusedOf(' and asker = $asker')} shop, ${unusedOf('')} everyone`,
});

export const insertOtp = statement({
  name: 'identity.insert_otp',
  takes: {
    otp_id: uuid,
    ...key,
    requested_by: nullable(uuid),
    code_hash: bytea,
    lane,
    asker: bytea,
    site: nullable(bytea),
    ttl_s: int4,
  },
  text: `
    insert into otps (org_id, otp_id, mobile_hash, purpose, customer_id, requested_by, device_hash, about_hash, deal_hash, code_hash, lane, asker, site, created_at, expires_at)
    values ($1, $otp_id, $mobile_hash, $purpose, $customer_id, $requested_by, $device_hash, $about_hash, $deal_hash, $code_hash, $lane, $asker, $site,
      now(), now() + make_interval(secs => $ttl_s))`,
});

export const useOtp = statement({
  name: 'identity.use_otp',
  takes: { otp_id: uuid },
  text: 'update otps set consumed_at = now() where org_id = $1 and otp_id = $otp_id',
});

/** Codes on their way for a deal that was just signed are of what runs from now on. */
export const dealRuns = statement({
  name: 'identity.deal_of_codes_runs',
  takes: { mobile_hash: bytea, customer_id: uuid, deal_hash: bytea },
  text: `
    update otps set deal_hash = null
    where org_id = $1 and mobile_hash = $mobile_hash and purpose = 'CONSENT' and customer_id = $customer_id and deal_hash = $deal_hash and consumed_at is null`,
});

export const countWrongOtp = statement({
  name: 'identity.count_wrong_otp',
  takes: { otp_id: uuid },
  text: 'update otps set tries = tries + 1 where org_id = $1 and otp_id = $otp_id',
});

/** From when on codes to a customer's number count, and how long that is still. */
export const numberSpeaks = statement({
  name: 'identity.number_speaks',
  takes: { customer_id: uuid },
  gives: { speaks_at: nullable(timestamptz), waits_s: int4 },
  text: `
    select s.speaks_at, coalesce(ceil(extract(epoch from s.speaks_at - kist_now())), 0)::int as waits_s
    from (select kist_number_speaks_at($1, $customer_id) as speaks_at) s`,
});

/** Of a customer who is erased: the hash that a code is about would say which number it was for. Codes that a consent stands on are its proof. */
export const forgetNumberCodes = statement({
  name: 'identity.forget_number_codes',
  takes: { customer_id: uuid },
  text: `delete from otps where org_id = $1 and customer_id = $customer_id and purpose = 'NUMBER'`,
});

export const forgetOtps = statement({
  name: 'identity.forget_otps',
  takes: { days: int4 },
  text: 'delete from otps where org_id = $1 and created_at < now() - make_interval(days => $days)',
});
