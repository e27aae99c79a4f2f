import type { z } from 'zod';
import { KistError } from '@kist/contract/errors';
import { mobileSchema } from '@kist/contract/fields';
import { LIMITS } from '@kist/contract/limits';
import type { ProviderAnswer, organisationLoginEndpoints } from '@kist/contract/organisation-login';
import * as audit from '#server/audit/audit.ts';
import { hmacSha256, sha256 } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newToken } from '#server/platform/ids.ts';
import { networkOf } from '#server/platform/network.ts';
import type { Ports } from '#server/platform/ports.ts';
import { hit } from '#server/platform/rate-limit.ts';
import { SYSTEM, type Visitor } from './actor.ts';
import type { Registration, Vouched } from './oidc-client.ts';
import * as store from './provider-store.ts';
import { secretPlace } from './providers.ts';
import { openSession } from './sessions.ts';
import { type User, lockUser } from './store.ts';

type Reply<Name extends keyof typeof organisationLoginEndpoints> = z.input<
  (typeof organisationLoginEndpoints)[Name]['reply']
>;

/** Of a network in ten minutes: a market's shops begin their day behind one address. */
const PER_WINDOW = { ask: 60, answer: 60 } as const;
const WINDOW_S = 600;
/** Of letters that have one form each: others lose their own where a database compares without case, and stand for somebody else's (K and the sign of Kelvin). */
const EMAIL = /^[\x21-\x7e]{3,254}$/;
const SCOPES = { email: 'openid email', phone_number: 'openid phone' } as const;

const refused = (internal: string): KistError => new KistError('OIDC_REFUSED', { internal });

/**
 * Where the browser goes, and what it keeps until it comes back. @param page of the app, which the answer comes back to: a page of ours, never one that is asked for
 * @throws KistError NOT_FOUND where the organisation has no provider, OIDC_UNAVAILABLE, RATE_LIMITED
 */
export async function beginOrganisationLogin(
  db: Database,
  visitor: Visitor,
  page: string,
): Promise<Reply<'getOauthUrl'>> {
  const { provider, registration } = await admitted(db, visitor, 'ask');
  const [state, ticket] = [newToken(), newToken()];
  const question = { page, state, scope: SCOPES[provider.claim], ...secretsOf(db.ports, visitor.orgId, state) };
  const url = await db.ports.identity.oidc.addressFor(registration, question);
  await db.transaction(visitor.orgId, (tx) =>
    store.ask.run(tx, { state_hash: sha256(state), ticket_hash: sha256(ticket), page, ttl_s: LIMITS.oidcTtlS }),
  );
  return { url, ticket, expires_in_s: LIMITS.oidcTtlS };
}

/**
 * A session for whom the provider vouches. The question is used up first: no answer counts twice.
 * @throws KistError OIDC_REFUSED, OIDC_NOBODY, OIDC_UNAVAILABLE, NOT_FOUND, RATE_LIMITED
 */
export async function finishOrganisationLogin(
  db: Database,
  visitor: Visitor,
  { code, state, ticket, iss }: ProviderAnswer,
): Promise<Reply<'oauthCallback'>> {
  const { orgId } = visitor;
  const { provider, registration } = await admitted(db, visitor, 'answer');
  const asked = await db.transaction(orgId, (tx) =>
    store.takeQuestion.first(tx, { state_hash: sha256(state), ticket_hash: sha256(ticket) }),
  );
  if (!asked) throw refused('not asked by this browser, answered before, or too late');
  const question = { page: asked.page, state, ...secretsOf(db.ports, orgId, state) };
  const vouched = await db.ports.identity.oidc.redeem(registration, question, { code, state, iss }, provider.claim);
  // The verdict leaves the transaction as a value: that somebody was refused stays written.
  const outcome = await db.transaction(orgId, (tx) => enter(tx, visitor, provider, vouched));
  if (outcome instanceof KistError) throw outcome;
  return outcome;
}

