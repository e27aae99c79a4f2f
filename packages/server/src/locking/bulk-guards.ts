import { NEEDS, type Need } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { LockReason } from '@kist/contract/lock-policy';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { hmacSha256, safeEqual, sha256 } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import * as clock from '#server/platform/clock.ts';

const MINUTE_MS = 60_000;
/** The word of who may order, or agree to, more locks than an hour has room for. */
const LARGER = 'bulk_retailer';
export const NEEDS_OF_LARGER: readonly Need[] = [...NEEDS.bulkLock, LARGER];

/**
 * Whether this person may ask for more locks than the hour has room for, for a second person to agree to. A retailer gives its mini-retailers the word for
 * orders to many, and no larger numbers with it.
 */
export const mayAskForMore = (actor: Actor): boolean =>
  actor.access[LARGER] === '1' && actor.userType !== 'miniretailer';

/** Who has just broken in cannot lock a town. The server and the command line have no session. @throws KistError SESSION_TOO_NEW */
export async function assertSessionIsOld(tx: Tx, actor: Actor): Promise<void> {
  const minutes = await identity.sessionMinutes(tx, actor);
  if (minutes === undefined || minutes >= LIMITS.bulkSessionMinutes) return;
  const left = Math.ceil(LIMITS.bulkSessionMinutes - minutes);
  throw new KistError('SESSION_TOO_NEW', { params: { minutes: left }, details: { minutes: left } });
}

/** An order to many, as its dry run and the order itself must agree on it. */
interface Previewed {
  command: 'lock' | 'unlock';
  reason: LockReason;
  /** Sorted, each once. */
  customerIds: readonly string[];
}

const macOf = (key: Uint8Array, actor: Actor, { command, reason, customerIds }: Previewed, untilMs: number): string =>
  hmacSha256(
    key,
    'dry run',
    String(actor.orgId),
    actor.userId,
    command,
    reason,
    sha256(customerIds.join('\n')),
    String(untilMs),
  ).toString('base64url');

/** What a dry run gives, for the order that follows it: nothing is kept, and it stands for this person, these customers and a while. */
export async function previewOf(tx: Tx, key: Uint8Array, actor: Actor, order: Previewed): Promise<string> {
  const untilMs = (await clock.now(tx)).getTime() + LIMITS.bulkPreviewMinutes * MINUTE_MS;
  return `${untilMs.toString(36)}.${macOf(key, actor, order, untilMs)}`;
}

/** @throws KistError PREVIEW_REQUIRED */
export async function assertPreviewed(
  tx: Tx,
  key: Uint8Array,
  actor: Actor,
  { preview = '', ...order }: Previewed & { preview?: string | undefined },
): Promise<void> {
  const [until = '', mac = ''] = preview.split('.');
  const untilMs = Number.parseInt(until, 36);
  const nowMs = (await clock.now(tx)).getTime();
  if (!(untilMs > nowMs) || !safeEqual(mac, macOf(key, actor, order, untilMs))) throw new KistError('PREVIEW_REQUIRED');
}
