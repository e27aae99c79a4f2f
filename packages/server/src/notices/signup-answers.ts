import * as identity from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { now } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { append } from '#server/platform/outbox.ts';
import { secondsToDaytime } from './daytime.ts';
import { MESSAGES, fill } from './messages/messages.ts';
import { NOTICE_TEXT_IDS } from './messages/template-ids.ts';
import type { TextMessage } from './providers/provider.ts';

/**
 * Promises the answer to who asked for an account, in the transaction that decides. The entry names the request and says nothing of it: what it says is read
 * when it leaves, in the daytime.
 * @returns whether anything is promised: of refusals a number hears once a day
 */
export async function tellApplicant(tx: Tx, request_id: string): Promise<boolean> {
  if (!(await identity.isSignupTold(tx, request_id))) return false;
  const delayS = secondsToDaytime((await now(tx)).getTime());
  await append(tx, { topic: 'sms', payload: { signup_request_id: request_id }, delayS });
  return true;
}

/** @returns the answer in the language in which was asked, else in the organisation's first; undefined where nothing is decided */
export async function signupAnswer(
  tx: Tx,
  request_id: string,
  publicUrl: string,
): Promise<Omit<TextMessage, 'reference'> | undefined> {
  const request = await identity.decidedSignup(tx, request_id);
  if (!request) return undefined;
  const { name, languages, support, loginUrl } = await organisations.addressOf(tx, publicUrl);
  const language = request.language ?? languages[0] ?? 'en';
  const template = request.state === 'approved' ? 'signup_approved' : 'signup_refused';
  const contact = support.phone || support.email || loginUrl;
  return {
    to: request.mobile,
    body: fill(MESSAGES[language][template], { organisation: name, contact, link: loginUrl }),
    template,
    template_id: NOTICE_TEXT_IDS[language][template],
  };
}
