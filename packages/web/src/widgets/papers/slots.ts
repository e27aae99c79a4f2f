import type { DocumentType } from '@kist/contract/codes';
import type { CallReply } from '#web/api/calls.ts';

export type Kept = CallReply<'getCustomerDocuments'>[number];

/** A place for one picture. The name tells sides of one paper apart. */
export interface Slot {
  type: DocumentType;
  name?: string;
}

/** What a shop keeps of a customer, in the order in which it is asked for. */
export const SLOTS: readonly Slot[] = [
  { type: 'photo' },
  { type: 'aadhaar', name: 'front' },
  { type: 'aadhaar', name: 'back' },
  { type: 'pan' },
  { type: 'invoice' },
];
/** On these stands an Aadhaar number that nobody but the customer needs. */
export const hidesNumber = ({ type }: Slot): boolean => type === 'aadhaar';

const isIn = (slot: Slot, kept: Kept): boolean =>
  kept.document_type === slot.type && (slot.name === undefined || kept.image_name === slot.name);

/** @returns the newest picture of a place. One that the server named itself stands for the place without a name. */
export const pictureIn = (slot: Slot, kept: readonly Kept[]): Kept | undefined => kept.find((one) => isIn(slot, one));

/** @returns what is kept in none of the places: further papers, which another client or an older app may have named as it liked */
export const further = (kept: readonly Kept[]): Kept[] =>
  kept.filter(
    (one) =>
      one.document_type !== 'signature' &&
      one.document_type !== 'witness_signature' &&
      !SLOTS.some((slot) => pictureIn(slot, kept)?.document_id === one.document_id),
  );

/** The server named it, for want of a better name. */
export const isMadeUp = ({ type, name = '' }: Slot): boolean =>
  name.startsWith(`${type}-`) && /^[\w-]{22}\.(?:jpg|png)$/.test(name.slice(type.length + 1));
