import { useCallback, useEffect, useState } from 'react';
import type { CallReply } from '#web/api/calls.ts';
import type { ApiError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';

export type Code = Pick<CallReply<'generateEmmCode'>, 'qr' | 'manual_code' | 'expires_at'>;

/**
 * The customer's code: the one that is still good, wherever and whenever it was made, so that looking again never ends what a phone on the counter may have
 * read a second ago. Only where there is none is one made, and by `fresh`, which ends the one before and answers whether it could.
 */
export function useCode(customerId: string) {
  const [code, setCode] = useState<Code>();
  const [error, setError] = useState<ApiError>();
  const [show, showing] = useWrite('getCustomerQrCode');
  const [generate, generating] = useWrite('generateEmmCode');
  const fresh = useCallback(async (): Promise<boolean> => {
    const { data, error: refusal } = await generate({ query: { customer_id: customerId } });
    setError(refusal);
    if (data) setCode(data);
    return !refusal;
  }, [customerId, generate]);
  const open = useCallback(async () => {
    const { data, error: refusal } = await show({ query: { customer_id: customerId, image: 'text' } });
    if (refusal) return setError(refusal);
    const { qr, manual_code, expires_at } = data;
    if (qr === null || manual_code === null || expires_at === null) return void fresh();
    setError(undefined);
    setCode({ qr, manual_code, expires_at });
  }, [customerId, show, fresh]);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- asks the server; what it answers is set later
    void open();
  }, [open]);
  return { code, error, isBusy: showing.isBusy || generating.isBusy, open, fresh };
}
