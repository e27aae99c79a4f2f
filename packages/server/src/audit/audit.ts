import type { UserType } from '@kist/contract/codes';
import type { Tx } from '#server/platform/database.ts';
import { textArray } from '#server/platform/given-rows.ts';

export type AuditKind = 'agreement' | 'device' | 'customer' | 'user' | 'organisation';
/** Ids, amounts, codes, dates. Never names, numbers or addresses of people: audit lines can not be erased. */
export type AuditData = Record<string, unknown>;

/** What audit keeps of an actor; every `Actor` of identity fits. */
export interface AuditActor {
  userId: string;
  userType: UserType | 'system';
  sessionId?: string;
  ip?: string;
}

export interface AuditEntry {
  kind: AuditKind;
  id: string;
  actor: AuditActor;
  /** Past tense, snake_case: `payment_recorded`. */
  action: string;
  data?: AuditData;
}

export interface Verification {
  ok: boolean;
  /** The first line whose hash, predecessor or number does not fit; one past the end when lines were cut off. */
  badSeq?: number;
}

const actorLine = ({ userId, userType, sessionId, ip }: AuditActor) =>
  JSON.stringify({ user_id: userId, user_type: userType, session_id: sessionId, ip });

/** Appends one line to a subject's chain, in the caller's transaction. */
export async function append(tx: Tx, { kind, id, actor, action, data = {} }: AuditEntry): Promise<void> {
  await appendMany(tx, kind, [id], actor, action, [data]);
}

/**
 * Appends one line to each subject in one statement (a bulk lock of 100,000 phones is one call).
 * @param ids distinct subjects
 * @param datas same length as `ids`
 * @throws RangeError when the arrays differ in length or an id repeats: its chain would get two lines of one number
 */
export async function appendMany(
  tx: Tx,
  kind: AuditKind,
  ids: readonly string[],
  actor: AuditActor,
  action: string,
  datas: readonly AuditData[],
): Promise<void> {
  if (ids.length !== datas.length) throw new RangeError('audit: as many data as ids');
  if (new Set(ids).size !== ids.length) throw new RangeError('audit: an id repeats');
  if (ids.length === 0) return;
  await tx.query(
    'select audit_append($1, $2::text[], $3::jsonb, $4, $5::text[]::jsonb[])',
    [kind, textArray(ids), actorLine(actor), action, textArray(datas.map((data) => JSON.stringify(data)))],
    'audit_append',
  );
}

/**
 * Recomputes a subject's chain from its first line.
 * @returns `ok` when every hash follows from its line and the line before, numbers have no gap and the head names the last line
 */
export async function verify(tx: Tx, kind: AuditKind, id: string): Promise<Verification> {
  const { rows } = await tx.query<{ badSeq: number | null }>(VERIFY, [kind, id]);
  const badSeq = rows[0]?.badSeq;
  return badSeq === null || badSeq === undefined ? { ok: true } : { ok: false, badSeq };
}

const VERIFY = `
  with lines as (
    select *, lag(hash, 1, ''::bytea) over w as expected_prev, row_number() over w as expected_seq
    from audit_lines where org_id = kist_org() and subject_kind = $1 and subject_id = $2
    window w as (order by seq)
  ), bad as (
    select expected_seq as seq from lines
    where seq <> expected_seq or prev_hash <> expected_prev
      or hash <> audit_hash(expected_prev, org_id, subject_kind, subject_id, seq, at, actor, action, data)
  ), last as (
    select coalesce(max(seq), 0) as seq, (select hash from lines order by seq desc limit 1) as hash from lines
  ), cut as (
    select last.seq + 1 as seq from last left join audit_heads h
      on h.org_id = kist_org() and h.subject_kind = $1 and h.subject_id = $2
    where coalesce(h.seq, 0) <> last.seq or h.hash is distinct from last.hash
  )
  select min(seq) as "badSeq" from (select seq from bad union all select seq from cut) found`;

/** The same functions as a value, for services that are given their audit. */
export const audit = { append, appendMany, verify };
