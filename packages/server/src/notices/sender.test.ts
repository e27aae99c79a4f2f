import { LANGUAGES } from '@kist/contract/codes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { registeredTexts } from './notices.ts';
import type { TextMessage } from './providers/provider.ts';
import { createSmsSender, referenceOf } from './sender.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());

const registered = new Map(
  LANGUAGES.flatMap((language) => registeredTexts(language)).map(({ id, text }) => [id, text]),
);
/** The registered words, with anything where a value stands. */
const patternOf = (text: string) =>
  new RegExp(
    `^${text
      .split('{#var#}')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+')}$`,
  );

it('each message goes out under the id of the text that it is, also where one kind has several', async () => {
  await world.at('2026-03-05T12:00:00');
  await world.sell();
  for (const day of ['2026-03-07', '2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13']) await world.day(day);
  await world.deliver();
  for (const { template_id: id, body } of world.texts)
    expect(body).toMatch(patternOf(registered.get(id) ?? `no ${id}`));
  const names = new Set(world.texts.map(({ template, template_id: id }) => `${template} ${id.split('.')[0]}`));
  expect(names).toEqual(new Set(['reminder reminder', 'reminder reminder_today', 'notice notice', 'locked locked']));
});

it.each(LANGUAGES)('in %s the word to a number of before goes to it, by the id of its own text', async (language) => {
  const sent: TextMessage[] = [];
  const provider = { send: async (message: TextMessage) => ({ id: String(sent.push(message)) }) };
  const payload = {
    mobile: '+919812300001',
    template: 'number_changed',
    language,
    params: { shop: 'Asha Mobiles', phone: '+919800000001', agreement_no: '20-1' },
  };
  const entry = { id: newId(), orgId: ORG, topic: 'sms', payload, attempt: 1 };
  await createSmsSender(world.db, provider)(entry, new AbortController().signal);
  const [{ template_id: id, body, to } = {} as TextMessage] = sent;
  expect(to).toBe('+919812300001');
  expect(id).toMatch(/^number_changed\./);
  expect(body).toMatch(patternOf(registered.get(id) ?? `no ${id}`));
});

it('a message that was written before texts had ids goes by its kind', async () => {
  const [old] = await world.db.plant<{ id: string; kind: string }>(
    ['notices'],
    `update notices set template_id = null, sent_at = null, delivered_at = null, provider_ref = null
     where notice_id = (select notice_id from notices where channel = 'sms' limit 1) returning notice_id as id, kind`,
  );
  const sent: TextMessage[] = [];
  const provider = {
    send: async (message: TextMessage) => {
      sent.push(message);
      return { id: 'x' };
    },
  };
  const send = createSmsSender(world.db, provider, {
    linkKey: Buffer.alloc(32, 7),
    publicUrl: 'https://kist.example.in',
  });
  const entry = { id: newId(), orgId: ORG, topic: 'sms', payload: { notice_ids: [old!.id] }, attempt: 1 };
  await send(entry, new AbortController().signal);
  expect(sent.map((message) => message.template_id)).toEqual([old!.kind]);
});

it('a try in which one message fails is a failed one, and the next sends that message alone', async () => {
  const waiting = await world.db.plant<{ id: string }>(
    ['notices'],
    `update notices set sent_at = null, delivered_at = null, provider_ref = null
     where notice_id in (select notice_id from notices where channel = 'sms' limit 3) returning notice_id as id`,
  );
  const ids = waiting.map(({ id }) => id);
  const tried: string[] = [];
  let failing = referenceOf(ORG, ids[1]!);
  const provider = {
    send: async ({ reference }: TextMessage) => {
      tried.push(reference);
      if (reference === failing) throw new Error('the gateway is away');
      return { id: `anew-${reference}` };
    },
  };
  const send = createSmsSender(world.db, provider, {
    linkKey: Buffer.alloc(32, 7),
    publicUrl: 'https://kist.example.in',
  });
  const entry = { id: newId(), orgId: ORG, topic: 'sms', payload: { notice_ids: ids }, attempt: 1 };
  await expect(send(entry, new AbortController().signal)).rejects.toThrow('the gateway is away');
  expect(tried.toSorted()).toEqual(ids.map((id) => referenceOf(ORG, id)).toSorted());
  tried.length = 0;
  failing = '';
  await send({ ...entry, attempt: 2 }, new AbortController().signal);
  expect(tried).toEqual([referenceOf(ORG, ids[1]!)]);
});
