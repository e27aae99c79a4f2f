import { useEffect, useState } from 'react';
import { useRead } from '#web/api/use-call.ts';
import type { ApiError } from '#web/api/errors.ts';
import { newerForm, serverForm, type OpenedForm } from './draft.ts';
import { EMPTY } from './fields.ts';
import { findForm, forgetAhead, foundAhead } from './local-forms.ts';

export type Opened =
  | { state: 'loading' }
  | { state: 'problem'; error: ApiError; retry: () => void }
  /** Signed meanwhile: there is nothing left to fill in. */
  | { state: 'signed' }
  /** @param isResumed something was typed before. */
  | { state: 'ready'; form: OpenedForm; slot: string; isResumed: boolean };

const FRESH: OpenedForm = { values: EMPTY, step: 'plan', customerId: undefined, savedAt: undefined };

/**
 * Finds the form to go on with: this phone's copy, the server's, or the newer of both. Without network this phone's copy is enough.
 * Decided once; what is saved afterwards does not disturb the person who types.
 */
export function useOpenedForm(customerId: string | undefined): Opened {
  const [local, setLocal] = useState(() => foundAhead(customerId));
  const [ready, setReady] = useState<Opened>();
  const server = useRead(
    'getCustomerProfile',
    { query: { customer_id: customerId ?? '' } },
    { skip: !customerId || ready !== undefined },
  );
  useEffect(() => {
    forgetAhead();
    if (local) return;
    let isCurrent = true;
    void findForm(customerId).then((found) => isCurrent && setLocal(found));
    return () => {
      isCurrent = false;
    };
  }, [customerId, local]);
  if (ready) return ready;
  if (!local) return { state: 'loading' };
  const settle = (opened: Opened): Opened => {
    setReady(opened);
    return opened;
  };
  const { slot, form } = local;
  if (!customerId) return settle({ state: 'ready', slot, form: form ?? FRESH, isResumed: form !== undefined });
  if (server.data && !server.isFetching) {
    if (!server.data.customer.is_draft) return settle({ state: 'signed' });
    return settle({ state: 'ready', slot, form: newerForm(form, serverForm(server.data)), isResumed: true });
  }
  if (server.error && !server.isFetching)
    return form && server.error.code !== 'NOT_FOUND'
      ? settle({ state: 'ready', slot, form, isResumed: true })
      : { state: 'problem', error: server.error, retry: server.refetch };
  return { state: 'loading' };
}
