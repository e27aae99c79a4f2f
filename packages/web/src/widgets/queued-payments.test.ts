// @vitest-environment jsdom
import { expect, it } from 'vitest';
import type { OutboxEntry } from '#web/offline/outbox.ts';
import { queuedByInstalment } from './queued-payments.tsx';

const payment = (body: object) => ({ name: 'updateEmiStatus', input: { body } }) as unknown as OutboxEntry;

it('two parts of one EMI that wait to be sent stand at it as their sum', () => {
  const queued = queuedByInstalment([
    payment({ instalment_id: 'i1', amount: 400_00 }),
    payment({ instalment_id: 'i2', amount: 50_00 }),
    payment({ instalment_id: 'i1', amount: 300_00 }),
  ]);
  expect(Object.fromEntries(queued)).toEqual({ i1: 700_00, i2: 50_00 });
});
