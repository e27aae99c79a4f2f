import { NEEDS } from '@kist/contract/access';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import * as audit from '#server/audit/audit.ts';
import * as customers from '#server/customers/customers.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import { now } from '#server/platform/clock.ts';
import { hmacSha256, safeEqual } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { longId, shortId } from '#server/platform/ids.ts';
import { openFile } from './files.ts';
import type { ImageMime } from './rules.ts';
import * as store from './store.ts';

export const FILE_PATH = '/files';
/** 128 bits: nobody tries them out, and a minute is short. */
const MAC_BYTES = 16;

/** What a link of ours says: which picture, for whose session, until when. */
export interface Brought {
  orgId: number;
  documentId: string;
  sessionId: string;
  /** Unix seconds of the product's clock. */
  untilS: number;
}

const macOf = (linkKey: Uint8Array, { orgId, documentId, sessionId, untilS }: Brought): string =>
  hmacSha256(linkKey, 'document link', String(orgId), documentId, sessionId, String(untilS))
    .subarray(0, MAC_BYTES)
    .toString('base64url');

/** A link that opens one picture for a minute, for whoever has it; it dies with the session that asked for it. Whether the actor may see it is asked before. */
export async function linkTo(tx: Tx, actor: Actor, documentId: string): Promise<{ url: string; expires_at: string }> {
  const untilS = Math.floor((await now(tx)).getTime() / 1000) + LIMITS.documentLinkS;
  const said = { orgId: actor.orgId, documentId, sessionId: actor.sessionId ?? NO_SESSION, untilS };
  const letters = [
    actor.orgId,
    shortId(documentId),
    shortId(said.sessionId),
    untilS.toString(36),
    macOf(tx.ports.documents.linkKey, said),
  ];
  return { url: `${FILE_PATH}/${letters.join('.')}`, expires_at: new Date(untilS * 1000).toISOString() };
}
/** Of the server itself, whose links open nothing. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000';

/** @returns undefined for what is no link of ours, whoever made it up: the database is asked for nothing. */
export function readFileLink(linkKey: Uint8Array, letters: string): Brought | undefined {
  const [, org, document, session, until, mac] =
    /^([1-9]\d{0,8})\.([\w-]{22})\.([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{22})$/.exec(letters) ?? [];
  if (!org || !document || !session || !until || !mac) return undefined;
  const said = {
    orgId: Number(org),
    documentId: longId(document),
    sessionId: longId(session),
    untilS: Number.parseInt(until, 36),
  };
  return safeEqual(mac, macOf(linkKey, said)) ? said : undefined;
}

/**
 * The picture that a link opens; who looked stands in the audit, once for each link. Its file is read between transactions: a bucket that is slow holds no
 * connection; what ended meanwhile opens nothing.
 * @throws KistError DOCUMENT_DAMAGED, which stands in the audit; NOT_FOUND, the same whether the link is too old, its session over, its picture gone, or its customer another shop's by now
 */
export async function openLink(
  db: Database,
  brought: Brought,
  ip: string,
): Promise<{ mime: ImageMime; bytes: Buffer }> {
  const { orgId, documentId: document_id, sessionId, untilS } = brought;
  const { row } = await db.read(orgId, (tx) => linked(tx, brought, ip));
  const note = (action: 'document_opened' | 'document_damaged') =>
    db.transaction(orgId, async (tx) => {
      const { actor, row: still } = await linked(tx, brought, ip);
      await audit.appendOnce(tx, {
        kind: 'customer',
        id: still.customer_id,
        actor: { ...actor, sessionId },
        action,
        data: { document_id, type: still.document_type, link_until: new Date(untilS * 1000).toISOString() },
      });
    });
  const bytes = await openFile(db.ports.documents, orgId, { document_id, ...row }).catch(async (error: unknown) => {
    if (error instanceof KistError && error.code === 'DOCUMENT_DAMAGED') await note('document_damaged');
    throw error;
  });
  await note('document_opened');
  return { mime: row.mime, bytes };
}

/** What the link names, and who looks, as it is now. @throws KistError NOT_FOUND */
async function linked(tx: Tx, { documentId: document_id, sessionId, untilS }: Brought, ip: string) {
  const moment = (await now(tx)).getTime() / 1000;
  const isGood = untilS > moment && untilS <= moment + LIMITS.documentLinkS;
  const actor = isGood ? await identity.actorOfSession(tx, { sessionId, ip }) : undefined;
  if (!actor) throw new KistError('NOT_FOUND');
  identity.requires(actor, NEEDS.read);
  const row = await store.findDocument.first(tx, { document_id });
  if (!row) throw new KistError('NOT_FOUND');
  await customers.authorize(tx, actor, { customer_id: row.customer_id });
  return { actor, row };
}
