import { LANGUAGES, type Language } from '@kist/contract/codes';
import { beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM, approveSignup, refuseSignup, requestSignup, signups } from '#server/identity/identity.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase } from '#test/database.ts';
import { createOrganisation, newMobile } from '#test/http.ts';
import { fill, MESSAGES } from './messages/messages.ts';
import { NOTICE_TEXT_IDS } from './messages/template-ids.ts';
import type { TextMessage } from './providers/provider.ts';
import { createSmsSender } from './sender.ts';
import { tellApplicant } from './signup-answers.ts';

const [ORG, HOSTED] = [20, 31];
const db = await createTestDatabase();
const links = { linkKey: Buffer.alloc(32, 7), publicUrl: 'https://kist.example.in' };
beforeAll(async () => {
  await createOrganisation(db, { orgId: ORG, slug: 'asha' });
  await createOrganisation(db, { orgId: HOSTED, slug: 'sharma', host: 'sharma.example' });
  await db.asOwner(
    `update organisations set ai_name = 'Asha <Mobiles>', support = '{"phone": "+912212345678", "email": "help@asha.example"}' where org_id = $1`,
    [ORG],
  );
});

/** Somebody asks for an account in a language. */
async function ask(
  language: Language,
  orgId = ORG,
  mobile = newMobile(),
): Promise<{ mobile: string; request_id: string }> {
  const said = { mobile, first_name: 'Farida', last_name: '', shop_name: 'New Star', city: '', pincode: '', note: '' };
  await db.transaction(orgId, (tx) => requestSignup(tx, { ...said, language }));
  const open = await db.read(orgId, (tx) => signups(tx, { state: 'open' }));
  return { mobile, request_id: open.find((one) => one.mobile === mobile)!.request_id };
}

/** It is decided, and they are told of it: what the outbox then promises. */
async function decide(state: 'approved' | 'refused', request_id: string, orgId = ORG): Promise<unknown> {
  await db.transaction(orgId, async (tx) => {
    if (state === 'approved') await approveSignup(tx, SYSTEM(orgId), { request_id });
    else await refuseSignup(tx, SYSTEM(orgId), { request_id, reason: 'no such shop, says Ravi' });
    await tellApplicant(tx, request_id);
  });
  const [entry] = await db.asOwner<{ topic: string; payload: unknown }>(
    'select topic, payload from outbox where org_id = $1 order by id desc limit 1',
    [orgId],
  );
  expect(entry).toEqual({ topic: 'sms', payload: { signup_request_id: request_id } });
  return entry!.payload;
}

async function send(payload: unknown, orgId = ORG, given: typeof links | undefined = links): Promise<TextMessage[]> {
  const sent: TextMessage[] = [];
  const provider = { send: async (message: TextMessage) => ({ id: String(sent.push(message)) }) };
  const entry = { id: newId(), orgId, topic: 'sms', payload, attempt: 1 };
  await createSmsSender(db, provider, given)(entry, new AbortController().signal);
  return sent;
}

describe.each(LANGUAGES)('who asked for an account in %s', (language) => {
  it('is told in it that it is open, and where to log in', async () => {
    const { mobile, request_id } = await ask(language);
    const link = 'https://kist.example.in/login?org=asha';
    const said = { organisation: 'Asha <Mobiles>', contact: '+912212345678', link };
    expect(await send(await decide('approved', request_id))).toEqual([
      {
        to: mobile,
        body: fill(MESSAGES[language].signup_approved, said),
        template: 'signup_approved',
        template_id: NOTICE_TEXT_IDS[language].signup_approved,
        reference: `signup_approved.${request_id}`,
      },
    ]);
    const [user] = await db.asOwner('select language from users where mobile = $1', [mobile]);
    expect(user).toEqual({ language });
  });

  it('is told in it that there is none and whom to ask, and nothing of the reason', async () => {
    const { mobile, request_id } = await ask(language);
    const [message] = await send(await decide('refused', request_id));
    const said = { organisation: 'Asha <Mobiles>', contact: '+912212345678' };
    expect(message).toMatchObject({ to: mobile, body: fill(MESSAGES[language].signup_refused, said) });
    expect(message!.body).not.toMatch(/Ravi|\{/);
  });
});

it('an organisation with a host of its own leads there; one without a telephone names its mail, else its page', async () => {
  const approved = await ask('en', HOSTED);
  const [message] = await send(await decide('approved', approved.request_id, HOSTED), HOSTED);
  expect(message!.body).toMatch(/Help: https:\/\/sharma\.example\/login\. .*: https:\/\/sharma\.example\/login$/);
  await db.asOwner(`update organisations set support = '{"email": "help@sharma.example"}' where org_id = $1`, [HOSTED]);
  const refused = await ask('en', HOSTED);
  const [other] = await send(await decide('refused', refused.request_id, HOSTED), HOSTED);
  expect(other!.body).toContain('help@sharma.example');
});

it('one number hears of refusals once a day, however many asked with it; of an account that is open always', async () => {
  const { mobile, request_id } = await ask('en');
  await decide('refused', request_id);
  const refuse = async (orgId = ORG) => {
    const again = await ask('en', orgId, mobile);
    const is_told = await db.transaction(orgId, async (tx) => {
      await refuseSignup(tx, SYSTEM(orgId), { request_id: again.request_id, reason: 'no such shop' });
      return tellApplicant(tx, again.request_id);
    });
    const promised = await db.asOwner(`select from outbox where payload ->> 'signup_request_id' = $1`, [
      again.request_id,
    ]);
    expect(promised).toHaveLength(is_told ? 1 : 0);
    return is_told;
  };
  expect([await refuse(), await refuse(), await refuse(HOSTED)]).toEqual([false, false, true]);
  const later = (hours: number) =>
    db.plant(
      ['signup_requests'],
      `update signup_requests set told_at = told_at - make_interval(hours => $2) where mobile = $1`,
      [mobile, hours],
    );
  await later(23);
  expect(await refuse()).toBe(false);
  await later(2);
  expect([await refuse(), await refuse()]).toEqual([true, false]);
  const last = await ask('en', ORG, mobile);
  expect(await send(await decide('approved', last.request_id))).toMatchObject([{ to: mobile }]);
});

it('a request of before has no language: it is answered in the organisation’s first', async () => {
  const { request_id } = await ask('hn', HOSTED);
  await db.asOwner('update signup_requests set language = null where request_id = $1', [request_id]);
  await db.asOwner(`update organisations set languages = '{mr,en}' where org_id = $1`, [HOSTED]);
  const [message] = await send(await decide('refused', request_id, HOSTED), HOSTED);
  expect(message!.template_id).toBe(NOTICE_TEXT_IDS.mr.signup_refused);
});

it('one that is still open, or of another organisation, is told nothing; without an address to log in at it fails aloud', async () => {
  const open = await ask('en');
  expect(await send({ signup_request_id: open.request_id })).toEqual([]);
  const payload = await decide('refused', open.request_id);
  expect(await send(payload, HOSTED)).toEqual([]);
  const noLinks = createSmsSender(db, { send: async () => ({ id: '' }) });
  const entry = { id: newId(), orgId: ORG, topic: 'sms', payload, attempt: 1 };
  await expect(noLinks(entry, new AbortController().signal)).rejects.toThrow('without the address');
});
