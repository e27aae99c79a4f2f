import { useCallback, useEffect, useState } from 'react';
import { LIMITS } from '@kist/contract/limits';
import type { CallReply } from '#web/api/calls.ts';
import type { ApiError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { onSessionEnd } from '#web/state/session.ts';

/** @param endsAtMs by this phone's own clock, which may differ from the server's. */
export type Code = CallReply<'generateEmmCode'> & { endsAtMs: number };

/**
 * Codes made in this session, by customer. A new one ends the one before, which a phone on the counter may have read a second ago: looking
 * at the page again, or a network that returns, must not make one. In memory only: whoever has the code can enrol the phone.
 */
const made = new Map<string, Code>();
onSessionEnd(() => made.clear());

/** The next code is to be another: the one made before has done its work, or its phone is gone. */
export const forgetCode = (customerId: string): boolean => made.delete(customerId);

/** @returns the customer's code, made once, and `fresh`, which makes another and answers whether it could. */
export function useCode(customerId: string) {
  const [code, setCode] = useState(() => made.get(customerId));
  const [error, setError] = useState<ApiError>();
  const [generate, { isBusy }] = useWrite('generateEmmCode');
  const fresh = useCallback(async (): Promise<boolean> => {
    const { data, error: refusal } = await generate({ query: { customer_id: customerId } });
    setError(refusal);
    if (refusal) return false;
    const next = { ...data, endsAtMs: Date.now() + LIMITS.enrolmentTokenTtlS * 1000 };
    made.set(customerId, next);
    setCode(next);
    return true;
  }, [customerId, generate]);
  const isMade = code !== undefined;
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- asks the server; what it answers is set later
    if (!isMade) void fresh();
  }, [isMade, fresh]);
  return { code, error, isBusy, fresh };
}
