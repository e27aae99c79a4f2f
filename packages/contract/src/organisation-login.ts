import { z } from 'zod';
import { sessionGrantSchema } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { PATHS } from './paths.ts';

const SIGNING_IN = { none: 'signing in' };

/** What a provider's answer brings in an address, as far as it is of use: bounded, and never a line break. */
const wordOfProvider = (most: number) =>
  z
    .string()
    .min(1, 'field.required')
    .max(most, 'field.invalid')
    .regex(/^[\x21-\x7e]+$/, 'field.invalid');
const ownSecret = z.string().regex(/^[\w-]{43}$/, 'field.invalid');

/** What the provider sent back, and what the browser kept. */
const providerAnswerSchema = z.strictObject({
  code: wordOfProvider(4000),
  state: ownSecret,
  ticket: ownSecret,
  /** Who answers, where the provider says so (RFC 9207). */
  iss: wordOfProvider(500).optional(),
});
export type ProviderAnswer = z.output<typeof providerAnswerSchema>;

/**
 * Sign-in with the organisation's own identity provider (OpenID Connect, authorization code with PKCE). The provider sends the browser back to the app's
 * login page; the app hands on what stands in its address, with the ticket that this very browser was given.
 */
export const organisationLoginEndpoints = {
  getOauthUrl: endpoint({
    ...PATHS.getOauthUrl,
    summary:
      'Begin to sign in with the organisation’s own identity provider: the address to open there, and the ticket that the browser keeps until it comes back.',
    auth: 'public',
    access: SIGNING_IN,
    reply: z.object({ url: z.url(), ticket: ownSecret, expires_in_s: z.int() }),
    errors: ['NOT_FOUND', 'OIDC_REFUSED', 'OIDC_UNAVAILABLE'],
  }),
  oauthCallback: endpoint({
    ...PATHS.oauthCallback,
    summary:
      'Sign in with what the provider sent back to the login page. Each answer counts once, for ten minutes, in the browser that was given the ticket.',
    auth: 'public',
    access: SIGNING_IN,
    query: providerAnswerSchema,
    reply: z.object({ session: sessionGrantSchema, mobile: z.string() }),
    errors: ['NOT_FOUND', 'OIDC_REFUSED', 'OIDC_UNAVAILABLE', 'OIDC_NOBODY'],
  }),
} as const;
