import { bytea, int4, listOf, nullable, uuid } from '#server/platform/column-types.ts';
import { SEAL_HEAD_BYTES } from '#server/platform/crypto.ts';
import { statement } from '#server/platform/statement.ts';

const head = `substring(sealed for ${SEAL_HEAD_BYTES})`;
const rest = `substring(t.sealed from ${SEAL_HEAD_BYTES + 1})`;

/** Data keys of the pictures of customers, in the order of their ids. */
export const documentHeads = statement({
  name: 'documents.document_heads',
  takes: { after: uuid, slice: int4 },
  gives: { id: uuid, head: bytea },
  text: `
    select document_id as id, coalesce(key_sealed, ${head}) as head from documents
    where org_id = $1 and document_id > $after and gone_at is null order by document_id limit $slice`,
});

/** Pictures that lie in files, in the order of their ids. */
export const filesAfter = statement({
  name: 'documents.files_after',
  takes: { after: uuid, slice: int4 },
  gives: { document_id: uuid },
  text: `
    select document_id from documents
    where org_id = $1 and document_id > $after and gone_at is null and key_sealed is not null order by document_id limit $slice`,
});

export const putDocumentHeads = statement({
  name: 'documents.put_document_heads',
  takes: { ids: listOf(uuid), heads: listOf(bytea) },
  text: `
    update documents t set key_sealed = case when t.key_sealed is not null then n.head end,
      sealed = case when t.sealed is not null then n.head || ${rest} end
    from unnest($ids, $heads) as n(id, head) where t.org_id = $1 and t.document_id = n.id and t.gone_at is null`,
});

/** Pictures that can be opened, from an id on. */
export const keptFrom = statement({
  name: 'documents.kept_from',
  takes: { from: uuid, slice: int4 },
  gives: { document_id: uuid, sealed: nullable(bytea), key_sealed: nullable(bytea), sha256: bytea },
  text: `
    select document_id, sealed, key_sealed, sha256 from documents
    where org_id = $1 and document_id >= $from and gone_at is null order by document_id limit $slice`,
});

/** The same of the pictures of shops, by their owners: two each at most. */
export const pictureHeads = statement({
  name: 'documents.picture_heads',
  takes: { after: uuid, slice: int4 },
  gives: { id: uuid, head: bytea },
  text: `
    select picture_id as id, ${head} as head from user_pictures
    where org_id = $1 and picture_id > $after order by picture_id limit $slice`,
});

export const putPictureHeads = statement({
  name: 'documents.put_picture_heads',
  takes: { ids: listOf(uuid), heads: listOf(bytea) },
  text: `
    update user_pictures t set sealed = n.head || ${rest}
    from unnest($ids, $heads) as n(id, head) where t.org_id = $1 and t.picture_id = n.id`,
});
