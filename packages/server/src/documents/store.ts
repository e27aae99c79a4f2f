import type { DocumentType } from '@kist/contract/codes';
import { as, bytea, int4, text, timestamptz, uuid, nullable } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';
import type { ImageMime } from './rules.ts';

const documentType = as<DocumentType>()(text);
const mime = as<ImageMime>()(text);

export const insertDocument = statement({
  name: 'documents.insert_document',
  takes: {
    document_id: uuid,
    customer_id: uuid,
    document_type: documentType,
    mime,
    bytes: int4,
    sha256: bytea,
    sealed: bytea,
    created_by: uuid,
  },
  text: `
    insert into documents (org_id, document_id, customer_id, document_type, mime, bytes, sha256, sealed, created_by, created_at)
    values ($1, $document_id, $customer_id, $document_type, $mime, $bytes, $sha256, $sealed, $created_by, kist_now())`,
});

export const findDocument = statement({
  name: 'documents.find_document',
  takes: { document_id: uuid },
  gives: { customer_id: uuid, mime, sealed: bytea },
  text: 'select customer_id, mime, sealed from documents where org_id = $1 and document_id = $document_id',
});

/** What is kept of a customer, of one type or of all, newest first. A customer has a handful; one who has more than a hundred is shown the newest. */
export const linesOf = statement({
  name: 'documents.lines_of',
  takes: { customer_id: uuid, document_type: nullable(documentType) },
  gives: { document_id: uuid, document_type: documentType, mime, bytes: int4, created_at: timestamptz },
  text: `
    select document_id, document_type, mime, bytes, created_at from documents
    where org_id = $1 and customer_id = $customer_id and ($document_type::text is null or document_type = $document_type)
    order by created_at desc, document_id desc limit 100`,
});

/** The newest document of a type. */
export const latest = statement({
  name: 'documents.latest',
  takes: { customer_id: uuid, document_type: documentType, since: nullable(timestamptz) },
  gives: { document_id: uuid },
  text: `
    select document_id from documents where org_id = $1 and customer_id = $customer_id and document_type = $document_type
      and ($since::timestamptz is null or created_at >= $since)
    order by created_at desc limit 1`,
});

/** Of a customer who signed, row-level security deletes none. */
export const deleteDocuments = statement({
  name: 'documents.delete_documents',
  takes: { customer_id: uuid },
  gives: { document_id: uuid },
  text: 'delete from documents where org_id = $1 and customer_id = $customer_id returning document_id',
});

const kind = as<'qr' | 'signature'>()(text);

export const upsertPicture = statement({
  name: 'documents.upsert_picture',
  takes: { user_id: uuid, kind, picture_id: uuid, mime, bytes: int4, sealed: bytea },
  text: `
    insert into user_pictures (org_id, user_id, kind, picture_id, mime, bytes, sealed, kept_at)
    values ($1, $user_id, $kind, $picture_id, $mime, $bytes, $sealed, kist_now())
    on conflict (org_id, user_id, kind) do update set picture_id = excluded.picture_id, mime = excluded.mime, bytes = excluded.bytes,
      sealed = excluded.sealed, kept_at = excluded.kept_at`,
});

export const findPicture = statement({
  name: 'documents.find_picture',
  takes: { user_id: uuid, kind },
  gives: { picture_id: uuid, mime, sealed: bytea },
  text: 'select picture_id, mime, sealed from user_pictures where org_id = $1 and user_id = $user_id and kind = $kind',
});

export const pictureKinds = statement({
  name: 'documents.picture_kinds',
  takes: { user_id: uuid },
  gives: { kind },
  text: 'select kind from user_pictures where org_id = $1 and user_id = $user_id',
});
