import type { DesiredPolicy } from '@kist/contract/agent';
import { SWITCHES } from '@kist/contract/commands';
import { LIMITS } from '@kist/contract/limits';
import type { DesiredChange } from '#server/devices/desired.ts';
import * as notices from '#server/notices/notices.ts';
import type { FactRow, TakenRow } from './facts-store.ts';
import { addresseeOf } from './tell.ts';

/** What a taken wallpaper says: for a debt the organisation's template that was chosen, while it is in use, else the words of a reminder, in the customer's language, with sum and date; else nothing. No shop's own words. */
function wallpaperText(row: FactRow, taken: readonly TakenRow[]): string | null {
  const forDebt = taken.find((one) => one.taken === 'wallpaper' && one.cause === 'debt');
  const to = forDebt ? addresseeOf(row) : undefined;
  if (!to || row.oldestDueOn === null) return null;
  const amountPaise = row.overduePaise > 0 ? row.overduePaise : (row.oldestDuePaise ?? 0);
  const values = { amountPaise, dueOn: row.oldestDueOn };
  const chosen = forDebt?.texts?.[to.language];
  const said = chosen === undefined ? notices.wording(to, 'alert', values) : notices.filled(to, chosen, values);
  // Half a character, of two units, is none: no document could hold it.
  return said.slice(0, LIMITS.wallpaperTextLength).replace(/[\uD800-\uDBFF]$/, '');
}

/** The wallpaper's words as they shall be, when they are others now. */
export function wallpaperChange(row: FactRow, taken: readonly TakenRow[]): Pick<DesiredChange, 'wallpaperText'> {
  const wanted = wallpaperText(row, taken);
  return wanted === row.wallpaperText ? {} : { wallpaperText: wanted };
}

/**
 * The switches of the desired document, composed of what is taken and nothing else, when they stand otherwise now. Every decision about a phone writes
 * them, so whatever no cause carries goes with the next one.
 */
export function switchChange(
  row: FactRow,
  taken: readonly TakenRow[],
): Pick<DesiredChange, 'toggles' | 'wallpaperText'> {
  const isTaken = (name: keyof DesiredPolicy['toggles']) => taken.some((one) => one.taken === name);
  const isAsWanted = SWITCHES.every((name) => isTaken(name) === (row.switches?.[name] ?? false));
  const wallpaper = wallpaperChange(row, taken);
  if (isAsWanted) return wallpaper;
  return { toggles: Object.fromEntries(SWITCHES.map((name) => [name, isTaken(name)])), ...wallpaper };
}
