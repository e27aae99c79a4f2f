import type { ClaimAnswer, DesiredPolicy, LockCause } from '@kist/contract/agent';
import type { Language } from '@kist/contract/codes';
import { NO_SWITCHES, type Switch } from '@kist/contract/commands';
import type { IsoDate } from '@kist/contract/dates';
import { type DisputeState, RESTING_DISPUTES, WAITING_DISPUTES } from '@kist/contract/dispute-states';
import type { AllowedFeatures } from '@kist/contract/features';
import { LIMITS } from '@kist/contract/limits';
import type { HoldKind } from '@kist/contract/hold-kinds';
import { TOO_LITTLE } from '@kist/contract/lock-bounds';
import type { LockLevel, LockPolicy, LockReason } from '@kist/contract/lock-policy';
import type { ScreenTexts } from '#server/notices/notices.ts';
import type { Tx } from '#server/platform/database.ts';
import { listed } from '#server/platform/sql-words.ts';
import { shopName } from './contacts-store.ts';

/** Why a phone is held: one row for each cause. `at` texts are ISO instants. */
export interface HeldRow {
  cause: LockCause;
  level: LockLevel;
  level_since: string;
  reason: LockReason;
  ends_at: string | null;
}

/** Something taken from the phone's holder besides the level, for as long as its cause stands. */
export interface TakenRow {
  taken: Switch;
  cause: LockCause;
  reason: LockReason;
  /** Of a wallpaper: the organisation's words that were chosen, while they are in use. */
  texts?: ScreenTexts | null;
}

/** All that a decision about one phone needs, read in one statement. */
export interface FactRow {
  deviceId: string;
  customerId: string | null;
  provisioningType: number;
  imei1: string | null;
  imei2: string | null;
  serial: string | null;
  enrolledAt: Date | null;
  /** Under its agreement; null before. */
  firstEnrolledAt: Date | null;
  /** When its agreement's one try-out of the lock began; null before. */
  testedAt: Date | null;
  releasedAt: Date | null;
  revision: number;
  desiredLevel: LockLevel;
  /** What its screen is wanted to say: the cause; sum and instalments, both null without a screen. */
  shownCause: LockCause | null;
  shownPaise: number | null;
  shownCount: number | null;
  shownPhone: string | null;
  shownShop: string | null;
  shownUpi: string | null;
  /** The switches wanted of it; null when all are off. */
  switches: DesiredPolicy['toggles'] | null;
  wallpaperText: string | null;
  /** First step that the lease allows the phone by itself; null when it allows none. */
  leaseStepAt: string | null;
  leaseSeq: number;
  reportedLevel: number;
  /** False: the phone only reminds, it is never held. */
  isStrong: boolean;
  customerStatus: number | null;
  planType: number | null;
  agreementId: string | null;
  agreementNo: string | null;
  agreementDeviceId: string | null;
  ownerUserId: string | null;
  state: 'active' | 'completed' | 'cancelled' | null;
  policyKey: string | null;
  oldestDueOn: IsoDate | null;
  oldestDuePaise: number | null;
  financedImei1: string | null;
  financedImei2: string | null;
  financedSerial: string | null;
  overduePaise: number;
  overdueCount: number;
  language: Language | null;
  shop: string | null;
  shopPhone: string | null;
  /** The customer has a number on file: who was erased has none. */
  hasNumber: boolean | null;
  upiId: string | null;
  locks: HeldRow[] | null;
  restrictions: TakenRow[] | null;
  /** What proves something: of text messages only those to a number that its holder confirmed. */
  notices: { no: number; due_on: IsoDate; at: string; channel: string }[] | null;
  /** Those that may stop something now. */
  disputes: { at: string; state: DisputeState; since: string }[] | null;
  /** The largest that its schedule ever had: lower EMIs make no sum enough that was too little. */
  emiPaise: number | null;
  /** Only where the oldest one alone may be too little. */
  laterUnpaid: { due_on: IsoDate; paise: number }[] | null;
  /** Money was taken back then, or the phone exchanged: what was told before counts for nothing. */
  toldAnewFrom: Date | null;
  holds: { kind: HoldKind; until_on: IsoDate }[] | null;
  /** Whole ones: with what the agreement's policy asks of them, given for this phone. */
  consents: { version: string; hash: string; at: string }[] | null;
  reports: { kind: 'theft' | 'request'; by: 'customer' | 'customer_code' | 'shop'; at: string }[] | null;
  /** What was said on the phone last, that it is paid, and what became of that. A payment under way is not in it yet: its row is its last statement. */
  phoneClaim: { answer: ClaimAnswer | null } | null;
}

