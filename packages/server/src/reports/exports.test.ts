import { expect, test } from 'vitest';
import { isoDate } from '@kist/contract/dates';
import type { Tx } from '#server/platform/database.ts';
import { createTestDatabase } from '#test/database.ts';
import { type Cost, explained } from '#test/explained.ts';
import { makeOrganisation, setClock, terms } from '#test/factories.ts';
import { type PlantedHouse, plantHouse } from '#test/planted-house.ts';
import { saleWorld } from '#test/sale-world.ts';
import { type ExportKind, exportCsv } from './exports.ts';

const HOUSE: PlantedHouse = { orgId: 20, shops: 30, perShop: 100, today: '2026-05-10' };
const DAYS = { from: isoDate('2026-04-10'), to: isoDate('2026-05-20') };
const PAGE = 100;
const db = await createTestDatabase();
await makeOrganisation(db, HOUSE.orgId);
await setClock(db, `${HOUSE.today}T12:00:00`);
await plantHouse(db, HOUSE);

async function exported(kind: ExportKind, days = DAYS) {
  const costs: Cost[] = [];
  const read = <T>(orgId: number, work: (tx: Tx) => Promise<T>) =>
    db.read(orgId, async (plain) => {
      const look = explained(plain);
      try {
        return await work(look.tx);
      } finally {
        costs.push(...look.costs.filter(({ text }) => text.includes('limit')));
      }
    });
  const parts: string[] = [];
  for await (const part of exportCsv({ read }, HOUSE.orgId, kind, days, PAGE)) parts.push(part);
  const lines = parts.join('').split('\r\n');
  expect(lines.pop()).toBe('');
  return { parts, head: lines[0], rows: lines.slice(1), costs };
}

const WANTED: Record<ExportKind, string> = {
  accrual: `select i.due_on || ',' || a.agreement_no || ',' || i.no || ',Sunita,0.00,0.00,0.00,0.00' as line
    from instalments i join agreements a using (org_id, agreement_id) where i.due_on between $1 and $2 order by i.due_on, i.agreement_id, i.no`,
  dues: `select i.due_on || ',' || a.agreement_no || ',' || i.no || ',Sunita,Irfan,Shaikh,' || c.mobile || ',2000.00,' || greatest(0, date '${HOUSE.today}' - i.due_on) as line
    from instalments i join agreements a using (org_id, agreement_id) join customers c using (org_id, customer_id)
    where i.due_on between $1 and $2 and i.paid_on is null order by i.due_on, i.agreement_id, i.no`,
};

test.each(['accrual', 'dues'] as const)(
  '%s: every instalment of the days, once, in order, a page at a time',
  async (kind) => {
    const { parts, rows, costs } = await exported(kind);
    const wanted = await db.asOwner<{ line: string }>(WANTED[kind], [DAYS.from, DAYS.to]);
    expect(rows.length).toBeGreaterThan(5 * PAGE);
    expect(rows).toEqual(wanted.map(({ line }) => line));
    for (const part of parts) expect(part.split('\r\n').length - 1).toBeLessThanOrEqual(PAGE);
    // The last page costs what the first does: its rows, each with its agreement, shop and customer, and no row of a page before.
    for (const { rowsRead, wholeTables } of costs) {
      expect(wholeTables.filter((table) => table !== 'users')).toEqual([]);
      expect(rowsRead).toBeLessThanOrEqual(10 * PAGE);
    }
  },
);

test('names stay what they are, whatever stands in them, and no spreadsheet reckons with them', async () => {
  const names = ['O"Neil, Asha', '=1+1', '@sum', '-2', '+cmd', 'Line\nbreak'];
  const rows = await db.asOwner<{ id: string }>(
    'select customer_id as id from customers order by customer_id limit $1',
    [names.length],
  );
  for (const [index, { id }] of rows.entries())
    await db.asOwner('update customers set first_name = $2 where customer_id = $1', [id, names[index]]);
  const { parts } = await exported('dues', { from: isoDate('2020-01-01'), to: isoDate('2030-01-01') });
  const text = parts.join('');
  for (const cell of ['"O""Neil, Asha"', `'=1+1`, `'@sum`, '-2', `'+cmd`, '"Line\nbreak"'])
    expect(text).toContain(`,${cell},Shaikh,`);
});

test('accrual: of schedules that were changed, what stands: as the ledger has it, and each instalment once', async () => {
  const world = await saleWorld(21);
  await setClock(world.db, '2026-04-10T11:00:00');
  world.sale = await world.sold({ terms: terms({ fee: 600_00 }) });
  // Of what is not due yet a part is paid before its terms change: that stands, the others are put aside whole.
  await world.pay(6_500_00, '2026-04-05');
  await world.change();
  await world.change({ tenure: 4 });
  const parts: string[] = [];
  const days = { from: isoDate('2020-01-01'), to: isoDate('2030-01-01') };
  for await (const part of exportCsv(world.db, 21, 'accrual', days)) parts.push(part);
  const rows = parts.join('').trim().split('\r\n').slice(1);
  const cells = rows.map((row) => row.split(','));
  const sum = (column: number) => cells.reduce((all, row) => all + Math.round(Number(row[column]) * 100), 0);
  const ledger = await world.db.asOwner<{ interest: number; fee: number; paid: number }>(
    `select coalesce(sum(l.credit - l.debit) filter (where c.code in ('unearned_interest', 'income_interest')), 0)::int as interest,
       coalesce(sum(l.credit - l.debit) filter (where c.code in ('unearned_fee', 'income_fee')), 0)::int as fee,
       coalesce(sum(l.credit - l.debit) filter (where c.code = 'income_interest'), 0)::int as paid
     from journal_lines l join accounts c using (org_id, account_id)`,
  );
  expect(ledger).toEqual([{ interest: sum(4), fee: sum(5), paid: sum(6) }]);
  expect(sum(5)).toBe(600_00);
  const { instalments } = await world.opened();
  const ofThis = cells.filter(([, agreementNo]) => agreementNo === world.sale.agreement.agreement_no);
  expect(ofThis.map(([dueOn, , no]) => `${dueOn} ${no}`).toSorted()).toEqual(
    instalments.map(({ due_on, no }) => `${due_on} ${no}`).toSorted(),
  );
});
