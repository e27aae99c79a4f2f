import { createHash } from 'node:crypto';
import { bytea, int4, listOf, manyTexts, nullable, text, uuid } from '#server/platform/column-types.ts';
import type { Tx } from '#server/platform/database.ts';
import { statement } from '#server/platform/statement.ts';
import type { Grade } from '@kist/contract/agent';

export interface TokenRow {
  customerId: string;
  deviceId: string;
  createdBy: string;
  isUsed: boolean;
  isExpired: boolean;
}

/** What is kept of a token to know it by. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Keeps a token to be shown again. */
export async function keepSealedToken(tx: Tx, token: string, sealed: Buffer): Promise<void> {
  await tx.query('update enrolment_tokens set sealed = $2 where org_id = kist_org() and token_hash = $1', [
    hashOf(token),
    sealed,
  ]);
}

/** The token of a phone that still enrols it, if it was kept. */
export async function findSealedToken(
  tx: Tx,
  deviceId: string,
): Promise<{ sealed: Buffer; expiresAt: Date } | undefined> {
  const { rows } = await tx.query<{ sealed: Buffer; expiresAt: Date }>(
    `select sealed, expires_at as "expiresAt" from enrolment_tokens
     where org_id = kist_org() and device_id = $1 and used_at is null and expires_at > kist_now() and sealed is not null
     order by created_at desc limit 1`,
    [deviceId],
  );
  return rows[0];
}

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
  token: { hash: Buffer; customerId: string; deviceId: string; createdBy: string; ttlS: number },
): Promise<Date> {
  await tx.query(
    `update enrolment_tokens set expires_at = kist_now(), sealed = null where org_id = kist_org() and device_id = $1 and used_at is null and expires_at > kist_now()`,
    [token.deviceId],
  );
  const { rows } = await tx.query<{ expiresAt: Date }>(
    `insert into enrolment_tokens (org_id, token_hash, customer_id, device_id, created_by, created_at, expires_at)
     values (kist_org(), $1, $2, $3, $4, kist_now(), kist_now() + make_interval(secs => $5)) returning expires_at as "expiresAt"`,
    [token.hash, token.customerId, token.deviceId, token.createdBy, token.ttlS],
  );
  return rows[0]!.expiresAt;
}

export async function lockToken(tx: Tx, hash: Buffer): Promise<TokenRow | undefined> {
  const { rows } = await tx.query<TokenRow>(
    `select customer_id as "customerId", device_id as "deviceId", created_by as "createdBy", used_at is not null as "isUsed", expires_at <= kist_now() as "isExpired"
     from enrolment_tokens where org_id = kist_org() and token_hash = $1 for update`,
    [hash],
  );
  return rows[0];
}

export async function useToken(tx: Tx, hash: Buffer): Promise<void> {
  await tx.query(
    'update enrolment_tokens set used_at = kist_now(), sealed = null where org_id = kist_org() and token_hash = $1',
    [hash],
  );
}

/** The live enrolment that this token and this key made; a phone whose answer was lost finds it again. */
export async function findEnrolmentOf(
  tx: Tx,
  deviceId: string,
  hash: Buffer,
  spki: Buffer,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ enrolmentId: string }>(
    `select enrolment_id as "enrolmentId" from enrolments
     where org_id = kist_org() and device_id = $1 and ended_at is null and token_hash = $2 and public_key_spki = $3`,
    [deviceId, hash, spki],
  );
  return rows[0]?.enrolmentId;
}

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

/**
 * Ends the phone's enrolment before, begins the new one and forgets every report: an erased phone holds nothing. What it *shall* be
 * (device_desired) is not touched, so its first check-in hands it the lock again. The key of the one before is still listened to (earlier-key.ts).
 * @returns when it began, and the level that the enrolment it took the place of was on, null when there was none; null instead when its key is another
 * phone's, and the transaction must not go on then
 */
export async function replaceEnrolment(
  tx: Tx,
  enrolment: NewEnrolment,
): Promise<{ at: Date; replacedLevel: number | null } | null> {
  const { rows: before } = await tx.query<{ level: number }>(
    `update enrolments e set ended_at = kist_now(), replaced_by = $2 from device_reports r
     where e.org_id = kist_org() and e.device_id = $1 and e.ended_at is null and r.org_id = e.org_id and r.device_id = e.device_id
     returning r.lock_level as level`,
    [enrolment.deviceId, enrolment.enrolmentId],
  );
  const { rowCount } = await tx.query(
    `insert into enrolments (org_id, enrolment_id, device_id, public_key_spki, key_sha256, token_hash, grade, facts, vendor, handle, started_at)
     values (kist_org(), $1, $2, $3, sha256($3), $4, $5, $6, $7, $8, kist_now()) on conflict (org_id, key_sha256) where ended_at is null do nothing`,
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
  if (rowCount === 0) return null;
  await tx.query(
    `insert into device_reports (org_id, device_id, is_strong, boot_count, elapsed_ms) values (kist_org(), $1, $2, $3, $4)
     on conflict (org_id, device_id) do update set revision = 0, lock_level = 0, lock_cause = null, is_strong = excluded.is_strong,
       boot_count = excluded.boot_count, elapsed_ms = excluded.elapsed_ms, wall_clock = null, battery = null, agent_version = null, sims = '[]',
       toggles = '{}', lease_seq = 0, push_token = null, location = null, located_at = null, reported_at = null, level_changed_at = null,
       told_revision = 0, told_lease_seq = 0, unfit_polls = 0, claimed_revision = 0`,
    [enrolment.deviceId, enrolment.isStrong, enrolment.bootCount, enrolment.elapsedMs],
  );
  const { rows } = await tx.query<{ at: Date }>(
    `update devices d set enrolled_at = kist_now(), first_enrolled_at = coalesce(d.first_enrolled_at, kist_now()), serial = case when d.serial is null and not exists (
         select from devices o where o.org_id = d.org_id and o.released_at is null and o.serial = $2 and o.device_id <> d.device_id) then $2::text else d.serial end
     where d.org_id = kist_org() and d.device_id = $1 returning d.enrolled_at as at`,
    [enrolment.deviceId, enrolment.serial],
  );
  return { at: rows[0]!.at, replacedLevel: before[0]?.level ?? null };
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

/** Whether an enrolment of the phone is in force: it was set up, and nobody ended it since. */
export async function hasLiveEnrolment(tx: Tx, deviceId: string): Promise<boolean> {
  const { rows } = await tx.query(
    'select from enrolments where org_id = kist_org() and device_id = $1 and ended_at is null limit 1',
    [deviceId],
  );
  return rows.length > 0;
}

/** The phone's enrolment is over (it was released or removed); its key opens nothing from now on. */
export async function endEnrolment(tx: Tx, deviceId: string): Promise<void> {
  await tx.query(
    'update enrolments set ended_at = kist_now() where org_id = kist_org() and device_id = $1 and ended_at is null',
    [deviceId],
  );
}

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
