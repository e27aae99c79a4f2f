import { DAY_MS } from '@kist/contract/dates';
import { customerList } from '@kist/server/measured';
import type { Bench, Figure } from '#bench/lib/figures.ts';
import { inTwoHouses, shopFigure } from '#bench/lib/two-houses.ts';

const LIST = { page: 1, page_size: 20, status: 'all', sort: 'newest' } as const;

type Query = Parameters<typeof customerList>[2];
/** Every filter of the list alone, and the ones that a shop puts together. */
const FILTERS: Record<string, (shopId: string) => Query> = {
  'status 0': () => ({ ...LIST, status: '0' }),
  'status 1': () => ({ ...LIST, status: '1' }),
  'status 2': () => ({ ...LIST, status: '2' }),
  'status 3': () => ({ ...LIST, status: '3' }),
  'status 4': () => ({ ...LIST, status: '4' }),
  'status 5': () => ({ ...LIST, status: '5' }),
  'status 6': () => ({ ...LIST, status: '6' }),
  locked: () => ({ ...LIST, lock_status: '1' }),
  unlocked: () => ({ ...LIST, lock_status: '0' }),
  'user type': () => ({ ...LIST, user_type: 'retailer' }),
  retailer: (retailer_id) => ({ ...LIST, retailer_id }),
  account: (account_id) => ({ ...LIST, account_id }),
  'plan type': () => ({ ...LIST, app_type: 0 }),
  plan: () => ({ ...LIST, plan_id: 1 }),
  product: () => ({ ...LIST, product_id: 1 }),
  'from and to': () => ({ ...LIST, from: day(-60), to: day(-30) }),
  'a name': () => ({ ...LIST, search: 'asha' }),
  'a name in another script': () => ({ ...LIST, search: 'आशा' }),
  'the end of a number': () => ({ ...LIST, search: '00417' }),
  'a phone in part': () => ({ ...LIST, deviceQuery: 'redmi' }),
  'a serial number': () => ({ ...LIST, serial_number: 'SN-1' }),
  overdue: () => ({ ...LIST, due: 'overdue', sort: 'overdue' }),
  'due this week': () => ({ ...LIST, due: 'week', sort: 'due' }),
  '31 to 60 days overdue': () => ({ ...LIST, dpd: '31_60' }),
  disputed: () => ({ ...LIST, disputed: '1' }),
  'by name': () => ({ ...LIST, sort: 'name' }),
  'locked, overdue, of a plan, since a day': () => ({
    ...LIST,
    status: '1',
    lock_status: '1',
    due: 'overdue',
    plan_id: 1,
    from: day(-90),
    sort: 'due',
  }),
};

const day = (shift: number) => new Date(Date.now() + shift * DAY_MS).toISOString().slice(0, 10) as never;

/** What one shop of a thousand customers waits for its list by each filter, in an organisation of a million customers and in one of ten thousand, in turn. */
export const filters: Bench = {
  name: 'filters',
  run: () =>
    inTwoHouses(async (houses) => {
      const figures: Figure[] = [];
      for (const [name, query] of Object.entries(FILTERS))
        figures.push(
          await shopFigure(
            `filter: ${name}`,
            'one shop’s list',
            (tx, actor) => customerList(tx, actor, query(actor.userId)),
            houses,
          ),
        );
      return figures;
    }),
};
