import { INT4_MAX } from '@kist/contract/limits';
import { sha256 } from '#server/platform/crypto.ts';
import { newToken } from '#server/platform/ids.ts';

/** 256 random bits behind the organisation's id in base 36, so that the organisation is known before the lookup. */
export const newOrgToken = (orgId: number): string => `${orgId.toString(36)}.${newToken()}`;

/** @returns the organisation a well-formed token names; it proves nothing until its hash is found there. */
export function orgOfToken(token: string): number | undefined {
  const [, prefix] = /^([0-9a-z]{1,6})\.[A-Za-z0-9_-]{43}$/.exec(token) ?? [];
  const orgId = prefix === undefined ? 0 : Number.parseInt(prefix, 36);
  return orgId > 0 && orgId <= INT4_MAX ? orgId : undefined;
}

/** A random 256-bit secret needs no slow hash and no pepper: nothing shorter than the secret itself finds it. */
export const tokenHash = (token: string): Buffer => sha256(token);
