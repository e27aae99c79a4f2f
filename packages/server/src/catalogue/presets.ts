import { KistError } from '@kist/contract/errors';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import { type PresetRow, allPresets, deletePreset, upsertPreset } from './presets-store.ts';
import { planById } from './store.ts';

export type { PresetRow };

/** Every preset of the organisation, by plan. */
export const presets = (tx: Tx): Promise<PresetRow[]> => allPresets.all(tx, {});

/**
 * Offers terms on a plan under a name, or other terms under the same name; what was sold before keeps its own.
 * @returns false where it was so before. @throws KistError NOT_FOUND for a plan that is not there
 */
export async function setPreset(tx: Tx, actor: AuditActor, preset: PresetRow): Promise<boolean> {
  if (!(await planById.first(tx, { plan_id: preset.plan_id }))) throw new KistError('NOT_FOUND');
  if (!(await upsertPreset.first(tx, preset))) return false;
  await told(tx, actor, 'plan_preset_set', { ...preset });
  return true;
}

/** @returns false where there was none */
export async function removePreset(
  tx: Tx,
  actor: AuditActor,
  preset: Pick<PresetRow, 'plan_id' | 'name'>,
): Promise<boolean> {
  if (!(await deletePreset.first(tx, preset))) return false;
  await told(tx, actor, 'plan_preset_removed', { plan_id: preset.plan_id, name: preset.name });
  return true;
}

const told = (tx: Tx, actor: AuditActor, action: string, data: Record<string, unknown>) =>
  audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action, data });
