import { createHash } from 'node:crypto';
import {
  bool,
  bytea,
  int4,
  known,
  listOf,
  manyTexts,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
import type { Tx } from '#server/platform/database.ts';
import { crossingStatement, statement } from '#server/platform/statement.ts';
import type { Grade } from '@kist/contract/agent';

/** What is kept of a token to know it by. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Keeps a token to be shown again. */
export const keepSealedToken = statement({
  name: 'devices.keep_sealed_token',
  takes: { token_hash: bytea, sealed: bytea },
  text: `update enrolment_tokens set sealed = $sealed where org_id = $1 and token_hash = $token_hash`,
});

/** The token of a phone that still enrols it, if it was kept. */
export const sealedToken = statement({
  name: 'devices.sealed_token',
  takes: { device_id: uuid },
  gives: { sealed: known(bytea), expires_at: timestamptz },
  text: `select sealed, expires_at from enrolment_tokens
     where org_id = $1 and device_id = $device_id and used_at is null and expires_at > kist_now() and sealed is not null
     order by created_at desc limit 1`,
});

/** The phones in use that may be the one that says these numbers of itself. */
export const findPhonesOf = statement({
  name: 'devices.find_phones_of',
  takes: { imeis: listOf(text), serial: text },
  gives: {
    device_id: uuid,
    provisioning_type: int4,
    imei1: nullable(text),
    imei2: nullable(text),
    serial: nullable(text),
  },
  text: `
    select device_id, provisioning_type, imei1, imei2, serial from devices
    where org_id = $1 and released_at is null and (imei1 = any($imeis) or imei2 = any($imeis) or (serial = $serial and $serial <> ''))`,
});

/** A new token ends every other one of the phone. */
export async function insertToken(
  tx: Tx,
  token: { hash: Buffer; nameHash: Buffer; customerId: string; deviceId: string; createdBy: string; ttlS: number },
): Promise<Date> {
  await tx.query(
    `update enrolment_tokens set expires_at = kist_now(), sealed = null where org_id = kist_org() and device_id = $1 and used_at is null and expires_at > kist_now()`,
    [token.deviceId],
  );
  const { rows } = await tx.query<{ expiresAt: Date }>(
    `insert into enrolment_tokens (org_id, token_hash, customer_id, device_id, created_by, created_at, expires_at, name_sha256)
     values (kist_org(), $1, $2, $3, $4, kist_now(), kist_now() + make_interval(secs => $5), $6) returning expires_at as "expiresAt"`,
    [token.hash, token.customerId, token.deviceId, token.createdBy, token.ttlS, token.nameHash],
  );
  return rows[0]!.expiresAt;
}

/**
 * Which of many names a token begins with, used or not. Those made before their names were kept live a day: while an organisation has one, any name there may
 * be its.
 */
export const tokensNamed = crossingStatement({
  name: 'devices.tokens_named',
  takes: { org_ids: listOf(int4), name_hashes: listOf(bytea) },
  gives: { n: known(int4) },
  text: `
    with asked as materialized (
      select n::integer as n, org_id, name_sha256 from unnest($org_ids, $name_hashes) with ordinality as a(org_id, name_sha256, n)
    )
    select a.n from asked a cross join lateral (
      select from enrolment_tokens t where t.org_id = a.org_id and t.name_sha256 = a.name_sha256 limit 1) named
    union all
    select a.n from asked a cross join lateral (
      select from enrolment_tokens t
      where t.org_id = a.org_id and t.name_sha256 is null and t.vendor is null and t.expires_at > kist_now() limit 1) nameless`,
});

/** A token by its hash, taken for this transaction. */
export const lockToken = statement({
  name: 'devices.lock_token',
  takes: { token_hash: bytea },
  gives: { customer_id: uuid, device_id: uuid, created_by: uuid, is_used: known(bool), is_expired: known(bool) },
  text: `select customer_id, device_id, created_by, used_at is not null as is_used, expires_at <= kist_now() as is_expired
     from enrolment_tokens where org_id = $1 and token_hash = $token_hash for update`,
});

export const useToken = statement({
  name: 'devices.use_token',
  takes: { token_hash: bytea },
  text: `update enrolment_tokens set used_at = kist_now(), sealed = null where org_id = $1 and token_hash = $token_hash`,
});

/** The live enrolment that this token and this key made; a phone whose answer was lost finds it again. */
export const enrolmentOf = statement({
  name: 'devices.enrolment_of',
  takes: { device_id: uuid, token_hash: bytea, spki: bytea },
  gives: { enrolment_id: uuid, in_charge: bool },
  text: `select enrolment_id, in_charge from enrolments
     where org_id = $1 and device_id = $device_id and ended_at is null and token_hash = $token_hash and public_key_spki = $spki`,
});

export interface NewEnrolment {
  enrolmentId: string;
  deviceId: string;
  /** Null: a channel of a vendor that names the phone by `handle`. */
  spki: Buffer | null;
  vendor: string;
  handle: string | null;
  tokenHash: Buffer;
  grade: Grade;
  facts: Record<string, unknown>;
  serial: string | null;
  bootCount: number;
  elapsedMs: number;
  isStrong: boolean;
}

/** A channel that began. `replacedLevel`: that its vendor's channel before it was on; null when there was none. */
interface BegunChannel {
  at: Date;
  inCharge: boolean;
  replacedLevel: number | null;
}

/**
 * Ends the phone's channel of this vendor, if it has one, and begins the new one. The phone's first is in charge, one that joins another vendor's stands
 * beside it and moves nothing. In charge, every report is forgotten: an erased phone holds nothing. What it *shall* be (device_desired) is not touched, so
 * its first check-in hands it the lock again. The key of the one before is still listened to (earlier-key.ts).
 * @returns null when its key is another phone's, and the transaction must not go on then
 */
export async function replaceEnrolment(tx: Tx, enrolment: NewEnrolment): Promise<BegunChannel | null> {
  const { rows: before } = await tx.query<{ level: number }>(
    `update enrolments e set ended_at = kist_now(), replaced_by = $2 from device_reports r
     where e.org_id = kist_org() and e.device_id = $1 and e.vendor = $3 and e.ended_at is null and r.org_id = e.org_id and r.device_id = e.device_id
     returning r.lock_level as level`,
    [enrolment.deviceId, enrolment.enrolmentId, enrolment.vendor],
  );
  const { rows: made } = await tx.query<{ at: Date; inCharge: boolean }>(
    `insert into enrolments (org_id, enrolment_id, device_id, public_key_spki, key_sha256, token_hash, grade, facts, vendor, handle, started_at, in_charge)
     values (kist_org(), $1, $2, $3, sha256($3), $4, $5, $6, $7, $8, kist_now(),
       not exists (select from enrolments o where o.org_id = kist_org() and o.device_id = $2 and o.ended_at is null and o.in_charge))
     on conflict (org_id, key_sha256) where ended_at is null do nothing returning started_at as at, in_charge as "inCharge"`,
    [
      enrolment.enrolmentId,
      enrolment.deviceId,
      enrolment.spki,
      enrolment.tokenHash,
      enrolment.grade,
      JSON.stringify(enrolment.facts),
      enrolment.vendor,
      enrolment.handle,
    ],
  );
  const [begun] = made;
  if (!begun) return null;
  if (!begun.inCharge) return { ...begun, replacedLevel: null };
  await forgetReports(tx, enrolment);
  const { rows } = await tx.query<{ at: Date }>(
    `update devices d set enrolled_at = kist_now(), first_enrolled_at = coalesce(d.first_enrolled_at, kist_now()), serial = case when d.serial is null and not exists (
         select from devices o where o.org_id = d.org_id and o.released_at is null and o.serial = $2 and o.device_id <> d.device_id) then $2::text else d.serial end
     where d.org_id = kist_org() and d.device_id = $1 returning d.enrolled_at as at`,
    [enrolment.deviceId, enrolment.serial],
  );
  return { ...begun, at: rows[0]!.at, replacedLevel: before[0]?.level ?? null };
}

/** Whoever is in charge from now on has said nothing yet. */
async function forgetReports(
  tx: Tx,
  { deviceId, isStrong, bootCount, elapsedMs }: Pick<NewEnrolment, 'deviceId' | 'isStrong' | 'bootCount' | 'elapsedMs'>,
): Promise<void> {
  await tx.query(
    `insert into device_reports (org_id, device_id, is_strong, boot_count, elapsed_ms) values (kist_org(), $1, $2, $3, $4)
     on conflict (org_id, device_id) do update set revision = 0, lock_level = 0, lock_cause = null, is_strong = excluded.is_strong,
       boot_count = excluded.boot_count, elapsed_ms = excluded.elapsed_ms, wall_clock = null, battery = null, agent_version = null, sims = '[]',
       toggles = '{}', lease_seq = 0, push_token = null, location = null, located_at = null, reported_at = null, level_changed_at = null,
       told_revision = 0, told_lease_seq = 0, policy_digest = null, unfit_polls = 0, claimed_revision = 0`,
    [deviceId, isStrong, bootCount, elapsedMs],
  );
}

/** The phone's oldest channel that stands beside nobody any more takes charge. */
const takeCharge = statement({
  name: 'devices.take_charge',
  takes: { device_id: uuid },
  gives: { enrolment_id: uuid, vendor: text, is_owner: nullable(bool) },
  text: `update enrolments set in_charge = true, charged_at = kist_now() where org_id = $1 and enrolment_id = (
       select e.enrolment_id from enrolments e where e.org_id = $1 and e.device_id = $device_id and e.ended_at is null
         and not exists (select from enrolments o where o.org_id = $1 and o.device_id = $device_id and o.ended_at is null and o.in_charge)
       order by e.started_at, e.enrolment_id limit 1)
     returning enrolment_id, vendor, (facts ->> 'is_owner')::boolean as is_owner`,
});

/**
 * After a channel ended: one that stood beside it is in charge of the phone now, and is owed what the phone shall be; a phone must not stay held because
 * the vendor that would free it is gone. @returns the one that took charge; undefined when there is none, or another still is
 */
export async function succeed(
  tx: Tx,
  deviceId: string,
  isStrongType: boolean,
): Promise<{ vendor: string } | undefined> {
  const taken = await takeCharge.first(tx, { device_id: deviceId });
  if (!taken) return undefined;
  await forgetReports(tx, { deviceId, isStrong: isStrongType && taken.is_owner !== false, bootCount: 0, elapsedMs: 0 });
  return { vendor: taken.vendor };
}

export async function insertEvent(
  tx: Tx,
  event: { eventId: string; deviceId: string; kind: string; data: Record<string, unknown> },
): Promise<void> {
  await tx.query(
    `insert into device_events (org_id, device_id, event_id, at, kind, data) values (kist_org(), $1, $2, kist_now(), $3, $4)`,
    [event.deviceId, event.eventId, event.kind, JSON.stringify(event.data)],
  );
}

/** When a phone last said anything. */
export const lastSeenOf = statement({
  name: 'devices.last_seen_of',
  takes: { device_id: uuid },
  gives: { last_seen_at: nullable(timestamptz) },
  text: 'select last_seen_at from device_reports where org_id = $1 and device_id = $device_id',
});

/** Whether a channel of the phone is in force: it was set up, and nobody ended it since. */
export const hasLiveEnrolment = statement({
  name: 'devices.has_live_enrolment',
  takes: { device_id: uuid },
  gives: { is_live: known(bool) },
  text: `select exists (select from enrolments where org_id = $1 and device_id = $device_id and ended_at is null) as is_live`,
});

export const countLiveChannels = statement({
  name: 'devices.count_live_channels',
  takes: { device_id: uuid },
  gives: { count: known(int4) },
  text: 'select count(*)::int as count from enrolments where org_id = $1 and device_id = $device_id and ended_at is null',
});

/** The phone's channels are over (it was released or removed); their keys open nothing from now on. */
export const endEnrolment = statement({
  name: 'devices.end_enrolment',
  takes: { device_id: uuid },
  text: `update enrolments set ended_at = kist_now() where org_id = $1 and device_id = $device_id and ended_at is null`,
});

/** Whether anybody listens to what this channel's holder says: it lives, or its phone's next one took its place. */
export const isListenedTo = statement({
  name: 'devices.is_listened_to',
  takes: { enrolment_id: uuid },
  gives: { is_heard: known(bool) },
  text: `select exists (select from enrolments where org_id = $1 and enrolment_id = $enrolment_id and (ended_at is null or replaced_by is not null)) as is_heard`,
});

/** A vendor was asked for the phone: the channel begins when it says that `handle` was switched on. An earlier reservation or code of the phone is over. */
export const reserve = statement({
  name: 'devices.reserve',
  takes: {
    token_hash: bytea,
    customer_id: uuid,
    device_id: uuid,
    created_by: uuid,
    vendor: text,
    handle: text,
    ttl_s: int4,
  },
  text: `with over as (
       update enrolment_tokens set expires_at = kist_now(), sealed = null
       where org_id = $1 and device_id = $device_id and used_at is null and expires_at > kist_now()
     )
     insert into enrolment_tokens (org_id, token_hash, customer_id, device_id, created_by, created_at, expires_at, vendor, handle)
     values ($1, $token_hash, $customer_id, $device_id, $created_by, kist_now(), kist_now() + make_interval(secs => $ttl_s), $vendor, $handle)`,
});

/** The reservation that waits for this phone of a vendor's, taken for this transaction. */
export const reservation = statement({
  name: 'devices.reservation',
  takes: { vendor: text, handle: text },
  gives: { token_hash: bytea, customer_id: uuid, device_id: uuid, created_by: uuid },
  text: `select token_hash, customer_id, device_id, created_by from enrolment_tokens
     where org_id = $1 and vendor = $vendor and handle = $handle and used_at is null and expires_at > kist_now() for update`,
});

/** One channel is over; another of the phone is not touched. */
export const endOne = statement({
  name: 'devices.end_one',
  takes: { enrolment_id: uuid },
  text: `update enrolments set ended_at = kist_now() where org_id = $1 and enrolment_id = $enrolment_id and ended_at is null`,
});

/** Other devices that have been enrolled, were not let go and bear one of these numbers than the one that the code was made for. */
export const bearersElsewhere = statement({
  name: 'devices.bearers_elsewhere',
  takes: { imeis: manyTexts, token_hash: bytea },
  gives: { device_id: uuid },
  text: `
    select device_id from devices where org_id = $1 and released_at is null and first_enrolled_at is not null and (imei1 = any($imeis) or imei2 = any($imeis))
      and device_id is distinct from (select t.device_id from enrolment_tokens t where t.org_id = $1 and t.token_hash = $token_hash)`,
});
