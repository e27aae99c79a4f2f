import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConsentPart } from '@kist/contract/customers';
import type { CallInput } from '#web/api/calls.ts';
import { type ApiError, isNetworkError } from '#web/api/errors.ts';
import { useWrite } from '#web/api/use-call.ts';
import { maskMobile } from '@kist/contract/masked';
import { awayNow } from '#web/offline/sync-state.ts';
import { phoneNowMs } from '#web/state/phone-clock.ts';
import { type Clause, CONSENT_VERSION } from './clause.ts';
import { PHONE_READS } from './phone-reads.ts';
import { useFieldProblem } from './use-problem.ts';

type Body = CallInput<'sendConsentCode'>['body'];

interface CodeState {
  /** `needless`: the shop's rules do without it. `later`: the shop goes on without it; no debt holds the phone until it is told. */
  stage: 'open' | 'sent' | 'told' | 'needless' | 'later';
  /** What the code that was sent is about: its digits need no more than that. */
  of: Body | undefined;
  sentTo: string;
  /** When another may be asked for, ms of this clock. */
  resendAtMs: number;
  /** One went there a moment ago that says nothing about this: it is about a deal that was changed since. */
  isOther: boolean;
  otp: string;
  error: string | undefined;
}
const OPEN: CodeState = {
  stage: 'open',
  of: undefined,
  sentTo: '',
  resendAtMs: 0,
  isOther: false,
  otp: '',
  error: undefined,
};

export interface ConsentCode extends CodeState {
  isBusy: boolean;
  /** Sends the code, unless it was told before. */
  ask: () => Promise<void>;
  /** @returns whether the code is the right one. */
  take: (digits: string) => Promise<boolean>;
  type: (digits: string) => void;
  postpone: () => void;
  complain: (sentence: string) => void;
}

interface About {
  mobile: string;
  clause: Clause | null;
  /** Of a sale, what is agreed to: the phone and the terms, in whatever words. */
  deal?: string;
  /** Makes sure that the server has the number on file; undefined when it has not: it was not reached, or has said itself what is wrong. */
  customerId: () => Promise<string | undefined>;
  /** With what the consent still lacks besides, and whether the number signs in to a shop, so that the customer cannot with it. */
  onTold?: (missing: readonly ConsentPart[], isShopNumber: boolean) => void;
}

/** One number, one text, one deal: a code for them says nothing about any other. */
function useCodeState({ mobile, clause, deal = '' }: About) {
  const about = `${mobile} ${clause?.language ?? ''} ${deal}`;
  const [states, setStates] = useState<Record<string, CodeState>>({});
  const note = (change: Partial<CodeState>) =>
    setStates((all) => ({ ...all, [about]: { ...(all[about] ?? OPEN), ...change } }));
  return { state: states[about] ?? OPEN, note };
}

/** Saves what the code is about, asks the server, and notes what it answers. */
function useCodeCalls(about: About, note: (change: Partial<CodeState>) => void) {
  const { t } = useTranslation();
  const problem = useFieldProblem((error) => note({ error }));
  const [send, sending] = useWrite('sendConsentCode', []);
  const [collect, collecting] = useWrite('collectConsent', PHONE_READS);
  const [isSaving, setSaving] = useState(false);
  // On another day or another phone; or the shop's rules do without. The server knows.
  const isMaybeTold = useRef(true);

  const refused = (error: ApiError): false => {
    // The answer may be what was lost, and not the question.
    if (isNetworkError(error)) isMaybeTold.current = true;
    else note({ otp: '' });
    problem(error);
    return false;
  };
  /** @returns whether nothing is left to be told; with digits: whether they are right. */
  const present = async (body: Body, otp?: string): Promise<boolean> => {
    const { data, error } = await collect({ body: { ...body, ...(otp !== undefined && { otp }) } });
    if (error) return refused(error);
    isMaybeTold.current = false;
    if (data.missing.includes('code')) return false;
    note({ stage: data.needs_no_code ? 'needless' : 'told', otp: '', error: undefined });
    about.onTold?.(data.missing, data.login === 'shop_number');
    return true;
  };
  /** @returns what the code is about, once the server has it. */
  const reach = async (): Promise<Body | undefined> => {
    setSaving(true);
    const customer_id = await about.customerId();
    setSaving(false);
    const away = awayNow();
    if (customer_id !== undefined && about.clause !== null)
      return { customer_id, text_version: CONSENT_VERSION, language: about.clause.language };
    if (away) note({ error: t(away === 'server' ? 'errors.server_away' : 'errors.FETCH_ERROR') });
    return undefined;
  };
  return { reach, present, send, refused, isMaybeTold, isBusy: isSaving || sending.isBusy || collecting.isBusy };
}

/** The code with which a customer agrees to a clause, from the customer's own number: sent, told, asked for again, left for later. */
export function useConsentCode(about: About): ConsentCode {
  const { state, note } = useCodeState(about);
  const { reach, present, send, refused, isMaybeTold, isBusy } = useCodeCalls(about, note);
  const taking = useRef<Promise<boolean>>(undefined);

  const ask = async (): Promise<void> => {
    note({ error: undefined });
    const body = await reach();
    if (!body || (isMaybeTold.current && ((await present(body)) || isMaybeTold.current))) return;
    note({ of: body });
    const { data, error } = await send({ body });
    const wait = data?.resend_after_s ?? error?.retryAfterS;
    if (wait !== undefined) note({ resendAtMs: phoneNowMs() + wait * 1000 });
    const isTooSoon = error?.code === 'OTP_TOO_SOON';
    const isOther = isTooSoon && error.details['is_same'] === false;
    note({ isOther });
    if (data) note({ stage: 'sent', sentTo: data.masked_mobile, otp: '' });
    // This one is on its way already, sent before this page was opened, or its answer was lost.
    else if (isTooSoon && !isOther) note({ stage: 'sent', sentTo: state.sentTo || maskMobile(about.mobile) });
    else if (!isOther) refused(error);
  };
  const tell = async (digits: string): Promise<boolean> => {
    const body = state.of ?? (await reach());
    if (!body) return false;
    if (isMaybeTold.current && ((await present(body)) || isMaybeTold.current)) return !isMaybeTold.current;
    return present(body, digits);
  };
  const take = (digits: string): Promise<boolean> =>
    (taking.current ??= tell(digits).finally(() => {
      taking.current = undefined;
    }));
  return {
    ...state,
    isBusy,
    ask,
    take,
    type: (otp) => note({ otp, error: undefined }),
    postpone: () => note({ stage: 'later', error: undefined }),
    complain: (error) => note({ error }),
  };
}
