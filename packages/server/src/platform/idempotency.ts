import { KistError } from '@kist/contract/errors';
import { safeEqual } from './crypto.ts';
import type { Tx } from './database.ts';

export interface IdempotencyClaim {
  /** Who asks (a user id): keys of different people never meet. */
  actor: string;
  /** UUID the client made and stored before its first try. */
  key: string;
  /** Hash of everything the request means: method, path, body. */
  requestHash: Uint8Array;
}

export interface Reply<Body> {
  status: number;
  body: Body;
}

/**
 * Runs `work` once for a key: a repeat with the same request gets the first reply, another request under the same key is
 * refused, a simultaneous one waits for the first. The reply is stored in the transaction of the effect, so a refusal or
 * a crash leaves no trace and the next try runs.
 * @throws KistError IDEMPOTENCY_CONFLICT
 */
export async function withIdempotency<Body>(
  tx: Tx,
  { actor, key, requestHash }: IdempotencyClaim,
  work: () => Promise<Reply<Body>>,
): Promise<Reply<Body> & { replayed: boolean }> {
  // A second transaction waits here, on the first one's unique row, until that commits or rolls back.
  const claim = await tx.query(
    `insert into idempotency_keys (org_id, actor, key, request_hash) values (kist_org(), $1, $2, $3) on conflict do nothing`,
    [actor, key, requestHash],
    'idempotency.claim',
  );
  if (claim.rowCount === 0) return replay<Body>(tx, { actor, key, requestHash });
  const reply = await work();
  await tx.query(
    `update idempotency_keys set status = $3, reply = $4 where org_id = kist_org() and actor = $1 and key = $2`,
    [actor, key, reply.status, JSON.stringify(reply.body)],
    'idempotency.store',
  );
  return { ...reply, replayed: false };
}

async function replay<Body>(
  tx: Tx,
  { actor, key, requestHash }: IdempotencyClaim,
): Promise<Reply<Body> & { replayed: true }> {
  const { rows } = await tx.query<{ requestHash: Buffer; status: number; reply: Body }>(
    `select request_hash as "requestHash", status, reply from idempotency_keys where org_id = kist_org() and actor = $1 and key = $2`,
    [actor, key],
    'idempotency.replay',
  );
  const [first] = rows;
  if (first === undefined || !safeEqual(first.requestHash, requestHash)) throw new KistError('IDEMPOTENCY_CONFLICT');
  return { status: first.status, body: first.reply, replayed: true };
}

/** Forgets replies older than `days`; what must stay unique for ever carries a key of its own in the ledger. */
export async function forgetReplies(tx: Tx, days: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from idempotency_keys where org_id = kist_org() and created_at < now() - make_interval(days => $1)`,
    [days],
  );
  return rowCount ?? 0;
}

/**
 * Forgets the replies that name somebody who is erased; the keys stay used up: a request that is repeated late is refused (IDEMPOTENCY_CONFLICT), and neither
 * sells anew to who is erased nor orders anew what was ordered once. Nothing finds them but reading: thirty days of one organisation.
 */
export async function forgetRepliesAbout(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update idempotency_keys set request_hash = '', reply = null where org_id = kist_org() and strpos(reply::text, $1) > 0`,
    [id],
  );
}
