import { useState } from 'react';
import type { ApiError } from '#web/api/errors.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { useFieldProblem } from './use-problem.ts';

/** The OTP about something that the customer agrees to: where it went, when another may go, what is typed of it and what is wrong with that. */
interface SentCode {
  sentTo?: string;
  resendAtMs: number;
  otp: string;
  error?: string | undefined;
}
const NONE: SentCode = { resendAtMs: 0, otp: '' };

/** One for each thing that is agreed to: whoever looks at another and comes back finds what was typed. */
export function useCodes() {
  const [codes, setCodes] = useState<Readonly<Record<string, SentCode>>>({});
  return (about: string) => ({
    ...(codes[about] ?? NONE),
    put: (part: Partial<SentCode>) => setCodes((all) => ({ ...all, [about]: { ...(all[about] ?? NONE), ...part } })),
  });
}
/** What is typed of one, and where what becomes of it is put. */
export type Code = ReturnType<ReturnType<typeof useCodes>>;

const IS_SPENT: readonly string[] = ['OTP_INVALID', 'OTP_EXPIRED', 'OTP_USED_UP'];
interface Sent {
  resend_after_s: number;
  masked_mobile: string;
}

/** Sends the customer the OTP about this, and says by its field what becomes of it. @param send the call that sends it */
export function useSending(code: Code, send: () => Promise<{ data?: Sent | undefined; error?: ApiError | undefined }>) {
  const problem = useFieldProblem((error) => code.put({ error }));
  const ask = async () => {
    code.put({ error: undefined });
    const { data, error: refusal } = await send();
    const wait = data?.resend_after_s ?? refusal?.retryAfterS;
    if (wait !== undefined) code.put({ resendAtMs: phoneNowMs() + wait * 1000 });
    if (data) code.put({ sentTo: data.masked_mobile });
    else if (refusal) problem(refusal);
  };
  const refused = (refusal: ApiError) => {
    // What is wrong with something else leaves a right OTP right.
    if (IS_SPENT.includes(refusal.code)) code.put({ otp: '' });
    problem(refusal);
  };
  return { ask, refused };
}
