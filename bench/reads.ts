import { customerList, dashboard, totalOutstanding, upcoming } from '@kist/server/measured';
import type { Bench, Figure } from '#bench/lib/figures.ts';
import { type ShopRead, inTwoHouses, shopFigure } from '#bench/lib/two-houses.ts';

const PAGE = { page: 1, page_size: 20 } as const;

const READS: Record<string, ShopRead> = {
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
    inTwoHouses(async (houses) => {
      const figures: Figure[] = [];
      for (const [name, read] of Object.entries(READS))
        figures.push(await shopFigure(`${name} of a shop`, 'one shop', read, houses));
      return figures;
    }),
};
