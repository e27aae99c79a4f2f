import { overrideAsk } from '#test/waiting-answers.ts';
import { SHOPS, type Table } from './case.ts';
import type { Shops } from './shops.ts';

/** A lock by the organisation's decision, which takes two. */
export const secondPersonCases: Pick<Table, 'decideOverride'> = {
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
};

/** One that the retailer asked for. */
const ask = async ({ db, own, sale }: Shops): Promise<string> => {
  const { customer_id } = await sale();
  return overrideAsk(db, own.actor, { customer_id, note: 'the owner agreed in writing' });
};
