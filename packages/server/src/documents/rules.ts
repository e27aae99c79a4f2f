import { type DocumentType, isSignature } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { sizeText } from '@kist/contract/sizes';
import { shortId } from '#server/platform/ids.ts';

export type ImageMime = 'image/png' | 'image/jpeg';

/** @returns what the bytes claim to be by their own first bytes, whatever the sender called them; undefined when neither PNG nor JPEG. */
export function imageMime(bytes: Uint8Array): ImageMime | undefined {
  const begins = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  if (begins([0x89, 0x50, 0x4e, 0x47])) return 'image/png';
  return begins([0xff, 0xd8, 0xff]) ? 'image/jpeg' : undefined;
}

/** A drawn signature's lines stay exact; a photo of one on paper gets small, as every photo. */
export const mimeOf = (type: DocumentType, given: ImageMime | undefined): ImageMime =>
  isSignature(type) && given === 'image/png' ? 'image/png' : 'image/jpeg';

const max = LIMITS.imagePixels / 1_000_000;
/** It may have few bytes, and more pixels than are taken apart in the memory and the time of one picture. */
export const tooManyPixels = (cause?: unknown): KistError =>
  new KistError('TOO_MANY_PIXELS', {
    params: { max },
    details: { max },
    fields: [{ path: 'file', key: 'field.too_large', params: { max: `${max} MP` } }],
    cause,
  });

/** By what a picture is asked for: what the shop called it, else a name that no other has. */
export const imageNameOf = (row: {
  document_id: string;
  document_type: DocumentType;
  image_name: string | null;
  mime: ImageMime;
}): string => row.image_name ?? `${row.document_type}-${shortId(row.document_id)}.${EXTENSIONS[row.mime]}`;
const EXTENSIONS: Record<ImageMime, string> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

/** What is kept of somebody, those that were replaced and still lie there among them. */
export interface Kept {
  documents: number;
  bytes: number;
}
const QUOTAS = {
  customer: { documents: LIMITS.documentsOfCustomer, bytes: LIMITS.documentBytesOfCustomer },
  shop: { documents: LIMITS.documentsOfShop, bytes: LIMITS.documentBytesOfShop },
  organisation: { documents: LIMITS.documentsOfOrganisation, bytes: LIMITS.documentBytesOfOrganisation },
} as const;
export type QuotaScope = keyof typeof QUOTAS;

/**
 * No sale is made without a photo and signatures: neither papers nor those that they took the place of themselves, which lie there for weeks, may keep them
 * out. No more than a reserve, or one of them sent again and again would fill the disk.
 */
const isNeeded = (type: DocumentType): boolean => type === 'photo' || isSignature(type);

/** @returns whose quota one more picture of this type and so many bytes does not fit into; undefined when it does */
export function exceeded(
  kept: Record<QuotaScope, Kept>,
  { document_type, bytes }: { document_type: DocumentType; bytes: number },
): QuotaScope | undefined {
  return (['customer', 'shop', 'organisation'] as const).find((scope) => {
    const most = mostOf(scope, document_type);
    return kept[scope].documents + 1 > most.documents || kept[scope].bytes + bytes > most.bytes;
  });
}

/** What may be kept of somebody when one more picture of this type comes. */
function mostOf(scope: QuotaScope, type: DocumentType): Kept {
  const { documents, bytes } = QUOTAS[scope];
  if (scope !== 'customer' || !isNeeded(type)) return { documents, bytes };
  return { documents: documents + LIMITS.documentsInReserve, bytes: bytes + LIMITS.documentBytesInReserve };
}

const GIB = 1024 ** 3;

/** Whose quota is full, how much it holds, and when there is room again. */
export function quotaFull(scope: QuotaScope, type: DocumentType): KistError {
  const { documents: max, bytes } = mostOf(scope, type);
  const max_size = bytes % GIB === 0 ? `${bytes / GIB} GB` : sizeText(bytes);
  const said = { max, max_size, days: LIMITS.documentsReplacedKeptDays };
  return new KistError('DOCUMENT_QUOTA', {
    params: said,
    words: { quota: `quota.${scope}` },
    details: { scope, ...said },
  });
}