/** Instants in JSON: to_char is exact and the same in every time zone setting. */
const iso = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * One statement for one phone or for 100,000: each list is gathered by one pass over its table, not by a look-up for each phone; but for the proofs of
 * notices, of which the planner knows too little: it took them for one row and compared each phone with each proof. A phone is judged by its customer's
 * agreement; that the agreement names this very phone is for the gate to say.
 */
const WANTED = 'unnest($1::uuid[])';
const FACTS = `
with wanted as materialized (select ${WANTED} as device_id),
today as materialized (select kist_today() as on_day, kist_now() as now),
phone as materialized (
  select d.* from wanted w join devices d on d.org_id = kist_org() and d.device_id = w.device_id
),
sale as materialized (
  select distinct on (p.device_id) p.device_id as phone_id, a.agreement_id, a.agreement_no, a.device_id, a.owner_user_id, a.state, a.oldest_due_on,
    a.oldest_due_paise, a.created_at, a.exchanged_at, x.emi_paise, kist_needs_consent_code(x.policy) as needs_consent_code,
    a.oldest_due_paise < greatest(coalesce((x.policy #>> '{tooLittle,paise}')::bigint, ${TOO_LITTLE.paise}),
      ceil(x.emi_paise * coalesce((x.policy #>> '{tooLittle,bpsOfEmi}')::bigint, ${TOO_LITTLE.bpsOfEmi}) / 10000.0)) as may_be_too_little,
    jsonb_hash_extended(x.policy, 0)::text as policy_key
  from phone p join agreements a on a.org_id = kist_org() and a.customer_id = p.customer_id
  -- Each is asked for once: a policy is unpacked wherever it is named, which the concatenation does for all.
  cross join lateral (
    select a.policy || '{}'::jsonb as policy, kist_largest_emi(a) as emi_paise offset 0
  ) x
  order by p.device_id, (a.state = 'cancelled'), a.created_at desc
)
select p.device_id as "deviceId", p.customer_id as "customerId", p.provisioning_type as "provisioningType", p.imei1, p.imei2, p.serial,
  p.enrolled_at as "enrolledAt", coalesce(
    -- The try-out of the lock is the agreement's, whatever phone it is by now.
    case when s.exchanged_at is not null then (select min(x.first_enrolled_at) from phone_exchanges x where x.org_id = kist_org() and x.agreement_id = s.agreement_id) end,
    greatest(coalesce(p.first_enrolled_at, p.enrolled_at), case when p.enrolled_at is not null then s.created_at end)) as "firstEnrolledAt",
  y.started_at as "testedAt", p.released_at as "releasedAt", w.revision, w.lock_level as "desiredLevel", w.document #>> '{lock,cause}' as "shownCause",
  (w.document #>> '{lock,screen,amount_paise}')::bigint as "shownPaise", (w.document #>> '{lock,screen,instalments_due}')::integer as "shownCount",
  w.document #>> '{lock,screen,shop_phone}' as "shownPhone", w.document #>> '{lock,screen,shop}' as "shownShop", w.document #>> '{lock,screen,upi_uri}' as "shownUpi",
  nullif(w.document -> 'toggles', '${JSON.stringify(NO_SWITCHES)}') as switches, w.document ->> 'wallpaper_text' as "wallpaperText",
  w.lease -> 'ladder' -> 0 ->> 'at' as "leaseStepAt", w.lease_seq as "leaseSeq", r.lock_level as "reportedLevel",
  r.is_strong as "isStrong", c.status as "customerStatus", c.plan_type as "planType",
  s.agreement_id as "agreementId", s.agreement_no as "agreementNo", s.device_id as "agreementDeviceId", coalesce(s.owner_user_id, c.owner_user_id) as "ownerUserId", s.state,
  s.policy_key as "policyKey", s.oldest_due_on as "oldestDueOn", s.oldest_due_paise as "oldestDuePaise",
  f.imei1 as "financedImei1", f.imei2 as "financedImei2", f.serial as "financedSerial",
  s.emi_paise as "emiPaise", g.list as "laterUnpaid", greatest(v.reversed_at, s.exchanged_at) as "toldAnewFrom",
  coalesce(o.paise, 0)::bigint as "overduePaise", coalesce(o.n, 0)::integer as "overdueCount",
  c.language, ${shopName('u')} as shop, u.mobile as "shopPhone", c.mobile <> '' as "hasNumber", u.upi_id as "upiId",
  l.list as locks, t.list as restrictions, n.list as notices, q.list as disputes, h.list as holds, k.list as consents, e.list as reports, z.said as "phoneClaim"
from phone p
join device_desired w on w.org_id = kist_org() and w.device_id = p.device_id
join device_reports r on r.org_id = kist_org() and r.device_id = p.device_id
left join sale s on s.phone_id = p.device_id
left join devices f on f.org_id = kist_org() and f.device_id = s.device_id
left join customers c on c.org_id = kist_org() and c.customer_id = p.customer_id
left join enrolment_tests y on y.org_id = kist_org() and y.agreement_id = s.agreement_id
left join shop_contacts_view u on u.org_id = kist_org() and u.user_id = coalesce(s.owner_user_id, c.owner_user_id)
left join (
  select i.agreement_id, count(*) as n,
    sum(i.left_paise) as paise
  from sale s cross join today join instalments i on i.org_id = kist_org() and i.agreement_id = s.agreement_id
  where kist_is_overdue(i.due_on, today.on_day) and i.paid_on is null group by i.agreement_id
) o on o.agreement_id = s.agreement_id
left join (
  select b.device_id, json_agg(json_build_object('cause', b.cause, 'level', b.level, 'level_since', ${iso('b.level_since')}, 'reason', b.reason,
    'ends_at', ${iso('b.ends_at')})) as list
  from phone p join locks b on b.org_id = kist_org() and b.device_id = p.device_id group by b.device_id
) l on l.device_id = p.device_id
left join (
  select x.device_id, json_agg(json_build_object('taken', x.taken, 'cause', x.cause, 'reason', x.reason, 'texts', m.texts)) as list
  from phone p join restrictions x on x.org_id = kist_org() and x.device_id = p.device_id
  left join screen_templates_view m on m.org_id = kist_org() and m.template_id = x.template_id where x.given_back_at is null group by x.device_id
) t on t.device_id = p.device_id
left join reversals_view v on v.org_id = kist_org() and v.agreement_id = s.agreement_id
left join lateral (
  select json_agg(json_build_object('no', m.no, 'due_on', m.due_on, 'at', ${iso('m.at')}, 'channel', m.channel)) as list
  from notice_deliveries_view m
  where m.org_id = kist_org() and m.agreement_id = s.agreement_id and m.kind = 'notice' and m.due_on = s.oldest_due_on and m.is_number_confirmed is not false
    and m.handed_out_at >= coalesce(greatest(v.reversed_at, s.exchanged_at), '-infinity')
) n on true
left join (
  select x.agreement_id, json_agg(json_build_object('at', ${iso('x.opened_at')}, 'state', x.state, 'since', ${iso('x.state_since')})) as list
  from sale s cross join today join disputes x on x.org_id = kist_org() and x.agreement_id = s.agreement_id
  where x.state in (${listed(WAITING_DISPUTES)})
    or (x.state in (${listed(RESTING_DISPUTES)}) and x.state_since > today.now - interval '${LIMITS.disputeAnswerDays} days') group by x.agreement_id
) q on q.agreement_id = s.agreement_id
left join (
  select i.agreement_id, json_agg(json_build_object('due_on', i.due_on, 'paise', i.left_paise) order by i.due_on) as list
  from sale s join instalments i on i.org_id = kist_org() and i.agreement_id = s.agreement_id
  where s.may_be_too_little and i.paid_on is null and i.due_on > s.oldest_due_on group by i.agreement_id
) g on g.agreement_id = s.agreement_id
left join (
  select x.agreement_id, json_agg(json_build_object('kind', x.kind, 'until_on', x.until_on)) as list
  from sale s cross join today join holds x on x.org_id = kist_org() and x.agreement_id = s.agreement_id
  where x.until_on >= today.on_day and x.lifted_at is null group by x.agreement_id
) h on h.agreement_id = s.agreement_id
left join (
  select x.agreement_id, json_agg(json_build_object('version', x.text_version, 'hash', encode(x.text_hash, 'hex'), 'at', ${iso('x.accepted_at')})) as list
  from sale s join consents x on x.org_id = kist_org() and x.agreement_id = s.agreement_id
  where kist_consent_counts(x.document_id, x.confirmation_id, s.needs_consent_code, x.accepted_at, s.exchanged_at) group by x.agreement_id
) k on k.agreement_id = s.agreement_id
left join (
  select x.device_id, json_agg(json_build_object('kind', x.kind, 'by', x.reported_by, 'at', ${iso('x.reported_at')})) as list
  from phone p join protection_reports x on x.org_id = kist_org() and x.device_id = p.device_id where x.closed_at is null group by x.device_id
) e on e.device_id = p.device_id
left join (
  select distinct on (x.agreement_id) x.agreement_id, json_build_object('answer', case
    when x.state = 'paid' and m.at is not null or x.state = 'refused' and m.at > x.ended_at then json_build_object('is', 'paid', 'at', ${iso('m.at')})
    when x.state = 'refused' then json_build_object('is', 'refused', 'at', ${iso('x.ended_at')}) end) as said
  from sale s join phone_claims x on x.org_id = kist_org() and x.agreement_id = s.agreement_id
  left join lateral (
    select max(o.moved_at) as at from payments_view y
    join payment_moves_view o on o.org_id = y.org_id and o.payment_id = y.payment_id and o.to_state = 'posted'
    where x.state in ('paid', 'refused') and y.org_id = x.org_id and y.agreement_id = x.agreement_id and y.state = 'posted'
  ) m on true
  order by x.agreement_id, x.said_at desc, x.claim_id desc
) z on z.agreement_id = s.agreement_id`;

