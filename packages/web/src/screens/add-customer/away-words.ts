import type { TFunction } from 'i18next';
import { awayNow } from '#web/offline/sync-state.ts';
import { keptHere } from '#web/state/kept-here.ts';

/** @returns why the form cannot go on now, and whether it is safe here meanwhile. */
export const awayWords = (t: TFunction): string =>
  `${t(awayNow() === 'server' ? 'add.needs_server' : 'add.needs_internet')} ${t(keptHere('add.form_safe'))}`;
