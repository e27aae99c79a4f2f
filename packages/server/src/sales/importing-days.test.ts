import { beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM } from '#server/identity/identity.ts';
import { checkWhole } from '#server/ledger/ledger.ts';
import { violations } from '#server/locking/invariants.ts';
import { dashboard } from '#server/reports/reports.ts';
import { bookFile, rowOf } from '#test/book-file.ts';
import { imei } from '#test/factories.ts';
import { ORG } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { importAgreements, type ImportReport } from './importing.ts';

/** Of which day the money of a book is. */
const world = useLockWorld();
let row: Record<string, string> = {};
beforeAll(async () => {
  await world.at('2026-07-10T12:30:00');
  row = await rowOf(world);
});
const bring = (text: string): Promise<ImportReport> =>
  world.db.operator.transaction(ORG, (tx) => importAgreements(tx, SYSTEM(ORG), text, { isDry: false }));
const faultsOf = ({ faults }: ImportReport) => faults.map(({ line, column, says }) => `${line} ${column}: ${says}`);
const booksAreRight = async () => {
  expect((await checkWhole(world.db, ORG)).faults).toEqual([]);
  expect(await world.db.read(ORG, violations)).toEqual([]);
};
let phones = 600_000;
const phone = () => imei((phones += 1));

describe('a book that is brought in the morning', () => {
  it('comes in in the morning too, with what was paid today: a book says no hour', async () => {
    await world.at('2026-07-10T09:00:00');
    const text = bookFile({ ...row, row_ref: 'M-1', imei1: phone(), payments: '2026-07-10:500' });
    expect((await bring(text)).faults).toEqual([]);
    await booksAreRight();
    await world.at('2026-07-10T12:30:00');
  });
});

describe('what a book says was paid ahead', () => {
  const paidOn = (row_ref: string) =>
    world.db.asOwner<{ day: string; n: number }>(
      `select p.paid_on::text as day, count(*)::int as n from payments p join historic_agreements h using (org_id, agreement_id)
       where h.row_ref = $1 and p.goes_to = 'dues' group by 1 order by 1`,
      [row_ref],
    );
  const takenToday = async () => (await world.db.read(ORG, (tx) => dashboard(tx, world.shop))).today.collected_paise;

  it('came with the last that was due by yesterday, or at the sale: it is no taking of the day on which the book is brought in', async () => {
    await world.at('2026-08-05T12:30:00');
    const before = await takenToday();
    const book = bookFile(
      // Due today, and in a month.
      { ...row, row_ref: 'T-1', imei1: phone(), paid_emis: '8' },
      { ...row, row_ref: 'T-2', imei1: phone(), paid_emis: '7', advance: '100' },
      { ...row, row_ref: 'T-3', imei1: phone(), paid_emis: '1', delivered_on: '2026-07-20' },
      { ...row, row_ref: 'T-4', imei1: phone(), advance: '100', delivered_on: '2026-07-20' },
      // What the shop says was paid today is told of today.
      { ...row, row_ref: 'T-5', imei1: phone(), payments: '2026-07-05:200;2026-08-05:300', advance: '100' },
    );
    expect(faultsOf(await bring(book))).toEqual([]);
    expect(await paidOn('T-1')).toEqual([
      ...['02', '03', '04', '05', '06'].map((month) => ({ day: `2026-${month}-05`, n: 1 })),
      { day: '2026-07-05', n: 3 },
    ]);
    expect((await paidOn('T-2')).at(-1)).toEqual({ day: '2026-07-05', n: 3 });
    for (const ref of ['T-3', 'T-4']) expect(await paidOn(ref)).toEqual([{ day: '2026-07-20', n: 1 }]);
    expect(await paidOn('T-5')).toEqual([
      { day: '2026-07-05', n: 2 },
      { day: '2026-08-05', n: 1 },
    ]);
    expect((await takenToday()) - before).toBe(300_00);
    await booksAreRight();
  });
});
