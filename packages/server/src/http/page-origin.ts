import type { FastifyRequest } from 'fastify';
import { KistError } from '@kist/contract/errors';
import * as organisations from '#server/organisations/organisations.ts';
import type { App } from './app-types.ts';

/**
 * The page that sends a request, when it is one of ours: at this server's public address, at the organisation's own host, at a named origin; of a demo also on this very machine.
 * What a fingerprint opens is bound to it, so a page under any other name, which a stranger may point here, gets none.
 * @throws KistError PASSKEY_REFUSED
 */
export async function pageOrigin(app: App, request: FastifyRequest, orgId: number): Promise<string> {
  const { origin } = request.headers;
  if (origin === undefined) throw new KistError('PASSKEY_REFUSED', { internal: 'no page sent it' });
  if (!(await isOurs(app, origin, orgId)))
    throw new KistError('PASSKEY_REFUSED', { internal: `${origin} is no page of ours` });
  return origin;
}

/**
 * The login page that a browser comes back to from elsewhere: of the page that asks, where it is one of ours; a browser does not name a page that asks its own
 * server, so else under the organisation's own host, when it is asked there, and at the public address. Never a place that the request chooses.
 * @throws KistError OIDC_REFUSED for another origin's page
 */
export async function loginPage(app: App, request: FastifyRequest, orgId: number): Promise<string> {
  const { settings, db } = app.deps;
  const { origin } = request.headers;
  if (origin !== undefined && !(await isOurs(app, origin, orgId)))
    throw new KistError('OIDC_REFUSED', { internal: `${origin} is no page of ours` });
  const isOwnHost = await organisations.isHostOf(db, orgId, request.hostname);
  const own = isOwnHost ? `https://${organisations.plainHost(request.hostname)}` : settings.publicUrl;
  const page = origin ?? own;
  if (page === undefined) throw new KistError('OIDC_UNAVAILABLE', { internal: 'this server has no public address' });
  return `${page.replace(/\/$/, '')}/login`;
}

async function isOurs({ deps }: App, origin: string, orgId: number): Promise<boolean> {
  const { settings, db } = deps;
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false;
  const { protocol, hostname } = new URL(origin);
  return (
    settings.webOrigins?.includes(origin) === true ||
    (settings.publicUrl !== undefined && new URL(settings.publicUrl).origin === origin) ||
    (settings.mode === 'demo' && hostname === 'localhost') ||
    (protocol === 'https:' && (await organisations.isHostOf(db, orgId, hostname)))
  );
}
