import { useTranslation } from 'react-i18next';
import { isMadeUp, type Slot } from './slots.ts';

const SIDES = ['front', 'back'];

/** @returns the words for a place, as keys of a locale */
export function slotKeys({ type, name }: Slot): { type: string; side: string | null } {
  return { type: `my_data.type.${type}`, side: name && SIDES.includes(name) ? `documents.${name}` : null };
}

/** What a place is called, with its side or the name that the shop gave. */
export function useSlotTitle(slot: Slot): string {
  const { t } = useTranslation();
  const keys = slotKeys(slot);
  const side = keys.side ? t(keys.side) : isMadeUp(slot) ? undefined : slot.name;
  return [t(keys.type), side].filter(Boolean).join(' · ');
}
