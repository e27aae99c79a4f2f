import { type DocumentType, isSignature } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
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

const MOST = `${LIMITS.uploadBytes / 1024 / 1024} MB`;
export const tooLarge = (): KistError =>
  new KistError('TOO_LARGE', { fields: [{ path: 'file', key: 'field.too_large', params: { max: MOST } }] });

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
} as const;
export type QuotaScope = keyof typeof QUOTAS;

/** @returns whose quota one more picture of so many bytes does not fit into; undefined when it does */
export const exceeded = (kept: Record<QuotaScope, Kept>, bytes: number): QuotaScope | undefined =>
  (['customer', 'shop'] as const).find(
    (scope) => kept[scope].documents + 1 > QUOTAS[scope].documents || kept[scope].bytes + bytes > QUOTAS[scope].bytes,
  );
