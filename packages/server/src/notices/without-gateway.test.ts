import { afterAll, expect, test } from 'vitest';
import { outboxHandlers } from '#server/jobs/timers.ts';
import { createLog } from '#server/platform/log.ts';
import { append, type OutboxDispatcher, startOutbox } from '#server/platform/outbox.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation } from '#test/factories.ts';
import { testSealer } from '#test/sealer.ts';
import type { SmsProvider } from './providers/provider.ts';

const ORG = 20;
const db = await createTestDatabase();
await makeOrganisation(db, ORG);
const running: OutboxDispatcher[] = [];
afterAll(() => Promise.all(running.map((outbox) => outbox.stop())));

const carry = (sms: SmsProvider | undefined): OutboxDispatcher => {
  const handlers = outboxHandlers({ db }, { sms, mail: undefined, links: undefined });
  const outbox = startOutbox(db, testSealer, handlers, createLog('silent'));
  running.push(outbox);
  return outbox;
};

test('messages of before there was a gateway are tried by nobody, and go as soon as there is one', async () => {
  const payload = { template: 'number_changed', mobile: '+919876543210', language: 'en', params: {} };
  const id = await db.transaction(ORG, (tx) => append(tx, { topic: 'sms', payload }));
  const row = async () =>
    (
      await db.asOwner('select attempts, last_error, done_at is not null as is_done from outbox where id = $1', [id])
    )[0];
  expect(await carry(undefined).drain()).toBe(0);
  expect(await row()).toEqual({ attempts: 0, last_error: null, is_done: false });
  const sent: string[] = [];
  const gateway: SmsProvider = {
    send: async ({ to }) => {
      sent.push(to);
      return { id: 'g-1' };
    },
  };
  await carry(gateway).drain();
  expect(await row()).toMatchObject({ is_done: true });
  expect(sent).toEqual(['+919876543210']);
});
