import { NAMES_NOTHING, SHOPS, type Table, UNKNOWN_FIELD } from './case.ts';
import type { Shops } from './shops.ts';

const ADMIN = ['admin'] as const;
const HOLIDAY = '2098-01-26';

/** What an organisation's administrator decides about locking. */
export const governingCases: Pick<
  Table,
  | 'getInvariants'
  | 'getLockPolicy'
  | 'choosePolicy'
  | 'changePolicy'
  | 'previewPolicy'
  | 'getLockRules'
  | 'getComingSteps'
  | 'listHolidays'
  | 'addHolidays'
  | 'removeHolidays'
> = {
  getInvariants: { who: ADMIN, right: () => ({}), wrong: UNKNOWN_FIELD, never: NAMES_NOTHING },
  getLockPolicy: { who: ADMIN, right: () => ({}), wrong: UNKNOWN_FIELD, never: NAMES_NOTHING },
  choosePolicy: {
    who: ADMIN,
    right: () => ({ body: { preset: 'dealer' } }),
    wrong: { input: { rawBody: { preset: 'harsh' } }, path: 'preset' },
  },
  changePolicy: {
    who: ADMIN,
    right: () => ({ body: { change: { minDwellDays: 2 } } }),
    wrong: { input: { rawBody: { change: { minDwellDays: 0 } } }, path: 'change.minDwellDays' },
  },
  previewPolicy: {
    who: ADMIN,
    right: () => ({ body: { preset: 'rbi-2026' } }),
    wrong: { input: { rawBody: { days: 31 } }, path: 'days' },
  },
  getLockRules: { who: SHOPS, needs: 'read', right: () => ({}), wrong: UNKNOWN_FIELD, never: NAMES_NOTHING },
  getComingSteps: {
    who: SHOPS,
    needs: 'read',
    right: () => ({ body: {} }),
    wrong: { input: { rawBody: { days: 31 } }, path: 'days' },
  },
  listHolidays: {
    who: 'signed in',
    right: () => ({}),
    wrong: UNKNOWN_FIELD,
    never: { ...NAMES_NOTHING, '403': 'the same for everybody' },
  },
  addHolidays: {
    who: ADMIN,
    right: () => ({ body: { days: [HOLIDAY] } }),
    wrong: { input: { rawBody: { days: ['2026-13-01'] } }, path: 'days.0' },
  },
  removeHolidays: {
    who: ADMIN,
    right: async (shops) => {
      await added(shops);
      return { body: { days: [HOLIDAY] } };
    },
    wrong: { input: { rawBody: { days: [] } }, path: 'days' },
    conflicts: [{ code: 'NOT_FOUND', input: () => ({ body: { days: ['2098-06-01'] } }) }],
  },
};

const added = ({ http, tokens }: Shops) => http.call('addHolidays', { token: tokens.admin, body: { days: [HOLIDAY] } });
