import type { IsoDate } from '@kist/contract/dates';
import { today } from '#server/platform/clock.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { accrualPage, duePage } from './exports-sql.ts';

/** `accrual`: interest and fees by the day they fall due, paid or not; `dues`: what is unpaid, and whom to ask for it. */
export const EXPORTS = ['accrual', 'dues'] as const;
export type ExportKind = (typeof EXPORTS)[number];

/** Both days included. */
export interface ExportedDays {
  from: IsoDate;
  to: IsoDate;
}

/** Rows of one read: so many are in memory, however long the export is. */
const PAGE_ROWS = 5000;
/** Before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

type Cell = string | number;
type Page = Parameters<typeof accrualPage.all>[1];
type Place = { due_on: IsoDate; agreement_id: string; no: number };

/** Columns by name, each from a row. */
const ACCRUAL: Record<string, (row: Awaited<ReturnType<typeof accrualPage.all>>[number]) => Cell> = {
  due_on: (row) => row.due_on,
  agreement_no: (row) => row.agreement_no,
  instalment_no: (row) => row.no,
  shop: (row) => row.shop,
  interest_inr: (row) => rupees(row.interest_paise),
  fee_inr: (row) => rupees(row.fee_paise),
  interest_paid_inr: (row) => rupees(row.paid_interest_paise),
  fee_paid_inr: (row) => rupees(row.paid_fee_paise),
};
const DUES: Record<string, (row: Awaited<ReturnType<typeof duePage.all>>[number]) => Cell> = {
  due_on: (row) => row.due_on,
  agreement_no: (row) => row.agreement_no,
  instalment_no: (row) => row.no,
  shop: (row) => row.shop,
  first_name: (row) => row.first_name,
  last_name: (row) => row.last_name,
  mobile: (row) => row.mobile,
  left_inr: (row) => rupees(row.left_paise),
  days_past_due: (row) => row.days_past_due,
};

/**
 * An organisation's instalments of a stretch of days as CSV (RFC 4180), part by part: each is a page behind the last row of the one before, read in a snapshot of
 * its own. What is paid meanwhile may stand as it was; no row comes twice and none is left out.
 */
export function exportCsv(
  db: Pick<Database, 'read'>,
  orgId: number,
  kind: ExportKind,
  days: ExportedDays,
  pageRows = PAGE_ROWS,
): AsyncGenerator<string> {
  const inOrg = <T>(work: (tx: Tx) => Promise<T>) => db.read(orgId, work);
  if (kind === 'accrual') return csv(ACCRUAL, days, pageRows, (page) => inOrg((tx) => accrualPage.all(tx, page)));
  return csv(DUES, days, pageRows, (page) => inOrg(async (tx) => duePage.all(tx, { ...page, today: await today(tx) })));
}

async function* csv<Row extends Place>(
  columns: Record<string, (row: Row) => Cell>,
  { from, to }: ExportedDays,
  pageRows: number,
  read: (page: Page) => Promise<Row[]>,
): AsyncGenerator<string> {
  yield line(Object.keys(columns));
  const cells = Object.values(columns);
  let page: Page = { after_on: from, after_id: NO_ID, after_no: 0, last: to, limit: pageRows };
  for (;;) {
    const rows = await read(page);
    if (rows.length > 0) yield rows.map((row) => line(cells.map((cell) => cell(row)))).join('');
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) return;
    page = { ...page, after_on: last.due_on, after_id: last.agreement_id, after_no: last.no };
  }
}

const line = (cells: readonly Cell[]): string => `${cells.map(quoted).join(',')}\r\n`;

/** A name that begins as a formula does would be reckoned by who opens the file in a spreadsheet: an apostrophe makes it text. */
function quoted(cell: Cell): string {
  const plain = String(cell);
  const text = /^(?:[=@\t\r]|[+-](?!\d+$))/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rupees with two places, exact: the paise are written behind the point and nothing is divided. */
function rupees(paise: number): string {
  const digits = String(Math.abs(paise)).padStart(3, '0');
  return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
