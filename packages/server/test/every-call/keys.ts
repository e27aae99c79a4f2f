import { PLAN } from '@kist/contract/codes';
import { newId } from '#server/platform/ids.ts';
import { NAMES_NOTHING, SHOPS, type Table, UNKNOWN_FIELD } from './case.ts';
import { mini, suspended } from './people.ts';
import type { Shops } from './shops.ts';

/** The keys of shops: those that there are, and that they pass between a retailer and a mini-retailer of its own. */
export const keyCases: Pick<Table, 'getKeys' | 'transferKeys' | 'takeBackKeys'> = {
  getKeys: { who: SHOPS, right: () => ({}), wrong: UNKNOWN_FIELD, never: NAMES_NOTHING },
  transferKeys: {
    who: ['retailer'],
    right: async (shops) => ({ body: { to_user_id: await mini(shops), plan_type: PLAN.DPC, keys: 1 } }),
    wrong: {
      input: { rawBody: { to_user_id: newId(), plan_type: PLAN.DPC, keys: 0 } },
      path: 'keys',
    },
    needs: 'active_deactive',
    theirs: ['to_user_id'],
    conflicts: [
      {
        code: 'INSUFFICIENT_KEYS',
        input: async (shops) => ({ body: { to_user_id: await mini(shops), plan_type: PLAN.DPC, keys: 90_000 } }),
      },
      {
        code: 'STATE_CONFLICT',
        input: async (shops) => ({ body: { to_user_id: await suspended(shops), plan_type: PLAN.DPC, keys: 1 } }),
      },
    ],
  },
  takeBackKeys: {
    who: ['retailer'],
    right: async (shops) => ({ body: { from_user_id: await withKey(shops), plan_type: PLAN.DPC, keys: 1 } }),
    wrong: {
      input: { rawBody: { from_user_id: newId(), plan_type: PLAN.DPC, keys: 0 } },
      path: 'keys',
    },
    needs: 'active_deactive',
    theirs: ['from_user_id'],
    conflicts: [
      {
        code: 'INSUFFICIENT_KEYS',
        input: async (shops) => ({ body: { from_user_id: await withKey(shops), plan_type: PLAN.DPC, keys: 2 } }),
      },
    ],
  },
};

/** A mini-retailer with one key, which its retailer passed to it. */
async function withKey(shops: Shops): Promise<string> {
  const to_user_id = await mini(shops);
  const { http, own } = shops;
  await http.call('transferKeys', { token: own.token, body: { to_user_id, plan_type: PLAN.DPC, keys: 1 } });
  return to_user_id;
}
