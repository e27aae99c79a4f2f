import { useState } from 'react';

/** The OTP about some terms: where it went, when another may go, what is typed of it and what is wrong with that. */
interface SentCode {
  sentTo?: string;
  resendAtMs: number;
  otp: string;
  error?: string | undefined;
}
const NONE: SentCode = { resendAtMs: 0, otp: '' };

/** One for each terms and version: whoever looks at others and comes back finds what was typed. */
export function useCodes() {
  const [codes, setCodes] = useState<Readonly<Record<string, SentCode>>>({});
  return (about: string) => ({
    ...(codes[about] ?? NONE),
    put: (part: Partial<SentCode>) => setCodes((all) => ({ ...all, [about]: { ...(all[about] ?? NONE), ...part } })),
  });
}
/** What is typed of one, and where what becomes of it is put. */
export type Code = ReturnType<ReturnType<typeof useCodes>>;
