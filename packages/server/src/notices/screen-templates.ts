import { KistError } from '@kist/contract/errors';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { isOfHouse } from './phone-messages.ts';
import { screenTextProblems } from './screen-text.ts';
import * as store from './template-store.ts';

export type { ScreenTexts } from './template-store.ts';

const NAME = /^[a-z][a-z0-9_]{1,39}$/;

const refused = (path: string, problems: readonly string[]) =>
  new KistError('INVALID_INPUT', {
    internal: problems.join('; '),
    fields: [{ path, key: 'field.invalid' }],
    details: { problems },
  });

const log = (tx: Tx, actor: Actor, action: string, data: Record<string, unknown>) =>
  audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action, data });

/**
 * Words that shops may show on a customer's screen, in every language, for whoever answers for the organisation.
 * @throws KistError INVALID_INPUT with `details.problems`; STATE_CONFLICT (one of this name is in use, or it is the house's)
 */
export async function addTemplate(
  tx: Tx,
  actor: Actor,
  { name, texts }: { name: string; texts: Readonly<Record<string, unknown>> },
): Promise<{ template_id: string; name: string }> {
  if (!NAME.test(name)) throw refused('name', ['name: small letters, digits and _, 2 to 40, a letter first']);
  const problems = screenTextProblems(texts);
  if (problems.length > 0) throw refused('texts', problems);
  if (isOfHouse(name)) throw new KistError('STATE_CONFLICT');
  const template_id = newId();
  const row = { template_id, name, texts: texts as store.ScreenTexts, added_by: actor.userId };
  if (!(await store.insertTemplate.first(tx, row))) throw new KistError('STATE_CONFLICT');
  await log(tx, actor, 'template_added', { template_id, name, texts });
  return { template_id, name };
}

/** No shop chooses it any more. @throws KistError NOT_FOUND (none of this name is in use) */
export async function endTemplate(
  tx: Tx,
  actor: Actor,
  { name }: { name: string },
): Promise<{ template_id: string; name: string }> {
  const ended = await store.endTemplate.first(tx, { name, ended_by: actor.userId });
  if (!ended) throw new KistError('NOT_FOUND');
  await log(tx, actor, 'template_ended', { ...ended, name });
  return { ...ended, name };
}

/** The one of this name that is in use; undefined: there is none. */
export const liveTemplate = (tx: Tx, name: string) => store.liveTemplate.first(tx, { name });

/** All there are and were. */
export const templates = (tx: Tx) => store.allTemplates.all(tx, {});
