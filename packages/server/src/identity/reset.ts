import type { SessionGrant } from '@kist/contract/auth';
import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import { hashSecret } from '#server/platform/crypto.ts';
import type { Database } from '#server/platform/database.ts';
import { type Visitor, userActor } from './actor.ts';
import { deviceHash } from './askers.ts';
import { untrustDevices } from './mpin-store.ts';
import { refuseTrivial, storeMpin } from './mpin.ts';
import { removePasskeys } from './passkey-store.ts';
import { revokeOtherSessions } from './session-store.ts';
import { openSession } from './sessions.ts';
import { lockUser, useProof, voidProofs } from './store.ts';
import { orgOfToken, tokenHash } from './tokens.ts';

/**
 * A new M-PIN for who proved the mobile with a code; every session ends, and every device but this one loses its trust.
 * @throws KistError RESET_TOKEN_INVALID, MPIN_TOO_SIMPLE
 */
export async function resetMpin(
  db: Database,
  visitor: Visitor,
  { reset_token, mpin, device_id }: { reset_token: string; mpin: string; device_id?: string | undefined },
): Promise<SessionGrant> {
  const orgId = orgOfToken(reset_token);
  if (orgId === undefined) throw new KistError('RESET_TOKEN_INVALID');
  const mpin_hash = await hashSecret(mpin, db.ports.identity.pepper);
  return db.transaction(orgId, async (tx) => {
    const proof = await useProof.first(tx, { token_hash: tokenHash(reset_token), kind: 'RESET' });
    const user = proof && (await lockUser.first(tx, proof));
    if (!user) throw new KistError('RESET_TOKEN_INVALID');
    // Thrown inside, so the token stays good for a better M-PIN.
    await refuseTrivial(tx, mpin, user);
    const { user_id } = user;
    const device_hash = deviceHash(device_id);
    await storeMpin(tx, { user_id, mpin_hash, device_hash });
    // Whoever needed a new M-PIN may have lost the old phone: only this one stays trusted.
    await untrustDevices.run(tx, { user_id, except: device_hash });
    const passkeys_ended = (await removePasskeys.all(tx, { user_id })).length;
    await voidProofs.run(tx, { user_id });
    const sessions_ended = await revokeOtherSessions.run(tx, { user_id, except: null });
    const actor = userActor(user, visitor.ip);
    await audit.append(tx, {
      kind: 'user',
      id: user_id,
      actor,
      action: 'mpin_reset',
      data: { sessions_ended, passkeys_ended },
    });
    return openSession(tx, { ...user, mpin_hash }, visitor, { how: 'reset', device_hash });
  });
}
