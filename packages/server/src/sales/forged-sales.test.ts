import { afterEach, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation, makeRetailer, makeSale, setClock, terms } from '#test/factories.ts';

/** What somebody could write of sales who has the server's own account: whole ones, whose moments are not theirs. */
const ORG = 20;
const db = await createTestDatabase();
await makeOrganisation(db, ORG);
await setClock(db, '2026-04-10T11:00:00');
const shop = await makeRetailer(db, ORG);
const sale = (given = {}) =>
  db.transaction(ORG, (tx) => makeSale(tx, shop, { terms: terms({ delivered_on: '2026-04-10', ...given }) }));

/** Each sale is written as the service writes it, but for this. */
const writtenWith = (set: string) =>
  db.asOwner(
    `create function forge() returns trigger language plpgsql as $$ begin ${set}; return new; end $$;
     create trigger a_forger before insert on agreements for each row execute function forge();
     alter table agreements enable always trigger a_forger`,
  );
afterEach(() => db.asOwner('drop function if exists forge() cascade'));

test('a sale of today stands', async () => {
  expect(await sale()).toMatchObject({ agreement: { delivered_on: '2026-04-10' } });
});

test.each([
  ['last year', `new.created_at := kist_now() - interval '1 year'`],
  ['tomorrow', `new.created_at := kist_now() + interval '1 day'`],
])('none is told as signed %s', async (_when, set) => {
  await writtenWith(set);
  await expect(sale()).rejects.toThrow('insert of agreements is refused: a sale is signed when it is written');
});

test('none is of a phone that is delivered tomorrow', async () => {
  await expect(sale({ delivered_on: '2026-04-11' })).rejects.toThrow(
    'insert of agreements is refused: nothing is delivered tomorrow',
  );
});
