import { setTimeout } from 'node:timers/promises';
import { createPages, openDatabase } from '@kist/server/measured';
import { socketOf } from './database.ts';
import { holdTo, letGo } from './processor.ts';
import { type Figure, median, quantile, ratioOfTails } from './figures.ts';
import { BOOK, type House, PER_SHOP, inHouse, shopActor } from './house.ts';
import { plantShops } from './plant-shops.ts';

const ORG = 50;
const AT_REST_TRIES = 300;
const SMALL_BOOK = 10_000;
const ROUNDS = 200;
/** Reads in which one side is the first. */
const BLOCK = 10;
/** Each of the ten shops twice. */
const WARM_UP = 20;
/** Of one figure, both sides: what takes longer is told with the rounds it had, and the rest still runs. */
const AT_MOST_MS = 60_000;

type Services = House['services'];
/** One read of a shop, as the services carry it out. */
export type ShopRead = (
  tx: Parameters<Parameters<Services['db']['read']>[1]>[0],
  actor: ReturnType<typeof shopActor>,
) => Promise<unknown>;

export interface TwoHouses {
  large: House;
  small: House;
}

/** Opens an organisation of a thousand shops and one of ten, a thousand agreements each, for as long as `work` takes. */
export const inTwoHouses = (work: (houses: TwoHouses) => Promise<Figure[]>): Promise<Figure[]> =>
  inHouse(async (large) => {
    await plantShops(large.owner, { orgId: ORG, agreements: BOOK, shops: Math.ceil(BOOK / PER_SHOP) });
    return inHouse(async (small) => {
      await plantShops(small.owner, { orgId: ORG, agreements: SMALL_BOOK, shops: SMALL_BOOK / PER_SHOP });
      for (const { owner } of [large, small]) await atRest(owner);
      return work({ large, small });
    });
  });

/** What was planted is on its disk and nothing tidies up behind it: else the house where more was planted is the busier one while the first reads are timed. */
async function atRest(owner: House['owner']): Promise<void> {
  await owner.query('checkpoint');
  const tidying = `select 1 from pg_stat_activity where backend_type = 'autovacuum worker'`;
  for (let tries = 0; tries < AT_REST_TRIES && (await owner.query(tidying)).rowCount; tries += 1)
    await setTimeout(1000);
}

/**
 * What one shop waits for a read in the large house ÷ in the small one: p95, the same reads in turn, by turns the one or the other first.
 * @param what what stands in the large house, in words
 */
export async function shopFigure(name: string, what: string, read: ShopRead, houses: TwoHouses): Promise<Figure> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  const sides = [new Side(houses.large, read), new Side(houses.small, read)] as const;
  for (const side of sides) await side.connect();
  const until = performance.now() + AT_MOST_MS;
  for (let round = -WARM_UP; round < ROUNDS && performance.now() < until; round += 1) {
    const [large, small] = sides;
    const isLargeFirst = Math.floor(round / BLOCK) % 2 === 0;
    const before = isLargeFirst ? await large.timed(round) : undefined;
    const other = await small.timed(round);
    const mine = before ?? (await large.timed(round));
    if (round < 0) continue;
    ours.push(mine);
    theirs.push(other);
  }
  for (const side of sides) await side.close();
  const p95 = (times: readonly number[]) => quantile(times, 0.95).toFixed(1);
  return {
    name,
    of: `p95 of ${what} at ${BOOK.toLocaleString('en')} ÷ at ${SMALL_BOOK.toLocaleString('en')}`,
    unit: '×',
    atMost: 1.3,
    ...ratioOfTails(ours, theirs, 0.95),
    detail: `${p95(ours)} ms ÷ ${p95(theirs)} ms; p50 ${median(ours).toFixed(1)} ÷ ${median(theirs).toFixed(1)} ms`,
  };
}

/**
 * One house, as one of ten shops reads in it, in turn. A connection that happens to come to the reader's own processor answers up to twice as fast as one
 * that does not, as long as it lasts: so the reader has one processor, and what it reads from another, on both sides.
 */
class Side {
  readonly #house: House;
  readonly #read: ShopRead;
  #db: Services['db'] | undefined;

  constructor(house: House, read: ShopRead) {
    this.#house = house;
    this.#read = read;
  }

  async connect(): Promise<void> {
    const db = openDatabase({ connection: socketOf(this.#house.dataDir), onIdleError: () => undefined });
    this.#db = db;
    const { rows } = await db.read(ORG, (tx) => tx.query<{ pid: number }>('select pg_backend_pid() as pid'));
    await holdTo(process.pid, 0);
    await holdTo(rows[0]!.pid, 1);
  }

  /** @returns milliseconds; nothing is remembered between two reads */
  async timed(round: number): Promise<number> {
    const db = this.#db!.with({ reports: createPages() } as Services['db']['ports']);
    const actor = shopActor(ORG, 1 + (Math.abs(round) % 10));
    const startedAt = performance.now();
    await db.read(ORG, (tx) => this.#read(tx, actor));
    return performance.now() - startedAt;
  }

  async close(): Promise<void> {
    await this.#db?.close();
    this.#db = undefined;
    await letGo(process.pid);
  }
}
