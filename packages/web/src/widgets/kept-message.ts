import { awayNow } from '#web/offline/sync-state.ts';
import { keptHere } from '#web/state/kept-here.ts';

/**
 * @param away why it is not sent; a screen that goes on being true says it from `useSyncState`.
 * @returns the sentence's key for what is kept here and sent later: where it is kept, and what it waits for.
 */
export const keptMessageKey = (away = awayNow()) =>
  keptHere(away === 'network' || away === 'portal' ? 'shell.saved_offline' : 'shell.saved_server_away');
