import { afterAll, expect, test } from 'vitest';
import type { Tx } from '#server/platform/database.ts';
import { account } from '#server/agreements/agreements.ts';
import { createLockWorld } from '#test/lock-world.ts';

const world = await createLockWorld();
afterAll(() => world.close());

/** Statements that a payment sends, one round trip each; who adds one says here what it is worth. */
const PLAIN = 24;

test('a payment of a phone that nothing holds sends so many statements and no more', async () => {
  await world.at('2026-03-05T12:00:00');
  const { agreement } = await world.sell();
  const pay = (no: number) =>
    world.inOrg(async (tx) => {
      const sent: string[] = [];
      const counted: Tx = {
        orgId: tx.orgId,
        ports: tx.ports,
        query: (text, values, name) => {
          sent.push(name ?? text.trim().slice(0, 100));
          return tx.query(text, values, name);
        },
        afterCommit: (hint) => tx.afterCommit(hint),
      };
      const { instalmentIds } = await account(tx, { agreement_id: agreement.agreement_id });
      await world.payments.record(counted, world.shop, {
        instalment_id: instalmentIds.get(no)!,
        amount: agreement.emi_paise,
        method: 'CASH',
        reference: '',
      });
      return sent;
    });
  await pay(1);
  const sent = await pay(2);
  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(PLAIN);
});