/**
 * Planning takes four times as long as running for one phone, hence prepared; and a statement of its own: of a list in a parameter the planner knows no
 * length, finds a plan for whatever comes dearer than one for this call, and would plan each call anew after all.
 */
const FACTS_OF_ONE = FACTS.replace(WANTED, () => '$1::uuid');
/** A part of an order to many, or of the ladder: prepared for about so many. */
const FACTS_OF_PART = FACTS.replace(WANTED, () => 'kist_part($1::uuid[])');
const FEW = 20;
/** For more the plan should see how many. */
const PART_UP_TO = 500;

/** How a statement over a list is prepared; undefined: it is planned for this call. */
const preparedFor = (count: number, name: string): string | undefined =>
  count === 1 ? `${name}_one` : count <= PART_UP_TO ? `${name}_part` : undefined;

/** @returns a row for each phone of this organisation among `deviceIds`, in no order. */
export async function readFacts(tx: Tx, deviceIds: readonly string[]): Promise<FactRow[]> {
  const isOne = deviceIds.length === 1;
  const isFew = deviceIds.length <= FEW;
  const isPart = !isFew && deviceIds.length <= PART_UP_TO;
  const name = isFew && !isOne ? 'locking.facts' : preparedFor(deviceIds.length, 'locking.facts_of');
  const text = isOne ? FACTS_OF_ONE : isPart ? FACTS_OF_PART : FACTS;
  return (await tx.query<FactRow>(text, isOne ? [...deviceIds] : [[...deviceIds]], name)).rows;
}

