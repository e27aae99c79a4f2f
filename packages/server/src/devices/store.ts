import type { DesiredPolicy, Grade } from '@kist/contract/agent';
import { LIMITS } from '@kist/contract/limits';
import { as, bool, int4, listOf, nullable, text, uuid } from '#server/platform/column-types.ts';
import type { Tx } from '#server/platform/database.ts';
import { givenRows } from '#server/platform/given-rows.ts';
import { statement } from '#server/platform/statement.ts';
import { type LockFacts, MAX_LEAP, type PhoneIds } from './rules.ts';

export interface DeviceRow extends PhoneIds {
  deviceId: string;
  customerId: string | null;
  provisioningType: number;
  brand: string;
  model: string;
  enrolledAt: Date | null;
  releasedAt: Date | null;
}

const DEVICE = `device_id as "deviceId", customer_id as "customerId", provisioning_type as "provisioningType", imei1, imei2, serial, brand, model,
  enrolled_at as "enrolledAt", released_at as "releasedAt"`;

export interface NewDevice extends PhoneIds {
  deviceId: string;
  customerId: string | null;
  provisioningType: number;
  brand: string;
  model: string;
}

/** @returns false when a phone in use already has one of these numbers; nothing is written then. */
export async function insertDevice(
  tx: Tx,
  device: NewDevice,
  document: DesiredPolicy,
  isStrong: boolean,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with made as (
       insert into devices (org_id, device_id, customer_id, provisioning_type, imei1, imei2, serial, brand, model, created_at)
       select kist_org(), $1::uuid, $2::uuid, $3::integer, $4::text, $5::text, $6::text, $7::text, $8::text, kist_now()
       where not exists (select from devices where org_id = kist_org() and released_at is null and (imei1 = $5 or imei2 = $4))
       on conflict do nothing returning org_id, device_id
     ), desired as (
       insert into device_desired (org_id, device_id, revision, document, changed_at, lock_changed_at)
       select org_id, device_id, 1, $9::jsonb, kist_now(), kist_now() from made
     )
     insert into device_reports (org_id, device_id, is_strong) select org_id, device_id, $10::boolean from made`,
    [
      device.deviceId,
      device.customerId,
      device.provisioningType,
      device.imei1,
      device.imei2,
      device.serial,
      device.brand,
      device.model,
      JSON.stringify(document),
      isStrong,
    ],
  );
  return rowCount === 1;
}

export async function findDevice(tx: Tx, deviceId: string, lock = false): Promise<DeviceRow | undefined> {
  const { rows } = await tx.query<DeviceRow>(
    `select ${DEVICE} from devices where org_id = kist_org() and device_id = $1${lock ? ' for update' : ''}`,
    [deviceId],
  );
  return rows[0];
}

/** The customer's phone: the one in use, else the last one released. */
export async function findDeviceOfCustomer(tx: Tx, customerId: string): Promise<DeviceRow | undefined> {
  const { rows } = await tx.query<DeviceRow>(
    `select ${DEVICE} from devices where org_id = kist_org() and customer_id = $1 order by released_at desc nulls first, created_at desc limit 1`,
    [customerId],
  );
  return rows[0];
}

export async function markReleased(tx: Tx, deviceId: string): Promise<void> {
  await tx.query(
    'update devices set released_at = coalesce(released_at, kist_now()) where org_id = kist_org() and device_id = $1',
    [deviceId],
  );
}

/** What is known of the way to a phone; all null where it was never set up. */
export interface ChannelRow {
  provisioningType: number;
  vendor: string | null;
  grade: Grade | null;
  saysDigest: boolean | null;
  agentVersion: string | null;
  androidApi: number | null;
  isOwner: boolean | null;
}
const AGENT = `e.grade, coalesce(r.agent_version, e.facts ->> 'agent_version') as "agentVersion"`;
/** The digest of what a phone shall be; of a row `alias` of device_desired. One that was not written since there are digests has it reckoned here. */
export const documentDigestSql = (alias: string): string =>
  `coalesce(${alias}.document_digest, kist_digest(${alias}.document))`;
/** Null while it said nothing at all. A wrong digest is worth no more than none, and one that was found wrong counts until all of it fits again. */
const SAYS_DIGEST = `case when r.reported_at is not null then r.unfit_polls = 0 and r.policy_digest is not distinct from ${documentDigestSql('w')} end`;
const CHANNEL = `e.vendor, ${AGENT}, ${SAYS_DIGEST} as "saysDigest",
  (e.facts ->> 'android_api')::integer as "androidApi", (e.facts ->> 'is_owner')::boolean as "isOwner"`;

export interface ViewRow extends DeviceRow, CellRow, Pick<ChannelRow, 'grade' | 'agentVersion'> {
  lastSeenAt: Date | null;
  battery: number | null;
  sims: { slot: number; operator: string; iccid: string }[];
  location: { latitude: number; longitude: number; accuracy_m: number; at: string } | null;
  toggles: Record<string, boolean>;
  now: Date;
}

/** Null of one that said something within the days that its running agreement's policy allows. No policy allows less than a day: nothing is asked of a phone that was heard within one. */
const SILENT_SINCE = `case when r.last_seen_at < kist_now() - interval '1 day' and r.last_seen_at < kist_now() - make_interval(days => coalesce(
    (select (a.policy ->> 'silentAfterDays')::integer from agreements_view a where a.org_id = w.org_id and a.device_id = w.device_id and a.state = 'active'),
    ${LIMITS.silentAfterDays})) then r.last_seen_at end`;
const LOCK_FACTS = `w.lock_level as "desiredLevel", w.revision as "desiredRevision", w.lock_changed_at as "lockChangedAt",
  w.document -> 'lock' ->> 'cause' as "desiredCause", r.lock_level as "reportedLevel", r.revision as "reportedRevision",
  r.level_changed_at as "levelChangedAt", r.reported_at as "reportedAt", r.is_strong as "isStrong", r.told_revision as "toldRevision",
  exists (select from enrolments g where g.org_id = w.org_id and g.device_id = w.device_id and g.ended_at is null and g.in_charge
    and g.public_key_spki is not null and case when g.grade = 'hardware' then ${SAYS_DIGEST} is false else true end) as "isUnproven",
  ${SILENT_SINCE} as "silentSince"`;
const JOINED = `device_desired w join device_reports r using (org_id, device_id)`;

/**
 * Of these phones the ones that are silent for longer than they may and whose silence was not told of yet; it counts as told of now. One that only reminds
 * cannot be held. Whoever holds a phone's row is hearing it speak, or telling of it: neither is waited for.
 */
export const takeSilences = statement({
  name: 'devices.take_silences',
  takes: { device_ids: listOf(uuid) },
  gives: { device_id: uuid },
  text: `
    with silent as (
      select w.org_id, w.device_id from ${JOINED} join devices d using (org_id, device_id)
      where w.org_id = $1 and w.device_id = any($device_ids) and d.enrolled_at is not null and d.released_at is null and r.is_strong
        and r.silence_told_of is distinct from r.last_seen_at and ${SILENT_SINCE} is not null
      for no key update of r skip locked
    )
    update device_reports r set silence_told_of = r.last_seen_at from silent s where r.org_id = s.org_id and r.device_id = s.device_id
    returning r.device_id`,
});

/** Of the customer's agreement that counts: the newest, a cancelled one last. */
const AGREEMENT_STATE = `(select a.state from agreements a where a.org_id = d.org_id and a.customer_id = d.customer_id order by (a.state = 'cancelled'), a.created_at desc limit 1)`;

/**
 * What phones with such an IMEI were registered as, those that were let go too: the way most of the newest made were written, and of two ways that are as
 * frequent the one that was written last. Of a phone it tells the maker and the model alone.
 */
export const modelOf = statement({
  name: 'devices.model_of',
  takes: { from: text, below: text },
  gives: { brand: text, model: text },
  text: `
    select brand, model from (
      select brand, model, created_at from devices
      where org_id = $1 and imei1 is not null and imei1 >= $from and imei1 < $below and brand <> '' and model <> ''
      order by imei1 desc limit 200
    ) same group by brand, model order by count(*) desc, max(created_at) desc, brand, model limit 1`,
});

export async function findView(tx: Tx, deviceId: string): Promise<ViewRow | undefined> {
  const { rows } = await tx.query<ViewRow>(
    `select d.device_id as "deviceId", d.customer_id as "customerId", d.provisioning_type as "provisioningType", d.imei1, d.imei2, d.serial, d.brand, d.model,
       d.enrolled_at as "enrolledAt", d.released_at as "releasedAt", ${LOCK_FACTS}, r.last_seen_at as "lastSeenAt", r.battery,
       ${AGENT}, r.sims, r.location, r.toggles, c.status as "customerStatus", c.plan_type as "planType",
       ${AGREEMENT_STATE} as "agreementState", kist_now() as now
     from devices d join ${JOINED} using (org_id, device_id)
     left join enrolments e on e.org_id = d.org_id and e.device_id = d.device_id and e.ended_at is null and e.in_charge
     left join customers c on c.org_id = d.org_id and c.customer_id = d.customer_id
     where d.org_id = kist_org() and d.device_id = $1`,
    [deviceId],
  );
  return rows[0];
}

/** What places a phone in the feature matrix, beside its lock. */
export interface CellRow extends LockFacts {
  deviceId: string;
  provisioningType: number;
  customerStatus: number | null;
  planType: number | null;
  agreementState: string | null;
}

/** The ways to one phone, that in charge first; a row of nulls where it was never set up. */
export const channelsOf = statement({
  name: 'devices.channels_of',
  takes: { device_id: uuid },
  gives: {
    provisioningType: int4,
    vendor: nullable(text),
    grade: nullable(as<Grade>()(text)),
    saysDigest: nullable(bool),
    agentVersion: nullable(text),
    androidApi: nullable(int4),
    isOwner: nullable(bool),
  },
  text: `
    select d.provisioning_type as "provisioningType", ${CHANNEL}
    from devices d join device_reports r on r.org_id = d.org_id and r.device_id = d.device_id
    join device_desired w on w.org_id = d.org_id and w.device_id = d.device_id
    left join enrolments e on e.org_id = d.org_id and e.device_id = d.device_id and e.ended_at is null
    where d.org_id = $1 and d.device_id = $device_id order by e.in_charge desc, e.started_at`,
});

export async function findCells(tx: Tx, deviceIds: readonly string[]): Promise<CellRow[]> {
  const { rows } = await tx.query<CellRow>(
    `select d.device_id as "deviceId", d.provisioning_type as "provisioningType", ${LOCK_FACTS}, c.status as "customerStatus",
       c.plan_type as "planType", ${AGREEMENT_STATE} as "agreementState"
     from devices d join ${JOINED} using (org_id, device_id)
     left join customers c on c.org_id = d.org_id and c.customer_id = d.customer_id
     where d.org_id = kist_org() and d.device_id = any($1::uuid[])`,
    [[...deviceIds]],
  );
  return rows;
}

export async function findLockFacts(
  tx: Tx,
  deviceIds: readonly string[],
): Promise<(LockFacts & { deviceId: string })[]> {
  const { rows } = await tx.query<LockFacts & { deviceId: string }>(
    `select w.device_id as "deviceId", ${LOCK_FACTS} from ${JOINED} where w.org_id = kist_org() and w.device_id = any($1::uuid[])`,
    [[...deviceIds]],
  );
  return rows;
}

/** In the order of their ids, so that two who take many never wait for each other in a circle. */
export async function lockDesired(tx: Tx, deviceIds: readonly string[]): Promise<void> {
  const isOne = deviceIds.length === 1;
  await tx.query(
    `select count(*) from (select from device_desired where org_id = kist_org() and device_id = ${isOne ? '$1::uuid' : 'any($1::uuid[])'} order by device_id for update) taken`,
    isOne ? [...deviceIds] : [[...deviceIds]],
    isOne ? 'devices.lock_one_desired' : 'devices.lock_desired',
  );
}

/** Columns of the statement below. */
export interface DesiredPatch {
  device_id: string;
  /** Top-level parts of the document that are replaced; null: the document stays and the revision too. */
  patch: Partial<DesiredPolicy> | null;
  toggles: Record<string, boolean> | null;
  level: number | null;
  lease: object | null;
}

const PATCHES = givenRows<DesiredPatch>({
  device_id: 'uuid',
  patch: 'jsonb',
  toggles: 'jsonb',
  level: 'smallint',
  lease: 'json',
});

const above = (own: string, told: string) =>
  `(case when ${told} - ${own} between 1 and ${MAX_LEAP} then ${told} else ${own} end + 1)`;
const NEXT_REVISION = `case when given.patch is null then d.revision else ${above('d.revision', 'greatest(r.revision, r.claimed_revision)')} end`;
const NEXT_LEASE = above('d.lease_seq', 'r.lease_seq');

/** One UPDATE for all. The numbers also rise above what the phone reported: after a restored backup it would else ignore every order. */
export async function patchDesired(
  tx: Tx,
  patches: readonly DesiredPatch[],
): Promise<{ deviceId: string; revision: number }[]> {
  const { rows } = await tx.query<{ deviceId: string; revision: number }>(
    `update device_desired d set
       revision = ${NEXT_REVISION},
       lock_level = coalesce(given.level, d.lock_level),
       document = case when given.patch is null then d.document
         when given.toggles is null then d.document || given.patch
         else d.document || given.patch || jsonb_build_object('toggles', d.document -> 'toggles' || given.toggles) end,
       lease_seq = case when given.lease is null then d.lease_seq else ${NEXT_LEASE} end,
       lease = case when given.lease is null then d.lease else (format('{"v":1,"device_id":"%s","seq":%s,"revision":%s,"issued_at":"%s",', d.device_id,
         ${NEXT_LEASE}, ${NEXT_REVISION}, (select to_char(kist_now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) || ltrim(given.lease::text, '{'))::json end,
       changed_at = (select kist_now()),
       lock_changed_at = case when given.level is null or given.level = d.lock_level then d.lock_changed_at else (select kist_now()) end
     from ${PATCHES.from}
     join device_reports r on r.org_id = kist_org() and r.device_id = given.device_id
     where d.org_id = kist_org() and d.device_id = given.device_id
     returning d.device_id as "deviceId", d.revision`,
    await PATCHES.parameters(patches),
    'devices.patch_desired',
  );
  return rows;
}

/** Where phones were found, by their answers to a location order; an older place never replaces a newer one. */
export async function noteLocations(
  tx: Tx,
  found: readonly { deviceId: string; location: object; at: string }[],
): Promise<void> {
  await tx.query(
    `update device_reports r set location = f.location, located_at = least(f.at, kist_now())
     from json_to_recordset($1::json) as f("deviceId" uuid, location jsonb, at timestamptz)
     where r.org_id = kist_org() and r.device_id = f."deviceId" and (r.located_at is null or r.located_at <= f.at)`,
    [JSON.stringify(found)],
    'devices.note_locations',
  );
}
