import { useCallback, useState, useSyncExternalStore } from 'react';
import type { CallName } from '@kist/contract/paths';
import { api } from '#web/api/api.ts';
import { isIdempotent, type CallInput, type CallReply, type LooseInput } from '#web/api/calls.ts';
import type { ApiError } from '#web/api/errors.ts';
import { onSessionEnd } from '#web/state/session.ts';
import { stored } from '#web/state/storage.ts';
import { appStore } from '#web/state/store.ts';
import { idbRows } from './idb-rows.ts';
import { Outbox, type OutboxEntry, type SendResult } from './outbox.ts';
import { fileOf } from './picture-file.ts';
import { onServerBack } from './sync-state.ts';

async function send(entry: OutboxEntry): Promise<SendResult> {
  const call = {
    name: entry.name,
    input: {
      ...entry.input,
      ...(entry.picture !== undefined && { file: fileOf(entry.picture), fileName: 'picture.jpg' }),
      idempotencyKey: isIdempotent(entry.name) ? entry.id : undefined,
    },
    invalidates: entry.invalidates,
    isQueued: true as const,
  };
  const answer = await appStore.dispatch(api.endpoints.write.initiate(call));
  return 'error' in answer ? { error: answer.error as ApiError } : { data: answer.data };
}

/** The app's one outbox. */
export const outbox = new Outbox({ rows: idbRows<OutboxEntry>('outbox'), send, owner: () => stored('user_id') });

let isStarted = false;
/** Loads and replays; again on every sign-in. WebViews have no Background Sync: start, online and visible are the moments. */
export function startOutbox(): void {
  void outbox.load().then(() => outbox.replay(true));
  if (isStarted) return;
  isStarted = true;
  window.addEventListener('online', () => void outbox.replay(true));
  onServerBack(() => void outbox.replay(true));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void outbox.replay(true);
  });
  onSessionEnd(() => void outbox.load());
}

export const useOutboxEntries = (): readonly OutboxEntry[] => useSyncExternalStore(outbox.subscribe, outbox.entries);

/**
 * As `useWrite`, for work that must not be lost: payments, a finished registration, a reminder.
 * @returns a function answering 'sent' with data, 'queued' (kept, will be sent) or 'failed' with the coded reason.
 * @example const [pay, { isBusy }] = useQueuedWrite('updateEmiStatus', ['getEmiDetails']); await pay({ body }, label)
 */
export function useQueuedWrite<Name extends CallName>(name: Name, invalidates: readonly CallName[] = []) {
  const [isBusy, setBusy] = useState(false);
  const list = invalidates.join();
  const write = useCallback(
    async (input: CallInput<Name>, label: string, more?: Pick<OutboxEntry, 'about' | 'paise'>) => {
      setBusy(true);
      const { params, query, body } = input as LooseInput;
      const outcome = await outbox.put({
        name,
        input: { params, query, body },
        label,
        ...more,
        invalidates: list ? (list.split(',') as CallName[]) : [],
      });
      setBusy(false);
      return outcome.state === 'sent' ? { state: 'sent' as const, data: outcome.data as CallReply<Name> } : outcome;
    },
    [name, list],
  );
  return [write, { isBusy }] as const;
}
