import type { DocumentType, PictureKind } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import {
  as,
  bool,
  bytea,
  int4,
  int8,
  listOf,
  nothing,
  nullable,
  text,
  timestamptz,
  uuid,
} from '#server/platform/column-types.ts';
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
    image_name: nullable(text),
    mime,
    bytes: int4,
    sha256: bytea,
    key_sealed: bytea,
    /** Of a signature under a sale to come: for which. */
    deal_hash: nullable(bytea),
    created_by: uuid,
  },
  text: `
    insert into documents (org_id, document_id, customer_id, document_type, image_name, mime, bytes, sha256, key_sealed, deal_hash, created_by, created_at)
    values ($1, $document_id, $customer_id, $document_type, $image_name, $mime, $bytes, $sha256, $key_sealed, $deal_hash, $created_by, kist_now())`,
});

/** Those whose place a new one takes: of the same type and name. */
export const replace = statement({
  name: 'documents.replace',
  takes: { customer_id: uuid, document_type: documentType, image_name: nullable(text), by: uuid },
  gives: { document_id: uuid },
  text: `
    update documents set replaced_at = kist_now()
    where org_id = $1 and customer_id = $customer_id and document_type = $document_type and image_name is not distinct from $image_name
      and replaced_at is null and document_id <> $by
    returning document_id`,
});

/** A document whose bytes are gone is not found; one that was replaced is, while they are there. */
export const findDocument = statement({
  name: 'documents.find_document',
  takes: { document_id: uuid },
  gives: { customer_id: uuid, document_type: documentType, mime, sealed: nullable(bytea), key_sealed: nullable(bytea) },
  text: `
    select customer_id, document_type, mime, sealed, key_sealed from documents
    where org_id = $1 and document_id = $document_id and gone_at is null`,
});

/** What is in use of a customer, of one type or of all, newest first. A customer has a handful; one who has more than a hundred is shown the newest. */
export const linesOf = statement({
  name: 'documents.lines_of',
  takes: { customer_id: uuid, document_type: nullable(documentType) },
  gives: {
    document_id: uuid,
    document_type: documentType,
    image_name: nullable(text),
    mime,
    bytes: int4,
    created_at: timestamptz,
  },
  text: `
    select document_id, document_type, image_name, mime, bytes, created_at from documents
    where org_id = $1 and customer_id = $customer_id and ($document_type::text is null or document_type = $document_type)
      and replaced_at is null and gone_at is null
    order by created_at desc, document_id desc limit 100`,
});

/** All that lies there of a customer, what another took the place of among it, newest first. */
export const documentsKept = statement({
  name: 'documents.documents_kept',
  takes: { customer_id: uuid },
  gives: {
    document_id: uuid,
    document_type: documentType,
    image_name: nullable(text),
    mime,
    bytes: int4,
    created_at: timestamptz,
    replaced_at: nullable(timestamptz),
  },
  text: `
    select document_id, document_type, image_name, mime, bytes, created_at, replaced_at from documents
    where org_id = $1 and customer_id = $customer_id and gone_at is null order by created_at desc, document_id desc`,
});

/** The newest document of a type. */
export const latest = statement({
  name: 'documents.latest',
  takes: { customer_id: uuid, document_type: documentType },
  gives: { document_id: uuid },
  text: `
    select document_id from documents where org_id = $1 and customer_id = $customer_id and document_type = $document_type
      and gone_at is null
    order by created_at desc limit 1`,
});

/** The newest signature under exactly this sale to come. */
export const signatureFor = statement({
  name: 'documents.signature_for',
  takes: { customer_id: uuid, deal_hash: bytea },
  gives: { document_id: uuid },
  text: `
    select document_id from documents where org_id = $1 and customer_id = $customer_id and document_type = 'signature'
      and gone_at is null and deal_hash = $deal_hash
    order by created_at desc, document_id desc limit 1`,
});

/** The newest signature that was given since a moment, under no sale that was still to come. */
export const signatureSince = statement({
  name: 'documents.signature_since',
  takes: { customer_id: uuid, since: timestamptz },
  gives: { document_id: uuid },
  text: `
    select document_id from documents where org_id = $1 and customer_id = $customer_id and document_type = 'signature'
      and gone_at is null and deal_hash is null and created_at >= $since
    order by created_at desc, document_id desc limit 1`,
});

/** Of a customer who signed, row-level security deletes none. */
export const deleteDocuments = statement({
  name: 'documents.delete_documents',
  takes: { customer_id: uuid },
  gives: { document_id: uuid },
  text: 'delete from documents where org_id = $1 and customer_id = $customer_id returning document_id',
});

export const picturedLately = statement({
  name: 'documents.pictured_lately',
  takes: { customer_ids: listOf(uuid), days: int4 },
  gives: { customer_id: uuid },
  text: `
    select distinct customer_id from documents
    where org_id = $1 and customer_id = any($customer_ids) and created_at > kist_now() - make_interval(days => $days)`,
});

