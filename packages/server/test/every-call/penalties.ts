import { makeCharge, makePenalRule } from '#test/factories.ts';
import { SHOPS, type Table } from './case.ts';
import type { Shops } from './shops.ts';

/** Penal charges by hand, and giving them up. */
export const penaltyCases: Pick<Table, 'sendPenalty' | 'waivePenalty' | 'decideWaiver'> = {
  sendPenalty: {
    who: SHOPS,
    right: async (shops) => ({ body: { customer_id: await lateCustomer(shops) } }),
    wrong: { input: { rawBody: { amount: 0 } }, path: 'amount' },
    needs: 'read',
    theirs: ['customer_id', 'instalment_id'],
  },
  waivePenalty: {
    who: SHOPS,
    right: async (shops) => ({ body: { charge_id: await charge(shops), reason: 'Was in hospital' } }),
    wrong: { input: { rawBody: { reason: '' } }, path: 'reason' },
    needs: 'read',
    theirs: ['charge_id'],
    conflicts: [
      {
        code: 'WAIVER_ASKED_ALREADY',
        input: async (shops) => {
          const body = { charge_id: await charge(shops), reason: 'Asked twice' };
          await shops.http.call('waivePenalty', { token: shops.own.token, body });
          return { body };
        },
      },
    ],
  },
  decideWaiver: {
    who: ['retailer', 'miniretailer', 'admin'],
    // Who asked for it thinks better of it.
    right: async (shops) => ({ body: { waiver_id: await waiver(shops), is_granted: false } }),
    wrong: { input: { rawBody: { is_granted: 'yes' } }, path: 'is_granted' },
    needs: 'read',
    theirs: ['waiver_id'],
    conflicts: [
      {
        code: 'SECOND_PERSON_REQUIRED',
        input: async (shops) => ({ body: { waiver_id: await waiver(shops), is_granted: true } }),
      },
    ],
  },
};

/** A customer whose first instalment is twenty days overdue, under a rule. */
async function lateCustomer({ db, own, sale }: Shops): Promise<string> {
  await makePenalRule(db, own.actor.orgId);
  const { customer_id } = await sale();
  const of = '(select agreement_id from agreements where customer_id = $1)';
  await db.plant(
    ['instalments'],
    `update instalments set due_on = current_date - 20 where no = 1 and agreement_id = ${of}`,
    [customer_id],
  );
  await db.plant(['agreements'], 'update agreements set oldest_due_on = current_date - 20 where customer_id = $1', [
    customer_id,
  ]);
  return customer_id;
}

async function charge({ db, own, sale }: Shops): Promise<string> {
  const { customer_id } = await sale();
  return makeCharge(db, own.actor.orgId, { customer_id, amount: 50_00 });
}

/** One that the retailer asked for. */
async function waiver(shops: Shops): Promise<string> {
  const body = { charge_id: await charge(shops), reason: 'Was in hospital' };
  return (await shops.http.call('waivePenalty', { token: shops.own.token, body })).data.waiver_id;
}
