import { newToken } from '#server/platform/ids.ts';
import { CLIENT, type OpenIdProvider } from './openid-provider.ts';

/** A moment as tokens tell it. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** What an ID token may say itself, where userinfo is not asked then. */
const WORD = { email: 'nobody@shop.example', email_verified: true };

/** ID tokens that nobody is let in by, each signed by the provider but where it says otherwise. */
export const TOKEN_LIES: [string, NonNullable<OpenIdProvider['lie']>][] = [
  ['nonce', ({ claims }) => ({ claims: { ...claims, nonce: newToken() } })],
  ['no nonce', ({ claims }) => ({ claims: { ...claims, nonce: undefined } })],
  ['issuer', ({ claims }) => ({ claims: { ...claims, iss: 'https://provider.example.evil' } })],
  ['audience', ({ claims }) => ({ claims: { ...claims, aud: 'another-client' } })],
  [
    'two audiences, made out to another',
    ({ claims }) => ({ claims: { ...claims, aud: [CLIENT.client_id, 'x'], azp: 'x' } }),
  ],
  ['made out to another', ({ claims }) => ({ claims: { ...claims, azp: 'x' } })],
  ['expired', ({ claims }) => ({ claims: { ...claims, exp: inSeconds(-120) } })],
  ['no end', ({ claims }) => ({ claims: { ...claims, exp: undefined } })],
  ['given in a minute', ({ claims }) => ({ claims: { ...claims, iat: inSeconds(60) } })],
  ['given tomorrow', ({ claims }) => ({ claims: { ...claims, iat: inSeconds(86_400), exp: inSeconds(90_000) } })],
  ['given never', ({ claims }) => ({ claims: { ...claims, iat: undefined } })],
  ['not to be taken yet', ({ claims }) => ({ claims: { ...claims, nbf: inSeconds(60) } })],
  ['alg none', ({ header }) => ({ header: { ...header, alg: 'none' }, signature: '' })],
  ['alg HS256 with the client’s secret', ({ header }) => ({ header: { ...header, alg: 'HS256' } })],
  ['a subject longer than any', ({ claims }) => ({ claims: { ...claims, ...WORD, sub: 'a'.repeat(301) } })],
  ['a subject that is no text', ({ claims }) => ({ claims: { ...claims, ...WORD, sub: 'a\u0000b' } })],
  ['signature', ({ claims }) => ({ claims: { ...claims, sub: 'account-1' }, signature: 'A'.repeat(342) })],
  ['somebody else’s signature over it', () => ({ signature: Buffer.alloc(256, 7).toString('base64url') })],
];
