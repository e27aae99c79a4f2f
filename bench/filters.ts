import { DAY_MS } from '@kist/contract/dates';
import { createPages, customerList } from '@kist/server/measured';
import { type Bench, type Figure, median, quantile } from '#bench/lib/figures.ts';
import { BOOK, type House, PER_SHOP, inHouse, shopActor } from '#bench/lib/house.ts';
import { plantShops } from '#bench/lib/plant-shops.ts';

const ORG = 50;
const SMALL_BOOK = 10_000;
const ROUNDS = 200;
/** Each shop twice. */
const WARM_UP = 20;
/** Of one filter, both sides: who takes longer is told so, and the rest still runs. */
const AT_MOST_MS = 60_000;
const LIST = { page: 1, page_size: 20, status: 'all', sort: 'newest' } as const;

type Query = Parameters<typeof customerList>[2];
/** Every filter of the list alone, and the ones that a shop puts together. */
const FILTERS: Record<string, (shopId: string) => Query> = {
  'status 0': () => ({ ...LIST, status: '0' }),
  'status 1': () => ({ ...LIST, status: '1' }),
  'status 5': () => ({ ...LIST, status: '5' }),
  'status 6': () => ({ ...LIST, status: '6' }),
  locked: () => ({ ...LIST, lock_status: '1' }),
  unlocked: () => ({ ...LIST, lock_status: '0' }),
  'user type': () => ({ ...LIST, user_type: 'retailer' }),
  retailer: (retailer_id) => ({ ...LIST, retailer_id }),
  account: (account_id) => ({ ...LIST, account_id }),
  'plan type': () => ({ ...LIST, app_type: 0 }),
  plan: () => ({ ...LIST, plan_id: 1 }),
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
    inHouse(async (large) => {
      await plantShops(large.owner, { orgId: ORG, agreements: BOOK, shops: Math.ceil(BOOK / PER_SHOP) });
      return inHouse(async (small) => {
        await plantShops(small.owner, { orgId: ORG, agreements: SMALL_BOOK, shops: SMALL_BOOK / PER_SHOP });
        const figures: Figure[] = [];
        for (const [name, query] of Object.entries(FILTERS)) figures.push(await figureOf(name, query, large, small));
        return figures;
      });
    }),
};

async function figureOf(name: string, query: (shopId: string) => Query, large: House, small: House): Promise<Figure> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  const [inLarge, inSmall] = [timed(large, query), timed(small, query)];
  const until = performance.now() + AT_MOST_MS;
  for (let round = -WARM_UP; round < ROUNDS && performance.now() < until; round += 1) {
    const pair = [await inLarge(round), await inSmall(round)] as const;
    if (round < 0) continue;
    ours.push(pair[0]);
    theirs.push(pair[1]);
  }
  const p95 = (times: readonly number[]) => quantile(times, 0.95);
  const detail = `${p95(ours).toFixed(1)} ms ÷ ${p95(theirs).toFixed(1)} ms; p50 ${median(ours).toFixed(1)} ÷ ${median(theirs).toFixed(1)} ms, ${ours.length} lists each`;
  const of = `p95 of one shop's list at ${BOOK.toLocaleString('en')} customers ÷ at ${SMALL_BOOK.toLocaleString('en')}`;
  return { name: `filter: ${name}`, of, value: p95(ours) / p95(theirs), unit: '×', atMost: 1.3, detail };
}

/** @returns a function that lists as one of ten shops, in turn, and gives the milliseconds; nothing is remembered between two lists */
function timed({ services }: House, query: (shopId: string) => Query): (round: number) => Promise<number> {
  return async (round) => {
    const db = services.db.with({ reports: createPages() } as typeof services.db.ports);
    const actor = shopActor(ORG, 1 + (Math.abs(round) % 10));
    const startedAt = performance.now();
    await db.read(ORG, (tx) => customerList(tx, actor, query(actor.userId)));
    return performance.now() - startedAt;
  };
}
