import { KistError } from '@kist/contract/errors';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { type DeclaredUser, insertStaff, lockUserType, updateStaff } from './staff-store.ts';

/**
 * Makes somebody who runs or sells for the organisation what is declared; a second time with the same words does nothing.
 * @throws KistError STATE_CONFLICT when the mobile number signs in as somebody of another kind, or was switched off
 */
export async function ensureStaff(
  tx: Tx,
  actor: AuditActor,
  wanted: DeclaredUser,
): Promise<{ userId: string; change: 'created' | 'changed' | 'unchanged' }> {
  const found = await lockUserType(tx, wanted.mobile);
  if (found && found.userType !== wanted.userType)
    throw new KistError('STATE_CONFLICT', { internal: `this mobile number signs in as ${found.userType} already` });
  if (found && !found.isActive)
    throw new KistError('STATE_CONFLICT', { internal: 'this mobile number belongs to somebody who was switched off' });
  const userId = found?.userId ?? newId();
  if (!found) await insertStaff(tx, userId, wanted);
  else if (!(await updateStaff(tx, userId, wanted))) return { userId, change: 'unchanged' };
  const change = found ? 'changed' : 'created';
  await audit.append(tx, {
    kind: 'user',
    id: userId,
    actor,
    action: `user_${change}`,
    data: { user_type: wanted.userType },
  });
  return { userId, change };
}
