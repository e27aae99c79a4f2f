import { KistError } from '@kist/contract/errors';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import { isOwnNetwork, isPlainLoopback } from '#server/platform/network.ts';
import * as store from './provider-store.ts';

/** An organisation's identity provider, as whoever runs the installation names it. */
interface ProviderSettings {
  issuer: string;
  client_id: string;
  /** Undefined: a client without a secret. */
  secret: string | undefined;
  claim: store.Claim;
}

/** What a sealed secret is bound to: moved to another organisation it opens nothing. */
export const secretPlace = (orgId: number): string => `${orgId}|identity_providers|secret`;

/** Https, or this very machine: what a sign-in rests on is never read on the way. */
const isSafeAddress = (address: string): boolean =>
  URL.canParse(address) && (new URL(address).protocol === 'https:' || isPlainLoopback(address));

/** What a provider says of itself, as far as we go where it sends us. */
interface ProviderMetadata {
  issuer: string;
  authorization_endpoint?: string | undefined;
  token_endpoint?: string | undefined;
  jwks_uri?: string | undefined;
  userinfo_endpoint?: string | undefined;
}

/**
 * Why it does not count: a provider is the one that was named (an issuer of many companies stands for any of them), and sends this server neither into its own
 * network, unless it is there itself, nor anywhere that is read on the way.
 */
export function problemOfMetadata(issuer: string, said: ProviderMetadata): string | undefined {
  if (!URL.canParse(said.issuer) || new URL(said.issuer).href !== new URL(issuer).href) return 'another issuer';
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint = issuer } = said;
  const { protocol, hostname } = new URL(issuer);
  for (const address of [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint]) {
    if (address === undefined || !isSafeAddress(address)) return 'an endpoint is missing or not https';
    const { protocol: its, hostname: host } = new URL(address);
    if (its !== 'https:' && protocol === 'https:') return 'an endpoint is not https';
    if (host !== hostname && isOwnNetwork(address)) return 'an endpoint in our own network';
  }
  return undefined;
}

/** Whether shops of this organisation may sign in with its own provider. */
export const hasProvider = async (tx: Tx): Promise<boolean> => (await store.hasProvider.one(tx, {})).has;

/**
 * Sets the organisation's provider, as kist_operator; who was tied to accounts of another one is tied to none.
 * @throws KistError INVALID_INPUT for an issuer that is not reached by https outside this machine, or has more than an address
 */
export async function setProvider(
  tx: Tx,
  actor: AuditActor,
  { issuer, client_id, secret, claim }: ProviderSettings,
  sealer: Sealer,
): Promise<void> {
  if (!isSafeAddress(issuer) || /[?#@]/.test(issuer))
    throw new KistError('INVALID_INPUT', {
      internal:
        'an issuer is an https address without an account, a question mark and a fragment, as its own documents have it',
    });
  const secret_sealed = secret === undefined ? null : sealer.seal(Buffer.from(secret), secretPlace(tx.orgId ?? 0));
  await store.saveProvider.run(tx, { issuer, client_id, secret_sealed, claim });
  await store.forgetSubjectsOfOthers.run(tx, { issuer });
  await told(tx, actor, 'identity_provider_set', { issuer, client_id, claim, has_secret: secret !== undefined });
}

/** As kist_operator; sessions that it opened go on. @returns false where there was none */
export async function removeProvider(tx: Tx, actor: AuditActor): Promise<boolean> {
  const removed = await store.removeProvider.first(tx, {});
  if (!removed) return false;
  await store.forgetSubjectsOfOthers.run(tx, { issuer: '' });
  await told(tx, actor, 'identity_provider_removed', removed);
  return true;
}

/** Lets a user be tied to another account at the provider, as kist_operator. @returns false where none was tied */
export async function unlinkProvider(tx: Tx, actor: AuditActor, user_id: string): Promise<boolean> {
  if (!(await store.unlinkSubject.first(tx, { user_id }))) return false;
  await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'provider_unlinked' });
  return true;
}

/**
 * The address that stands at a user is that user's own: whoever has it at the provider comes in as this user.
 * @returns the address; undefined where none stands
 */
export async function vouchForEmail(tx: Tx, actor: AuditActor, user_id: string): Promise<string | undefined> {
  const vouched = await store.vouchForEmail.first(tx, { user_id });
  if (vouched) await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'email_vouched' });
  return vouched?.email;
}

/** What is set, without its secret. */
export async function providerShown(
  tx: Tx,
): Promise<(Omit<ProviderSettings, 'secret'> & { has_secret: boolean }) | undefined> {
  const row = await store.providerOf.first(tx, {});
  if (!row) return undefined;
  const { secret_sealed, ...shown } = row;
  return { ...shown, has_secret: secret_sealed !== null };
}

const told = (tx: Tx, actor: AuditActor, action: string, data: audit.AuditData) =>
  audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action, data });
