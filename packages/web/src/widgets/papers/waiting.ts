import { outbox, useOutboxEntries } from '#web/offline/app-outbox.ts';
import type { Outcome, OutboxEntry } from '#web/offline/outbox.ts';
import type { Slot } from './slots.ts';

const READS = ['getCustomerDocuments', 'getDocument', 'getCustomerProfile'] as const;

/** The call that a picture's type has. */
function callOf(customer_id: string, { type, name }: Slot) {
  const named = name ? { image_name: name } : {};
  if (type === 'photo') return { name: 'uploadCustomerPhoto', body: { customer_id } } as const;
  if (type === 'invoice') return { name: 'uploadInvoice', body: { customer_id, ...named } } as const;
  return { name: 'uploadCustomerDocument', body: { customer_id, document_type: type, ...named } } as const;
}

/** Sends a picture, or keeps it sealed until it can be sent. @param label what a person calls it */
export function putPicture(customerId: string, slot: Slot, dataUrl: string, label: string): Promise<Outcome> {
  const { name, body } = callOf(customerId, slot);
  return outbox.put({ name, input: { body }, label, about: customerId, picture: dataUrl, invalidates: READS });
}

/** What waits of a customer's pictures, oldest first. */
export const useWaitingPictures = (customerId: string | undefined): readonly OutboxEntry[] =>
  useOutboxEntries().filter(({ about, picture }) => picture !== undefined && about === customerId);

/** @returns whether it is this place's */
export function isOf(entry: OutboxEntry, slot: Slot): boolean {
  const { name, body } = callOf(entry.about ?? '', slot);
  return entry.name === name && JSON.stringify(entry.input.body) === JSON.stringify(body);
}

/** @returns the place that a further paper waits for; undefined for one of the usual places, and for one without a name, which has none yet */
export function furtherSlotOf({ name, input }: OutboxEntry): Slot | undefined {
  const { document_type, image_name } = (input.body ?? {}) as { document_type?: string; image_name?: string };
  return name === 'uploadCustomerDocument' && document_type === 'other' && image_name
    ? { type: 'other', name: image_name }
    : undefined;
}
