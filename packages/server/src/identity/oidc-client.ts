import type { Configuration } from 'openid-client';
import { KistError } from '@kist/contract/errors';
import { problemOfMetadata } from './providers.ts';

/** As whom an organisation is known at its provider. */
export interface Registration {
  issuer: string;
  clientId: string;
  secret: string | undefined;
}

/** What goes to the provider with the browser. */
interface Question {
  page: string;
  state: string;
  nonce: string;
  verifier: string;
  scope: string;
}

/** What the provider vouches for; the signature, who says it, to whom, when and to which question are checked. */
export interface Vouched {
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

/** Speaks with identity providers; what they say of themselves is kept for some minutes. */
export interface OidcClient {
  /** @throws KistError OIDC_UNAVAILABLE */
  addressFor(registration: Registration, question: Question): Promise<string>;
  /**
   * @param answer what stood in the address of the login page
   * @param claim asked of the provider's userinfo where the ID token does not have it
   * @throws KistError OIDC_REFUSED, OIDC_UNAVAILABLE
   */
  redeem(
    registration: Registration,
    question: Omit<Question, 'scope'>,
    answer: { code: string; state: string; iss?: string | undefined },
    claim: string,
  ): Promise<Vouched>;
}

const KEPT_MS = 10 * 60_000;
const ANSWER_S = 10;
/** Two servers' clocks. */
const TOLERANCE_S = 30;
/** A dozen organisations' providers are remembered at most at once. */
const KEPT = 12;

/** As the standard has it; elsewhere it is no text that a database keeps. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** The library is loaded when somebody first signs in this way: most installations never need it. */
const library = () => import('openid-client');

export function createOidcClient(): OidcClient {
  const kept = new Map<string, { atMs: number; config: Promise<Configuration> }>();
  function configOf(registration: Registration): Promise<Configuration> {
    const key = JSON.stringify(registration);
    const known = kept.get(key);
    if (known && performance.now() - known.atMs < KEPT_MS) return known.config;
    const config = discover(registration);
    kept.delete(key);
    kept.set(key, { atMs: performance.now(), config });
    if (kept.size > KEPT) kept.delete([...kept.keys()][0] ?? key);
    config.catch(() => kept.delete(key));
    return config;
  }
  return {
    async addressFor(registration, { page, state, nonce, verifier, scope }) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
      const config = await configOf(registration);
      return buildAuthorizationUrl(config, {
        redirect_uri: page,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href;
    },
    async redeem(registration, { page, nonce, verifier, state }, answer, claim) {
      const { authorizationCodeGrant, fetchUserInfo } = await library();
      const config = await configOf(registration);
      const came = new URL(page);
      for (const [name, value] of Object.entries(answer)) if (value !== undefined) came.searchParams.set(name, value);
      return judged(async () => {
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await authorizationCodeGrant(config, came, checks);
        const said = tokens.claims();
        if (!said) throw new KistError('OIDC_REFUSED', { internal: 'no ID token' });
        const { sub: subject } = said;
        assertUsable(said, registration.clientId);
        if (said[claim] !== undefined) return { subject, claims: said };
        // Most providers keep these out of the ID token; whose they are is checked.
        return { subject, claims: await fetchUserInfo(config, tokens.access_token, subject) };
      });
    },
  };
}

/**
 * Of an ID token what the library leaves open: of the moment that it was made it asks only that there is one, and of one audience not for whom it was made out
 * (OpenID Connect Core, 3.1.3.7: where there is an `azp` it is this client). @throws KistError OIDC_REFUSED
 */
function assertUsable({ sub, iat, azp }: { sub: string; iat: number; azp?: unknown }, clientId: string): void {
  if (!SUBJECT.test(sub)) throw new KistError('OIDC_REFUSED', { internal: 'a subject that is none' });
  if (iat > Date.now() / 1000 + TOLERANCE_S)
    throw new KistError('OIDC_REFUSED', { internal: 'an ID token of a time to come' });
  if (azp !== undefined && azp !== clientId)
    throw new KistError('OIDC_REFUSED', { internal: 'an ID token made out for another client' });
}

/** @throws KistError OIDC_UNAVAILABLE also for a provider that names endpoints which could be read on the way */
async function discover({ issuer, clientId, secret }: Registration): Promise<Configuration> {
  const oidc = await library();
  const isPlain = new URL(issuer).protocol === 'http:';
  // As the provider says that it wants it; the standard's own way where it does not say.
  const auth: ReturnType<typeof oidc.None> = (server, client, body, headers) =>
    (secret === undefined
      ? oidc.None()
      : server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
        ? oidc.ClientSecretPost(secret)
        : oidc.ClientSecretBasic(secret))(server, client, body, headers);
  try {
    const config = await oidc.discovery(new URL(issuer), clientId, { [oidc.clockTolerance]: TOLERANCE_S }, auth, {
      timeout: ANSWER_S,
      execute: [
        // Without it the library leaves an ID token's signature to the connection that it came over.
        oidc.enableNonRepudiationChecks,
        ...(isPlain ? [oidc.allowInsecureRequests] : []),
      ],
    });
    const problem = problemOfMetadata(issuer, config.serverMetadata());
    if (problem !== undefined) throw new Error(problem);
    return config;
  } catch (error) {
    throw new KistError('OIDC_UNAVAILABLE', { cause: error, internal: `no provider at ${issuer}` });
  }
}

/** What is wrong with an answer is one refusal; a provider that does not answer is another. */
async function judged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KistError) throw error;
    const isAway = [error, (error as Error).cause].some(isNoAnswer);
    throw new KistError(isAway ? 'OIDC_UNAVAILABLE' : 'OIDC_REFUSED', { cause: error, internal: reasonOf(error) });
  }
}

/** It was not there, or said itself that it cannot answer now. */
const isNoAnswer = (error: unknown): boolean =>
  error instanceof Response
    ? error.status >= 500
    : error instanceof TypeError
      ? error.message === 'fetch failed'
      : error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name);

/** For the log: the library's own words, which quote no token. */
function reasonOf(error: unknown): string {
  const { code, error: said, message } = error as { code?: string; error?: string; message?: string };
  return [code, said, message].filter((part) => typeof part === 'string').join(' ');
}
