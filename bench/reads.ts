import { createPages, customerList, dashboard, totalOutstanding, upcoming } from '@kist/server/measured';
import { type Bench, type Figure, median, quantile } from '#bench/lib/figures.ts';
import { BOOK, type House, PER_SHOP, inHouse, shopActor } from '#bench/lib/house.ts';
import { plantShops } from '#bench/lib/plant-shops.ts';

const ORG = 50;
const SMALL_BOOK = 10_000;
const ROUNDS = 200;
const WARM_UP = 20;
const PAGE = { page: 1, page_size: 20 } as const;

type Read = (...given: Parameters<typeof dashboard>) => Promise<unknown>;
const READS: Record<string, Read> = {
  dashboard: (tx, actor) => dashboard(tx, actor),
  'customer list': (tx, actor) => customerList(tx, actor, { ...PAGE, status: 'all', sort: 'newest' }),
  'overdue customers': (tx, actor) =>
    customerList(tx, actor, { ...PAGE, status: 'all', due: 'overdue', sort: 'overdue' }),
  outstanding: (tx, actor) => totalOutstanding(tx, actor),
  upcoming: (tx, actor) => upcoming(tx, actor, { ...PAGE, bucket: 'month' }),
};

/** What one shop of a thousand agreements waits for its screens, in an organisation of a thousand shops and in one of ten: the same reads in turn. */
export const reads: Bench = {
  name: 'reads',
  run: () =>
    inHouse(async (large) => {
      await plantShops(large.owner, { orgId: ORG, agreements: BOOK, shops: Math.ceil(BOOK / PER_SHOP) });
      return inHouse(async (small) => {
        await plantShops(small.owner, { orgId: ORG, agreements: SMALL_BOOK, shops: SMALL_BOOK / PER_SHOP });
        const figures: Figure[] = [];
        for (const [name, read] of Object.entries(READS)) figures.push(await figureOf(name, read, large, small));
        return figures;
      });
    }),
};

async function figureOf(name: string, read: Read, large: House, small: House): Promise<Figure> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  const [inLarge, inSmall] = [timed(large, read), timed(small, read)];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const pair = [await inLarge(round), await inSmall(round)] as const;
    if (round < 0) continue;
    ours.push(pair[0]);
    theirs.push(pair[1]);
  }
  const p95 = (times: readonly number[]) => quantile(times, 0.95);
  const detail = `${p95(ours).toFixed(1)} ms ÷ ${p95(theirs).toFixed(1)} ms; p50 ${median(ours).toFixed(1)} ÷ ${median(theirs).toFixed(1)} ms, ${ROUNDS} reads each`;
  const of = `p95 of one shop at ${BOOK.toLocaleString('en')} agreements ÷ at ${SMALL_BOOK.toLocaleString('en')}`;
  return { name: `${name} of a shop`, of, value: p95(ours) / p95(theirs), unit: '×', atMost: 1.3, detail };
}

/** @returns a function that reads as one of ten shops, in turn, and gives the milliseconds; nothing is remembered between two reads */
function timed({ services }: House, read: Read): (round: number) => Promise<number> {
  return async (round) => {
    const db = services.db.with({ reports: createPages() } as typeof services.db.ports);
    const startedAt = performance.now();
    await db.read(ORG, (tx) => read(tx, shopActor(ORG, 1 + (Math.abs(round) % 10))));
    return performance.now() - startedAt;
  };
}
