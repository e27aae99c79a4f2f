import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { ownNotifications, rememberBells } from '#server/notices/notifications.ts';
import type { Ports } from '#server/platform/ports.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock } from '#test/factories.ts';
import { createPages } from './customer-list.ts';
import { upcoming } from './upcoming.ts';

const ORG = 20;
const SIZE = 2;
const MADE = 9;
const db = await createTestDatabase();
/** A process that nobody asked before: it remembers no page. */
const fresh = () => db.with({ reports: createPages(), notices: rememberBells() } as Ports);
let shop: Actor;
let others: Actor[];

beforeAll(async () => {
  await makeOrganisation(db, ORG);
  shop = await makeRetailer(db, ORG);
  others = await Promise.all(Array.from({ length: 70 }, () => makeRetailer(db, ORG)));
  await setClock(db, '2026-02-28T11:00:00');
  for (let n = 0; n < MADE; n += 1) await db.transaction(ORG, (tx) => makeSale(tx, shop));
  await db.asOwner(
    `insert into notifications (org_id, user_id, notification_id, kind, data, created_at)
     select $1, $2, gen_random_uuid(), 'claim', '{}', now() - n % 3 * interval '1 hour' from generate_series(1, $3) n`,
    [ORG, shop.userId, MADE],
  );
});

/** Few shops count by the way, many apart. */
const few = () => shop;
const many = (): Actor => ({ ...shop, visibleOwnerIds: [shop, ...others].map(({ userId }) => userId) });
type Page = { ids: string[]; total: number };
type Serving = ReturnType<typeof fresh>;
const dues =
  (asker: () => Actor) =>
  async (serving: Serving, page: number): Promise<Page> => {
    const { list, total } = await serving.read(ORG, (tx) =>
      upcoming(tx, asker(), { bucket: 'month', page, page_size: SIZE } as Parameters<typeof upcoming>[2]),
    );
    return { ids: list.map(({ agreement_id, instalment_no }) => `${agreement_id} ${instalment_no}`), total };
  };
const bell = async (serving: Serving, page: number, asker = shop): Promise<Page> => {
  const { list, total } = await serving.read(ORG, (tx) => ownNotifications(tx, asker, { page, page_size: SIZE }));
  return { ids: list.map(({ notification_id }) => notification_id), total };
};

test.each([
  ['what is due, of a shop', dues(few)],
  ['what is due, of many shops', dues(many)],
  ['the bell', (serving: Serving, page: number) => bell(serving, page)],
])(
  '%s has each row once over its pages, the same total on each, and a page that was not come to in turn is the same',
  async (_what, read) => {
    const serving = fresh();
    const { total } = await read(serving, 1);
    expect(total).toBeGreaterThanOrEqual(MADE);
    const last = Math.ceil(total / SIZE);
    const pages: Page[] = [];
    for (let page = 1; page <= last; page += 1) pages.push(await read(serving, page));
    expect(pages.map((page) => page.total)).toEqual(pages.map(() => total));
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(total);
    for (const page of [last, 3, 2]) expect(await read(fresh(), page), `page ${page} at once`).toEqual(pages[page - 1]);
    const jumping = fresh();
    for (const page of [3, last, 2, 4]) expect(await read(jumping, page), `then page ${page}`).toEqual(pages[page - 1]);
  },
);

test('a page of the bell behind one that is known reads on from there: what came before it meanwhile moves nothing', async () => {
  const serving = fresh();
  const first = await bell(serving, 1);
  const second = await bell(fresh(), 2);
  await db.asOwner(
    `insert into notifications (org_id, user_id, notification_id, kind, data, created_at)
     select $1, $2, gen_random_uuid(), 'claim', '{}', now() + interval '1 hour' from generate_series(1, 2)`,
    [ORG, shop.userId],
  );
  expect(await bell(serving, 2)).toEqual(second);
  expect((await bell(serving, 1)).ids).not.toEqual(first.ids);
});

test('one process serves the bells of many: nobody is told how many another has, nor begins where another’s page ended', async () => {
  const neighbour = others[0]!;
  await db.asOwner(
    `insert into notifications (org_id, user_id, notification_id, kind, data, created_at)
     select $1, $2, gen_random_uuid(), 'claim', '{}', now() - n * interval '1 day' from generate_series(1, 5) n`,
    [ORG, neighbour.userId],
  );
  const alone = await bell(fresh(), 2, neighbour);
  expect([alone.total, alone.ids.length]).toEqual([5, SIZE]);
  const serving = fresh();
  for (const page of [1, 2, 3]) await bell(serving, page);
  expect(await bell(serving, 2, neighbour)).toEqual(alone);
});
