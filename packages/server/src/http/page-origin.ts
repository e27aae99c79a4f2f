import type { FastifyRequest } from 'fastify';
import { KistError } from '@kist/contract/errors';
import * as organisations from '#server/organisations/organisations.ts';
import type { App } from './app-types.ts';

/**
 * The page that sends a request, when it is one of ours: at this server's public address, at the organisation's own host, at a named origin; of a demo also on this very machine.
 * What a fingerprint opens is bound to it, so a page under any other name, which a stranger may point here, gets none.
 * @throws KistError PASSKEY_REFUSED
 */
export async function pageOrigin({ deps }: App, request: FastifyRequest, orgId: number): Promise<string> {
  const { settings, db } = deps;
  const { origin } = request.headers;
  if (origin === undefined || !URL.canParse(origin) || new URL(origin).origin !== origin)
    throw new KistError('PASSKEY_REFUSED', { internal: 'no page sent it' });
  const { protocol, hostname } = new URL(origin);
  const isNamed =
    settings.webOrigins?.includes(origin) === true ||
    (settings.publicUrl !== undefined && new URL(settings.publicUrl).origin === origin) ||
    (settings.mode === 'demo' && hostname === 'localhost') ||
    (protocol === 'https:' && (await organisations.isHostOf(db, orgId, hostname)));
  if (!isNamed) throw new KistError('PASSKEY_REFUSED', { internal: `${origin} is no page of ours` });
  return origin;
}
