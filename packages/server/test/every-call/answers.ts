import { overrideAsk, phoneClaim } from '#test/waiting-answers.ts';
import { NAMES_NOTHING, SHOPS, type Table } from './case.ts';
import type { Shops } from './shops.ts';

/** A lock by the organisation's decision, which takes two, and the answer to what was said on the phone. */
export const answerCases: Pick<Table, 'decideBatch' | 'decideOverride' | 'listWaiting' | 'refusePhoneClaim'> = {
  decideBatch: {
    who: ['retailer', 'admin'],
    // Who asked for it thinks better of it.
    right: async (shops) => ({ params: { batch_id: await waitingBatch(shops) }, body: { is_approved: false } }),
    wrong: {
      input: { params: { batch_id: crypto.randomUUID() }, rawBody: { is_approved: 'yes' } },
      path: 'is_approved',
    },
    needs: 'lock',
    theirs: ['batch_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: ({ own }) => ({ params: { batch_id: own.ids.batch_id }, body: { is_approved: false } }),
      },
    ],
  },
  decideOverride: {
    who: [...SHOPS, 'admin'],
    // Who asked for it thinks better of it.
    right: async (shops) => ({ body: { ask_id: await ask(shops), is_agreed: false } }),
    wrong: { input: { rawBody: { is_agreed: 'yes' } }, path: 'is_agreed' },
    needs: 'lock',
    theirs: ['ask_id'],
    conflicts: [
      {
        code: 'SECOND_PERSON_REQUIRED',
        input: async (shops) => ({ body: { ask_id: await ask(shops), is_agreed: true } }),
      },
    ],
  },
  listWaiting: {
    who: [...SHOPS, 'admin'],
    right: () => ({}),
    wrong: { input: { query: { page: 0 } as never }, path: 'page' },
    needs: 'read',
    never: NAMES_NOTHING,
  },
  refusePhoneClaim: {
    who: SHOPS,
    right: async (shops) => ({ body: { claim_id: await said(shops), reason: 'Nothing came in' } }),
    wrong: { input: { rawBody: { reason: '' } }, path: 'reason' },
    needs: 'read',
    theirs: ['claim_id'],
    conflicts: [
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => {
          const body = { claim_id: await said(shops), reason: 'Nothing came in' };
          await shops.http.call('refusePhoneClaim', { token: shops.own.token, body });
          return { body };
        },
      },
    ],
  },
};

/** Said on the phone of a sale. */
const said = async ({ db, sale }: Shops): Promise<string> => phoneClaim(db, await sale());

/** One that the retailer asked for. */
const ask = async ({ db, own, sale }: Shops): Promise<string> => {
  const { customer_id } = await sale();
  return overrideAsk(db, own.actor, { customer_id, note: 'the owner agreed in writing' });
};

/** More locks than the hour has room for, which the retailer asked for. */
async function waitingBatch({ db, own }: Shops): Promise<string> {
  const batch_id = crypto.randomUUID();
  await db.asOwner(
    `insert into batches (org_id, batch_id, command, reason, requested_by, created_at, state, total)
     values ($1, $2, 'lock', 'EMI_OVERDUE', $3, kist_now(), 'waiting', 60)`,
    [own.actor.orgId, batch_id, own.actor.userId],
  );
  return batch_id;
}
