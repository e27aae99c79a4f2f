import { z } from 'zod';
import { LANGUAGES, CODE_PURPOSES } from '@kist/contract/codes';
import { INT4_MAX } from '@kist/contract/limits';
import type { Database } from '#server/platform/database.ts';
import type { OutboxHandler, OutboxMessage } from '#server/platform/outbox.ts';
import { MESSAGES, type UnkeptText, fill } from './messages/messages.ts';
import { NOTICE_TEXT_IDS, OTP_TEXT_IDS } from './messages/template-ids.ts';
import type { SmsProvider } from './providers/provider.ts';
import { type LinkMaking, linkNumbers, withLink } from './links.ts';
import { signupAnswer } from './signup-answers.ts';
import { type Sendable, findSendable, markSent } from './store.ts';

const payloadSchema = z.union([
  z.object({ notice_ids: z.array(z.uuid()).max(1000) }),
  z.object({
    mobile: z.string(),
    template: z.literal('otp'),
    params: z
      .object({ code: z.string(), purpose: z.enum(CODE_PURPOSES), minutes: z.number() })
      // What a code is about, as its language writes it.
      .catchall(z.string()),
    language: z.enum(LANGUAGES),
  }),
  z.object({
    mobile: z.string(),
    template: z.literal('number_changed'),
    params: z.record(z.string(), z.string()),
    language: z.enum(LANGUAGES),
  }),
  z.object({ signup_request_id: z.uuid() }),
]);
type Payload = z.infer<typeof payloadSchema>;
type Otp = Extract<Payload, { template: 'otp' }>;
type Unkept = Extract<Payload, { template: UnkeptText }>;

/** Messages of one entry on their way at the same time. */
const AT_ONCE = 16;

/** What a receipt of the gateway is known by: the organisation stands in it, because receipts come without a session. */
export const referenceOf = (orgId: number, noticeId: string): string => `${orgId}.${noticeId}`;

/** @returns undefined for references that are none of ours (codes have no receipts that matter). */
export function parseReference(reference: string): { orgId: number; noticeId: string } | undefined {
  const [, org, noticeId] = /^(\d{1,10})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(reference) ?? [];
  const orgId = Number(org);
  return noticeId && orgId > 0 && orgId <= INT4_MAX ? { orgId, noticeId } : undefined;
}

/**
 * The outbox topic `sms`: sign-in codes, notices, what is told to a number of before, and answers to who asked for an account. A try that fails is repeated by the outbox, a code's until the code's end; the reference keeps the
 * gateway from sending a message twice.
 * @param links undefined: messages with a link to the notices fail aloud
 */
export function createSmsSender(
  db: Pick<Database, 'transaction'>,
  provider: SmsProvider,
  links?: LinkMaking,
): OutboxHandler {
  return async (message, signal) => {
    const payload = payloadSchema.parse(message.payload);
    if ('notice_ids' in payload) await sendNotices({ db, provider, links }, message.orgId, payload.notice_ids, signal);
    else if ('signup_request_id' in payload)
      await sendAnswer({ db, provider, links }, message.orgId, payload.signup_request_id, signal);
    else if (payload.template === 'otp') await sendOtp(provider, message, payload, signal);
    else await sendUnkept(provider, message, payload, signal);
  };
}

interface Ways {
  db: Pick<Database, 'transaction'>;
  provider: SmsProvider;
  links: LinkMaking | undefined;
}

async function sendNotices(
  ways: Ways,
  orgId: number,
  noticeIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { db, provider, links } = ways;
  const { sendable, numbers } = await db.transaction(orgId, async (tx) => {
    const found = await findSendable(tx, noticeIds);
    return {
      sendable: found,
      numbers: await linkNumbers(
        tx,
        found.map(({ agreementId }) => agreementId),
      ),
    };
  });
  const send = async ({ noticeId, agreementId, kind, body: kept, templateId, mobile }: Sendable): Promise<void> => {
    const reference = referenceOf(orgId, noticeId);
    const body = withLink(links, { orgId, agreementId, no: numbers.get(agreementId) }, kept);
    const { id } = await provider.send(
      { to: mobile, body, template: kind, template_id: templateId ?? kind, reference },
      signal,
    );
    await db.transaction(orgId, (tx) => markSent(tx, noticeId, id));
  };
  const failures: unknown[] = [];
  const queue = sendable.values();
  const worker = async () => {
    for (const one of queue) {
      if (signal.aborted) return void failures.push(signal.reason);
      await send(one).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  // The ones that went out are marked; the next try takes the rest.
  if (failures.length > 0) throw failures[0];
}

async function sendAnswer(
  { db, provider, links }: Ways,
  orgId: number,
  requestId: string,
  signal: AbortSignal,
): Promise<void> {
  if (!links) throw new Error('an answer about an account without the address to log in at');
  const answer = await db.transaction(orgId, (tx) => signupAnswer(tx, requestId, links.publicUrl));
  if (answer) await provider.send({ ...answer, reference: `${answer.template}.${requestId}` }, signal);
}

async function sendOtp(
  provider: SmsProvider,
  { id }: OutboxMessage,
  { mobile, language, params }: Otp,
  signal: AbortSignal,
): Promise<void> {
  const { purpose, code, minutes, ...words } = params;
  const body = fill(MESSAGES[language].otp[purpose], { ...words, code, minutes: String(minutes) });
  const template = `otp_${purpose.toLowerCase()}`;
  const template_id = OTP_TEXT_IDS[language][purpose];
  await provider.send({ to: mobile, body, template, template_id, reference: `otp.${id}` }, signal);
}

async function sendUnkept(
  provider: SmsProvider,
  { id }: OutboxMessage,
  { mobile, template, language, params }: Unkept,
  signal: AbortSignal,
): Promise<void> {
  const body = fill(MESSAGES[language][template], params);
  const template_id = NOTICE_TEXT_IDS[language][template];
  await provider.send({ to: mobile, body, template, template_id, reference: `${template}.${id}` }, signal);
}
