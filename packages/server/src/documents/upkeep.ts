import * as audit from '#server/audit/audit.ts';
import * as identity from '#server/identity/identity.ts';
import type { Blobs } from '#server/platform/blobs.ts';
import { SealBrokenError, type Sealer } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { fileKeyOf, loosen, placeOf } from './files.ts';
import * as seals from './seal-store.ts';
import * as store from './store.ts';
import { picturePlace } from './user-pictures.ts';

/** Rows of one transaction. */
const SLICE = 1000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Pictures that were replaced long enough ago: what opens them goes now, their files follow. @returns how many of at most `slice` */
export async function letGoReplacedSlice(tx: Tx, slice: number): Promise<number> {
  const ids = (await store.letGo.all(tx, { slice })).map(({ document_id }) => document_id);
  await loosen(tx, ids);
  return ids.length;
}

/**
 * Seals the data key of every picture of an organisation anew under the current key; pictures themselves are not touched. Cut off, it is said again and goes
 * through what is left.
 * @returns how many there are, how many of them were under another key, and how many open with no key of this ring
 */
export async function renewKeys(db: Pick<Database, 'transaction'>, orgId: number, sealer: Sealer): Promise<Renewed> {
  const total: Renewed = { looked_at: 0, renewed: 0, broken: 0 };
  for (const kind of [DOCUMENTS, PICTURES]) {
    let after: string | undefined = FIRST;
    while (after !== undefined) {
      const from: string = after;
      const part = await db.transaction(orgId, (tx) => renewSlice(tx, sealer, kind, from));
      total.looked_at += part.looked_at;
      total.renewed += part.renewed;
      total.broken += part.broken;
      after = part.last;
    }
  }
  if (total.renewed > 0)
    await db.transaction(orgId, (tx) =>
      audit.append(tx, {
        kind: 'organisation',
        id: String(orgId),
        actor: identity.SYSTEM(orgId),
        action: 'document_keys_renewed',
        data: { ...total },
      }),
    );
  return total;
}

/** How many pictures have a row and no file: of a store that was put back, none. */
export async function missingFiles(db: Pick<Database, 'read'>, orgId: number, blobs: Blobs): Promise<number> {
  let missing = 0;
  for (let after: string | undefined = FIRST; after !== undefined;) {
    const from: string = after;
    const rows = await db.read(orgId, (tx) => seals.filesAfter.all(tx, { after: from, slice: SLICE }));
    for (const { document_id } of rows) {
      const file = await blobs.get(fileKeyOf(orgId, document_id));
      if (file) file.destroy();
      else missing += 1;
    }
    after = rows.length < SLICE ? undefined : rows.at(-1)?.document_id;
  }
  return missing;
}

/** The total that the organisation's quota is held against, against its pictures. @returns what does not fit, for a person; nothing where all does */
export async function checkTotals(db: Pick<Database, 'read'>, orgId: number): Promise<string[]> {
  const is = await db.read(orgId, (tx) => store.totalsAndPictures.one(tx, {}));
  if (is.documents === is.counted_documents && is.bytes === is.counted_bytes) return [];
  return [
    `document_totals says ${is.counted_documents} pictures of ${is.counted_bytes} bytes, and there are ${is.documents} of ${is.bytes}`,
  ];
}

interface Renewed {
  looked_at: number;
  renewed: number;
  broken: number;
}
type Kind = typeof DOCUMENTS | typeof PICTURES;
const DOCUMENTS = { heads: seals.documentHeads, put: seals.putDocumentHeads, place: placeOf };
const PICTURES = { heads: seals.pictureHeads, put: seals.putPictureHeads, place: picturePlace };

async function renewSlice(tx: Tx, sealer: Sealer, { heads, put, place }: Kind, after: string) {
  const rows = await heads.all(tx, { after, slice: SLICE });
  let broken = 0;
  const renewed = rows.flatMap(({ id, head }) => {
    try {
      const fresh = sealer.renew(head, place(tx.orgId, id));
      return fresh ? [{ id, head: fresh }] : [];
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      broken += 1;
      return [];
    }
  });
  if (renewed.length > 0)
    await put.run(tx, { ids: renewed.map(({ id }) => id), heads: renewed.map(({ head }) => head) });
  return {
    looked_at: rows.length,
    renewed: renewed.length,
    broken,
    last: rows.length < SLICE ? undefined : rows.at(-1)?.id,
  };
}
