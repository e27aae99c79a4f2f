import { deleteDraft, loadDraft } from './drafts.ts';

/** The form begun with "Add" lies under this name, one opened from the customer list under its customer. */
export const NEW_SLOT = 'add-customer';
export const slotOf = (customerId: string): string => `${NEW_SLOT}/${customerId}`;

/** Removes this phone's copies of a customer's form: it was deleted, and must not come back with the next "Add". */
export async function forgetForm(customerId: string): Promise<void> {
  await deleteDraft(slotOf(customerId));
  const begun = await loadDraft<{ customerId?: string }>(NEW_SLOT);
  if (begun?.value.customerId === customerId) await deleteDraft(NEW_SLOT);
}
