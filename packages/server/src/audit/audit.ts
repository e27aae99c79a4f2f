import type { UserType } from '@kist/contract/codes';
import type { Tx } from '#server/platform/database.ts';
import * as once from './once-store.ts';
import * as store from './store.ts';

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
  bad_seq?: number;
}

const noteOf = ({ userId, userType, sessionId, ip }: AuditActor): store.ActorNote => ({
  user_id: userId,
  user_type: userType,
  session_id: sessionId,
  ip,
});

/** Appends one line to a subject's chain, in the caller's transaction. */
export async function append(tx: Tx, { kind, id, actor, action, data = {} }: AuditEntry): Promise<void> {
  await appendMany(tx, kind, [id], actor, action, [data]);
}

/** The same, but for a line that this session left before, word for word. */
export async function appendOnce(tx: Tx, entry: AuditEntry & { actor: { sessionId: string } }): Promise<void> {
  const { kind, id, action, data = {}, actor } = entry;
  await once.queueUp.run(tx, { kind, id, action });
  const { there } = await once.isThere.one(tx, { kind, id, action, data, session_id: actor.sessionId });
  if (!there) await append(tx, entry);
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
  await store.appendLines.run(tx, {
    kind,
    ids,
    actor: noteOf(actor),
    action,
    datas: datas.map((data) => JSON.stringify(data)),
  });
}

/**
 * Recomputes a subject's chain from its first line.
 * @returns `ok` when every hash follows from its line and the line before, numbers have no gap and the head names the last line
 */
export async function verify(tx: Tx, kind: AuditKind, id: string): Promise<Verification> {
  const { bad_seq } = await store.firstBadLine.one(tx, { kind, id });
  return bad_seq === null ? { ok: true } : { ok: false, bad_seq };
}

/** More than the longest history that one customer, agreement or phone comes to. */
const MOST_LINES = 5_000;

/** What stands in a subject's history, the newest first; who acted by kind alone. */
export const lines = (tx: Tx, kind: AuditKind, id: string) => store.linesOf.all(tx, { kind, id, limit: MOST_LINES });

export { exported } from './export.ts';
export { verifyExported } from './exported.ts';
export {
  type MissingLines,
  type Root,
  checkAll,
  checkRooted,
  closeDay,
  dayOfRoot,
  extent,
  lastCheck,
  missingLines,
  roots,
} from './roots.ts';
