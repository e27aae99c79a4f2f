import { awayNow } from '#web/offline/sync-state.ts';
import { mayKeepOnDisk } from '#web/state/storage.ts';

/** @returns the sentence's key for what is kept here and sent later: where it is kept, and what it waits for. */
export function keptMessageKey(): 'shell.memory_only' | 'shell.saved_offline' | 'shell.saved_server_away' {
  if (!mayKeepOnDisk()) return 'shell.memory_only';
  const away = awayNow();
  return away === 'network' || away === 'portal' ? 'shell.saved_offline' : 'shell.saved_server_away';
}