/**
 * The same rows for very many phones, as of this moment: every table is read once for all of them, where parts that each asked for their own would read
 * it once for each part. To be closed before it is opened again in the same transaction.
 */
export async function openFacts(tx: Tx, deviceIds: readonly string[]): Promise<void> {
  // All rows will be fetched: by default a cursor is planned for the first tenth.
  await tx.query('set local cursor_tuple_fraction = 1');
  await tx.query(`declare kist_facts no scroll cursor for ${FACTS}`, [[...deviceIds]]);
}

/** @returns the next rows; none at the end */
export const nextFacts = async (tx: Tx, size: number): Promise<FactRow[]> =>
  (await tx.query<FactRow>(`fetch ${size} from kist_facts`)).rows;

export async function closeFacts(tx: Tx): Promise<void> {
  await tx.query('close kist_facts');
}

/** Policies by the hash of their content (64 bits), as FactRow.policyKey names them: the same content is the same policy, so they are kept for good. */
const policies = new Map<string, LockPolicy>();
const POLICIES_KEPT = 10_000;

/** @returns the stamped policies of these rows, by key. */
export async function readPolicies(tx: Tx, rows: readonly FactRow[]): Promise<ReadonlyMap<string, LockPolicy>> {
  const missing = new Map<string, string>();
  for (const { policyKey, agreementId } of rows)
    if (policyKey && agreementId && !policies.has(policyKey)) missing.set(policyKey, agreementId);
  if (missing.size > 0) {
    const { rows: found } = await tx.query<{ key: string; policy: LockPolicy }>(
      'select jsonb_hash_extended(policy, 0)::text as key, policy from agreements where org_id = kist_org() and agreement_id = any($1::uuid[])',
      [[...missing.values()]],
    );
    if (policies.size > POLICIES_KEPT) policies.clear();
    for (const { key, policy } of found) policies.set(key, policy);
  }
  return policies;
}