/** Both calls are counted before anybody is asked. */
async function admitted(
  db: Database,
  { orgId, ip }: Visitor,
  what: keyof typeof PER_WINDOW,
): Promise<{ provider: store.ProviderRow; registration: Registration }> {
  const rule = { name: `auth.oidc.${what}`, subject: networkOf(ip), limit: PER_WINDOW[what], windowS: WINDOW_S };
  const { allowed, retryAfterS } = await hit(db.devicePool, [rule]);
  if (!allowed) throw new KistError('RATE_LIMITED', { retryAfterS });
  const provider = await db.read(orgId, (tx) => store.providerOf.first(tx, {}));
  if (!provider) throw new KistError('NOT_FOUND', { internal: 'this organisation has no identity provider' });
  const { issuer, client_id: clientId, secret_sealed: sealed } = provider;
  const secret = sealed === null ? undefined : db.ports.identity.sealer.open(sealed, secretPlace(orgId)).toString();
  return { provider, registration: { issuer, clientId, secret } };
}

/** Made of the state and a secret outside the database: nothing that redeems an answer is kept anywhere. */
const secretsOf = ({ identity }: Ports, orgId: number, state: string) => {
  const made = (what: string) => hmacSha256(identity.pepper, what, String(orgId), state).toString('base64url');
  return { nonce: made('oidc nonce'), verifier: made('oidc verifier') };
};

async function enter(
  tx: Tx,
  visitor: Visitor,
  { issuer, claim }: store.ProviderRow,
  { subject, claims }: Vouched,
): Promise<Reply<'oauthCallback'> | KistError> {
  const account = { issuer, subject };
  const linked = await store.userOfSubject.first(tx, account);
  const user = await userOf(tx, { claim, claims, linked: linked?.user_id });
  const nobody = async (why: string): Promise<KistError> => {
    const data = {
      why,
      account: sha256(`${issuer} ${subject}`).toString('hex'),
      ...(user && { user_id: user.user_id }),
    };
    const actor = { ...SYSTEM(visitor.orgId), ip: visitor.ip };
    await audit.append(tx, {
      kind: 'organisation',
      id: String(tx.orgId),
      actor,
      action: 'provider_sign_in_refused',
      data,
    });
    return new KistError('OIDC_NOBODY', { internal: why });
  };
  if (!user) return nobody(`no one user has this verified ${claim}`);
  if (linked && linked.user_id !== user.user_id) return nobody('the account is tied to another user');
  if (!linked) {
    if (!(await store.linkSubject.first(tx, { ...account, user_id: user.user_id })))
      return nobody('the user is tied to another account');
    const actor = { userId: user.user_id, userType: user.user_type, ip: visitor.ip };
    await audit.append(tx, { kind: 'user', id: user.user_id, actor, action: 'provider_linked', data: { issuer } });
  }
  const session = await openSession(tx, user, visitor, { how: 'oidc', device_hash: null });
  return { session, mobile: user.mobile };
}

/**
 * By a word that the provider says it has verified, and by no other; held until the transaction ends. Whom two users share is nobody's, but for the one that
 * the account is tied to already: nobody locks somebody out by writing that one's word to their own name.
 */
async function userOf(
  tx: Tx,
  { claim, claims, linked }: { claim: store.Claim; claims: Vouched['claims']; linked: string | undefined },
): Promise<User | undefined> {
  if (claims[`${claim}_verified`] !== true) return undefined;
  const found = await foundBy(tx, { claim, word: claims[claim], linked });
  const [only] = found.length === 1 ? found : found.filter(({ user_id }) => user_id === linked);
  return only && lockUser.first(tx, only);
}

async function foundBy(
  tx: Tx,
  { claim, word, linked = null }: { claim: store.Claim; word: unknown; linked?: string | null | undefined },
): Promise<{ user_id: string }[]> {
  if (claim === 'email')
    return typeof word === 'string' && EMAIL.test(word) ? store.usersOfEmail.all(tx, { email: word, linked }) : [];
  const mobile = mobileSchema.safeParse(word);
  return mobile.success ? store.usersOfNumber.all(tx, { mobile: mobile.data }) : [];
}
