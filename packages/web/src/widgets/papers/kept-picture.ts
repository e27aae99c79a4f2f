import { deleteDraft, loadDraft, saveDraft } from '#web/offline/drafts.ts';
import type { Slot } from './slots.ts';

/** A picture that was chosen, cut and painted over, until the server has it: sealed on this phone, gone with the session. */
interface Waiting {
  customerId: string;
  dataUrl: string;
}

const nameOf = (customerId: string, { type, name = '' }: Slot): string => `picture/${customerId}/${type}/${name}`;

export const keepPicture = (customerId: string, slot: Slot, dataUrl: string): Promise<void> =>
  saveDraft(nameOf(customerId, slot), { customerId, dataUrl } satisfies Waiting);
export const dropPicture = (customerId: string, slot: Slot): Promise<void> => deleteDraft(nameOf(customerId, slot));
/** @returns the picture as a data URL; undefined when none waits */
export const waitingPicture = async (customerId: string, slot: Slot): Promise<string | undefined> =>
  (await loadDraft<Waiting>(nameOf(customerId, slot)))?.value.dataUrl;

/** @returns the file that a data URL of ours stands for */
export function fileOf(dataUrl: string): Blob {
  const [head = '', letters = ''] = dataUrl.split(',');
  const bytes = Uint8Array.from(atob(letters), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([\w/]+)/.exec(head)?.[1] ?? 'image/jpeg' });
}