/** What the organisation as a whole says of locks. */
export interface OrganisationFacts {
  now: Date;
  holidays: IsoDate[];
  /** `{"AMAPI": {"reference", "recorded_at"}}`: the written approval of a vendor, as the administrator recorded it. */
  vendorApprovals: Record<string, { reference: string; recorded_at: string } | undefined>;
  allowedFeatures: AllowedFeatures;
}

export async function readOrganisationFacts(tx: Tx): Promise<OrganisationFacts> {
  const { rows } = await tx.query<OrganisationFacts>(
    'select kist_now() as now, holidays, vendor_approvals as "vendorApprovals", allowed_features as "allowedFeatures" from organisations where org_id = kist_org()',
    [],
    'locking.organisation',
  );
  const [row] = rows;
  if (!row) throw new Error('the organisation of this transaction is not there');
  return row;
}

const taking = (devices: string, skipBusy: boolean) => `
  with pair as materialized (
    select d.device_id, a.agreement_id from devices d
    left join agreements a on a.org_id = d.org_id and a.customer_id = d.customer_id and a.state <> 'cancelled'
    where d.org_id = kist_org() and d.device_id = ${devices}
  ), taken as materialized (
    select agreement_id from agreements where org_id = kist_org() and agreement_id = any(array(select agreement_id from pair where agreement_id is not null))
    order by agreement_id for no key update${skipBusy ? ' skip locked' : ''}
  )
  select distinct p.device_id as "deviceId" from pair p left join taken t using (agreement_id)
  where p.agreement_id is null or t.agreement_id is not null order by p.device_id`;

/**
 * Takes the agreements of these phones before their desired state: payments take them in the same order, so a payment and a lock never wait for each
 * other in a circle.
 * @param skipBusy leaves out phones whose agreement somebody is paying for right now
 * @returns the phones whose agreement is taken, and those that have none; in the order of their ids, in which rows that were written together are read
 * together
 */
export async function takeAgreements(tx: Tx, deviceIds: readonly string[], skipBusy: boolean): Promise<string[]> {
  const isOne = deviceIds.length === 1;
  const { rows } = await tx.query<{ deviceId: string }>(
    taking(isOne ? '$1::uuid' : 'any($1::uuid[])', skipBusy),
    isOne ? [...deviceIds] : [[...deviceIds]],
    preparedFor(deviceIds.length, `locking.take${skipBusy ? '_if_free' : ''}`),
  );
  return rows.map((row) => row.deviceId);
}
