import type { Language } from '@kist/contract/codes';
import { businessDate } from '@kist/contract/dates';
import type { ReplyOf } from '@kist/contract/endpoint';
import { KistError } from '@kist/contract/errors';
import type { privacyEndpoints } from '@kist/contract/privacy';
import * as audit from '#server/audit/audit.ts';
import type { Tx } from '#server/platform/database.ts';
import * as store from './privacy-store.ts';
import { configurationOf } from './store.ts';

type PrivacyPolicy = ReplyOf<typeof privacyEndpoints.getPrivacyPolicy>;

/** What anybody reads who asks for it in a language. @throws KistError NOT_FOUND */
export async function privacyPolicy(tx: Tx, { language }: { language: Language }): Promise<PrivacyPolicy> {
  const org = await configurationOf.first(tx, {});
  if (!org) throw new KistError('NOT_FOUND');
  const found = await store.policyIn.first(tx, { language });
  return {
    company: org.company_name,
    contact: org.privacy_policy.contact ?? '',
    text: found?.text ?? null,
    language: found?.language ?? null,
    version: found?.version ?? null,
    sha256: found?.sha256.toString('hex') ?? null,
    set_on: found ? businessDate(found.set_at.getTime()) : null,
  };
}

export interface PrivacyVersion {
  language: Language;
  version: number;
  sha256: string;
  set_at: string;
}

export const privacyVersions = async (tx: Tx): Promise<PrivacyVersion[]> =>
  (await store.policyVersions.all(tx, {})).map(({ sha256, set_at, ...row }) => ({
    ...row,
    sha256: sha256.toString('hex'),
    set_at: set_at.toISOString(),
  }));

/**
 * Publishes another version in one language; the same words again make none. Without words it takes the one before out of force.
 * @param tx of the operator
 * @returns the version in force, and whether this made it
 */
export async function setPrivacyPolicy(
  tx: Tx,
  actor: audit.AuditActor,
  { language, text }: { language: Language; text: string },
): Promise<{ language: Language; version: number; sha256: string; is_new: boolean }> {
  const before = await store.lastIn.first(tx, { language });
  if ((before?.text ?? '') === text)
    return { language, version: before?.version ?? 0, sha256: before?.sha256.toString('hex') ?? '', is_new: false };
  const { version, sha256 } = await store.insertPolicy.one(tx, { language, text });
  const data = { language, version, sha256: sha256.toString('hex') };
  await audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action: 'privacy_policy_set', data });
  return { ...data, language, is_new: true };
}
