import { deleteDraft, loadDraft, ownDrafts } from './drafts.ts';

/** The form begun with "Add" lies under this name, one opened from the customer list under its customer. */
export const NEW_SLOT = 'add-customer';
export const slotOf = (customerId: string): string => `${NEW_SLOT}/${customerId}`;

/**
 * What the end of the session takes away of forms that were begun on this phone (the phone's copies end with it): 'whole' when one is on no server,
 * 'last step' when the server has them as of the last step that was left.
 */
export async function formsLostAtLogout(): Promise<'whole' | 'last step' | null> {
  const forms = (await ownDrafts()) as { customerId?: string }[];
  if (forms.some(({ customerId }) => customerId === undefined)) return 'whole';
  return forms.length > 0 ? 'last step' : null;
}

/** Removes this phone's copies of a customer's form: it was deleted, and must not come back with the next "Add". */
export async function forgetForm(customerId: string): Promise<void> {
  await deleteDraft(slotOf(customerId));
  const begun = await loadDraft<{ customerId?: string }>(NEW_SLOT);
  if (begun?.value.customerId === customerId) await deleteDraft(NEW_SLOT);
}
