import type { PictureKind } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { tooLarge } from '@kist/contract/too-large';
import * as audit from '#server/audit/audit.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { asDamaged } from './files.ts';
import type { ImageMime } from './rules.ts';
import * as store from './store.ts';

/** The lines of both must stay exact. */
const MIME: ImageMime = 'image/png';
export const picturePlace = (orgId: number | undefined, pictureId: string) =>
  `${orgId}|user_pictures|sealed|${pictureId}`;

/**
 * Keeps a picture of one's own shop, or of one below, in the place of the one before: made anew from its pixels, sealed and bound to its row.
 * @param given.user_id undefined: the caller's
 * @throws KistError NOT_FOUND; FORBIDDEN; FILE_TYPE_UNSUPPORTED, FILE_UNREADABLE, TOO_LARGE, TOO_MANY_PIXELS, UNAVAILABLE
 */
export async function keepPicture(
  db: Database,
  actor: Actor,
  given: { user_id: string | undefined; kind: PictureKind; bytes: Buffer },
): Promise<string> {
  const owner = await db.read(actor.orgId, async (tx) => {
    await identity.person(tx, actor, given.user_id);
    return identity.headOf(tx, actor);
  });
  if (given.bytes.length > LIMITS.uploadBytes) throw tooLarge(LIMITS.uploadBytes, 'file');
  const bytes = await db.ports.documents.images.remake(owner, given.bytes, MIME);
  if (bytes.length > LIMITS.uploadBytes) throw tooLarge(LIMITS.uploadBytes, 'file');
  return db.transaction(actor.orgId, async (tx) => {
    // The pixels took their time: shops may have been suspended meanwhile.
    const still = await identity.asOfNow(tx, actor);
    const { user_id } = await identity.person(tx, still, given.user_id);
    const picture_id = newId();
    await store.upsertPicture.run(tx, {
      user_id,
      kind: given.kind,
      picture_id,
      mime: MIME,
      bytes: bytes.length,
      sealed: tx.ports.documents.sealer.seal(bytes, picturePlace(tx.orgId, picture_id)),
    });
    const data = { kind: given.kind, picture_id };
    await audit.append(tx, { kind: 'user', id: user_id, actor, action: 'picture_kept', data });
    return picture_id;
  });
}

/** @throws KistError NOT_FOUND also where there is none; DOCUMENT_DAMAGED */
export async function openPicture(
  tx: Tx,
  actor: Actor,
  { user_id: who, kind }: { user_id: string | undefined; kind: PictureKind },
): Promise<{ mime: ImageMime; bytes: Buffer }> {
  const { user_id } = await identity.person(tx, actor, who);
  const row = await store.findPicture.first(tx, { user_id, kind });
  if (!row) throw new KistError('NOT_FOUND');
  try {
    return {
      mime: row.mime,
      bytes: tx.ports.documents.sealer.open(row.sealed, picturePlace(tx.orgId, row.picture_id)),
    };
  } catch (error) {
    throw asDamaged(error);
  }
}

/** Which pictures there are of somebody whom the caller may see. */
export const pictureKinds = async (tx: Tx, { user_id }: identity.AuthorizedPerson): Promise<readonly PictureKind[]> =>
  (await store.pictureKinds.all(tx, { user_id })).map(({ kind }) => kind);