/** One row after the other for each organisation, whichever processes write them, so that its quota and its shops' are what they say: a moment, the file lies there. */
export const queueUp = statement({
  name: 'documents.queue_up',
  gives: { taken: nothing },
  text: `select pg_advisory_xact_lock(hashtextextended('documents of an organisation ' || ($1::integer)::text, 0)) as taken`,
});

export const keptOfCustomer = statement({
  name: 'documents.kept_of_customer',
  takes: { customer_id: uuid },
  gives: { documents: int4, bytes: int8 },
  text: `
    select count(*)::int as documents, coalesce(sum(bytes), 0)::bigint as bytes
    from documents where org_id = $1 and customer_id = $customer_id and gone_at is null`,
});

export const keptOfShop = statement({
  name: 'documents.kept_of_shop',
  takes: { owner_user_id: uuid },
  gives: { documents: int4, bytes: int8 },
  text: `
    select count(*)::int as documents, coalesce(sum(d.bytes), 0)::bigint as bytes
    from customers_view c join documents d on d.org_id = c.org_id and d.customer_id = c.customer_id
    where c.org_id = $1 and c.owner_user_id = $owner_user_id and d.gone_at is null`,
});

/** As the database counts them while they come and go: nothing is looked through. */
export const keptOfOrganisation = statement({
  name: 'documents.kept_of_organisation',
  gives: { documents: int8, bytes: int8 },
  text: `
    select coalesce(sum(documents), 0)::bigint as documents, coalesce(sum(bytes), 0)::bigint as bytes from document_totals where org_id = $1`,
});

/** What is counted as pictures come and go, beside what is there, at one moment. */
export const totalsAndPictures = statement({
  name: 'documents.totals_and_pictures',
  gives: { documents: int8, bytes: int8, counted_documents: int8, counted_bytes: int8 },
  text: `
    select d.documents, d.bytes, coalesce(t.documents, 0)::bigint as counted_documents, coalesce(t.bytes, 0)::bigint as counted_bytes
    from (select count(*) as documents, coalesce(sum(bytes), 0)::bigint as bytes from documents where org_id = $1 and gone_at is null) d
    left join document_totals t on t.org_id = $1`,
});

/** Pictures that were replaced long enough ago: from here on nobody can open them, and their files are due. A consent's own stay. */
export const letGo = statement({
  name: 'documents.let_go',
  takes: { slice: int4 },
  gives: { document_id: uuid },
  text: `
    with old as (
      select d.org_id, d.document_id from documents d
      where d.org_id = $1 and d.gone_at is null and d.replaced_at <= kist_now() - make_interval(days => ${LIMITS.documentsReplacedKeptDays})
        and not kist_is_agreed_on(d.org_id, d.document_id)
      order by d.replaced_at limit $slice for update of d skip locked
    )
    update documents d set gone_at = kist_now(), sealed = null, key_sealed = null
    from old where d.org_id = old.org_id and d.document_id = old.document_id returning d.document_id`,
});

/** All that is kept of these customers goes at once; what proves a consent only once its time is over. The database lets go of nobody else's. */
export const letGoOfErased = statement({
  name: 'documents.let_go_of_erased',
  takes: { customer_ids: listOf(uuid), evidence: bool },
  gives: { document_id: uuid },
  text: `
    update documents d set gone_at = kist_now(), sealed = null, key_sealed = null
    where d.org_id = $1 and d.customer_id = any($customer_ids) and d.gone_at is null and kist_is_agreed_on(d.org_id, d.document_id) = $evidence
    returning d.document_id`,
});

/** What pictures of an erased customer were called, of those that went long ago and those that prove a consent too: a name may be the customer's. */
export const forgetNames = statement({
  name: 'documents.forget_names',
  takes: { customer_id: uuid },
  text: 'update documents set image_name = null where org_id = $1 and customer_id = $customer_id and image_name is not null',
});

const file_key = text;

export const loosen = statement({
  name: 'documents.loosen',
  takes: { file_keys: listOf(text), within_s: int4 },
  text: `
    insert into loose_files (org_id, file_key, due_at)
    select $1, k, kist_now() + make_interval(secs => $within_s) from unnest($file_keys) as k on conflict do nothing`,
});

/** @returns 0 when the file was taken for forgotten meanwhile */
export const fasten = statement({
  name: 'documents.fasten',
  takes: { file_key },
  text: 'delete from loose_files where org_id = $1 and file_key = $file_key',
});

/** In the order of their keys, so that one that cannot be deleted stands in nobody's way. */
export const dueFiles = statement({
  name: 'documents.due_files',
  takes: { after: file_key, slice: int4 },
  gives: { file_key },
  text: `
    select file_key from loose_files
    where org_id = $1 and file_key > $after and due_at <= kist_now() order by file_key limit $slice`,
});

/** @returns 0 when somebody took the note, or a picture is opened from the file: it stays */
export const dropFile = statement({
  name: 'documents.drop_file',
  takes: { file_key },
  text: 'delete from loose_files where org_id = $1 and file_key = $file_key and not kist_is_file_of_picture(org_id, file_key)',
});

const kind = as<PictureKind>()(text);

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
