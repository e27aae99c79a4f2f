import { expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makePenalRule, makeRetailer, makeSale, moveAgreement, setClock } from '#test/factories.ts';
import { chargePenalties } from './payments.ts';

const ORG = 20;
const db = await createTestDatabase();
const notices = { send: async () => undefined as never };

test('an agreement that is over when its slice is taken is charged nothing, though it was looked at while it ran', async () => {
  const on = isoDate('2026-04-10');
  await makeOrganisation(db, ORG);
  const shop = await makeRetailer(db, ORG);
  await setClock(db, '2026-04-10T11:00:00');
  await makePenalRule(db, ORG);
  const other = await db.transaction(ORG, (tx) => makeSale(tx, shop));
  let transactions = 0;
  const meanwhile: Pick<typeof db, 'transaction'> = {
    transaction: async (orgId, work) => {
      transactions += 1;
      // The first looks at what may be charged, the second takes it.
      if (transactions === 2) await moveAgreement(db, other.agreement.agreement_id, 'cancelled');
      return db.transaction(orgId, work);
    },
  };
  expect(await chargePenalties(meanwhile, notices, ORG, on)).toBe(0);
  expect(transactions).toBeGreaterThanOrEqual(2);
  expect(await db.asOwner('select from charges where agreement_id = $1', [other.agreement.agreement_id])).toEqual([]);
});
