import { KistError } from '@kist/contract/errors';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import * as store from './staff-store.ts';

/**
 * Makes somebody who runs or sells for the organisation what is declared; a second time with the same words does nothing.
 * @throws KistError STATE_CONFLICT when the mobile number signs in as somebody of another kind, or was switched off
 */
export async function ensureStaff(
  tx: Tx,
  actor: AuditActor,
  wanted: store.DeclaredUser,
): Promise<{ user_id: string; change: 'created' | 'changed' | 'unchanged' }> {
  const found = await store.lockUserType.first(tx, wanted);
  if (found && found.user_type !== wanted.user_type)
    throw new KistError('STATE_CONFLICT', { internal: `this mobile number signs in as ${found.user_type} already` });
  if (found && !found.is_active)
    throw new KistError('STATE_CONFLICT', { internal: 'this mobile number belongs to somebody who was switched off' });
  const user_id = found?.user_id ?? newId();
  const written = await (found ? store.updateStaff : store.insertStaff).run(tx, { user_id, ...wanted });
  if (written === 0) return { user_id, change: 'unchanged' };
  const change = found ? 'changed' : 'created';
  await audit.append(tx, {
    kind: 'user',
    id: user_id,
    actor,
    action: `user_${change}`,
    data: { user_type: wanted.user_type },
  });
  return { user_id, change };
}

/** Addresses of the administrators who sign in here, as they wrote them down. */
export const adminIds = async (tx: Tx): Promise<string[]> =>
  (await store.adminIds.all(tx, {})).map(({ user_id }) => user_id);

export const adminEmails = async (tx: Tx): Promise<string[]> =>
  (await store.adminEmails.all(tx, {})).map(({ email }) => email);
