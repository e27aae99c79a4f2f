import { OWN_AGENT } from '@kist/contract/capabilities';
import type { Adapter } from '#server/commands/adapter.ts';

/** A wake is a line of memory and some bytes to other processes: many go at once. Whoever pays for one of these phones meanwhile waits for all of them. */
const BATCH_SIZE = 500;

/**
 * Our own agent on Android (DPC, LINKFL), one vendor among others: the phone always comes to us, so delivering is a knock. One that does not hear it
 * comes by itself. Its orders and documents are handed out by the check-in (agent-plane.ts), and it is released by the document.
 * @param signal ends the phones' long polls, in whatever process holds them
 */
export function createAndroidAgent({ signal }: { signal: (deviceIds: readonly string[]) => void }): Adapter {
  return {
    vendor: OWN_AGENT,
    carries: false,
    batchSize: BATCH_SIZE,
    deliver: async (batch) => {
      signal(batch.map(({ deviceId }) => deviceId));
      return batch.map(() => ({ outcome: 'told' }));
    },
    release: async ({ deviceId }) => {
      signal([deviceId]);
      return { outcome: 'told' };
    },
    // Nobody else knows anything of it: what it last said is in our own books.
    lookup: async () => 'unknown',
  };
}
