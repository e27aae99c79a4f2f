import { useCallback, useRef, useState } from 'react';
import { isNetworkError, type ApiError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { draftBody } from './body.ts';
import type { Step, Values } from './fields.ts';

/** 'local': on this phone only, until the server can be reached. */
export type SaveState = 'idle' | 'saving' | 'saved' | 'local';

/**
 * The server's copy of the form. Saves follow each other, so that two never begin two customers.
 * @returns `save` (answers the customer's id, or undefined when it could not be saved) and how the last one went.
 */
export function useServerDraft(
  knownId: string | undefined,
  on: { id: (customerId: string) => void; refused: (error: ApiError) => void },
) {
  const [write] = useWrite('registerCustomer', ['listCustomers', 'getDashboard']);
  const [state, setState] = useState<SaveState>('idle');
  const id = useRef(knownId);
  const last = useRef<Promise<unknown>>(Promise.resolve());

  const fail = useCallback(
    (error: ApiError): undefined => {
      // Deleted on another phone: what is typed here begins a new one with the next save.
      if (error.code === 'NOT_FOUND') id.current = undefined;
      const isLater = isNetworkError(error) || error.code === 'NOT_FOUND';
      setState(isLater ? 'local' : 'idle');
      if (!isLater) on.refused(error);
    },
    [on],
  );
  const send = useCallback(
    async (values: Values, step: Step) => {
      setState('saving');
      if (!id.current) {
        // Always the same words: after a lost answer the same key goes out again, and not a second customer.
        const begun = await write({ body: { draft: true, plan_id: Number(values.plan_id) } });
        if (begun.error) return fail(begun.error);
        id.current = begun.data.customer_id;
        on.id(id.current);
      }
      const saved = await write({ body: draftBody(values, step, new Date(shopNowMs()).toISOString(), id.current) });
      if (saved.error) return fail(saved.error);
      setState('saved');
      return id.current;
    },
    [write, fail, on],
  );
  const save = useCallback(
    (values: Values, step: Step): Promise<string | undefined> => {
      const turn = last.current.then(() => send(values, step));
      last.current = turn;
      return turn;
    },
    [send],
  );
  return { save, state };
}
