import { agreementOf } from '#test/whole-shop.ts';
import { NAMES_NOTHING, type Table, UNKNOWN_FIELD } from './case.ts';
import type { Shops } from './shops.ts';

/** What is owed for locks that were wrong or came off too late, and that it was paid out. */
export const compensationCases: Pick<Table, 'listCompensations' | 'payCompensation'> = {
  listCompensations: { who: ['admin'], right: () => ({}), wrong: UNKNOWN_FIELD, never: NAMES_NOTHING },
  payCompensation: {
    who: ['admin'],
    right: async (shops) => ({ body: { agreement_id: await lateUnlock(shops), amount: 1, method: 'UPI' } }),
    wrong: { input: { rawBody: { amount: 0 } }, path: 'amount' },
    theirs: ['agreement_id'],
    conflicts: [
      {
        code: 'ALREADY_PAID',
        input: async ({ sale, db }) => ({
          body: { agreement_id: await agreementOf(db, await sale()), amount: 1, method: 'UPI' },
        }),
      },
    ],
  },
};

/** An agreement under which an hour is owed for, whose phone was paid free a day ago and has not said that it is. */
async function lateUnlock({ db, own, sale }: Shops): Promise<string> {
  const agreement_id = await agreementOf(db, await sale());
  await db.plant(
    ['agreements'],
    `update agreements set policy = policy || '{"compensationPaisePerHour": 25000}' where agreement_id = $1`,
    [agreement_id],
  );
  await db.asOwner(
    `insert into cures (org_id, cure_id, agreement_id, device_id, cured_at)
     select $1, gen_random_uuid(), agreement_id, device_id, kist_now() - interval '1 day' from agreements where agreement_id = $2`,
    [own.actor.orgId, agreement_id],
  );
  return agreement_id;
}
