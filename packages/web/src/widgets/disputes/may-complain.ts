import type { LockTimeline } from '@kist/contract/customers';
import { LOCKED_FROM_LEVEL } from '@kist/contract/limits';

/** Of an agreement that runs, or was paid to its end and whose phone was ever locked: that lock may have been wrong. */
export const mayComplain = (state: string | undefined, timeline: Pick<LockTimeline, 'events'> | null): boolean =>
  state === 'active' ||
  (state === 'completed' &&
    (timeline?.events ?? []).some(
      ({ kind, params }) => kind === 'level' && Number(params['level']) >= LOCKED_FROM_LEVEL,
    ));
