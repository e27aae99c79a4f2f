import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { deviceInSchema, identitySchema } from '@kist/contract/customers';
import type { IsoDate } from '@kist/contract/dates';
import { type EmiTerms, emiTermsSchema } from '@kist/contract/emi-terms';
import { dateSchema, mobileSchema } from '@kist/contract/fields';
import { type Paise, paise } from '@kist/contract/money';
import { hundredthsOf } from '@kist/contract/money-text';
import { type CsvRecord, parseCsv } from '#server/platform/csv.ts';
import { type Column, COLUMN_NAMES, COLUMNS, type ImportFault, isColumn, sentence } from './import-columns.ts';

/** A row of a shop's book that says all it must, in the words of the contract. */
export interface BookRow {
  line: number;
  row_ref: string;
  /** SHA-256 (hex) of what the row says, however it is spelled or ordered. */
  row_hash: string;
  shop_mobile: string;
  plan_id: number;
  customer: z.output<typeof identitySchema>;
  device: z.output<typeof deviceInSchema>;
  terms: EmiTerms;
  /** What the book says the terms come to. */
  emi_paise: Paise | null;
  first_due_on: IsoDate | null;
  paid_emis: number;
  payments: readonly { paid_on: IsoDate; amount_paise: Paise }[];
  advance_paise: Paise;
}

/** Every row that can be used, and everything that is wrong with the others. @throws CsvError when the text is no CSV */
export function bookRows(text: string): { rows: BookRow[]; faults: ImportFault[] } {
  const [header, ...records] = parseCsv(text);
  if (!header) return { rows: [], faults: [{ line: 1, column: '', says: 'the file is empty' }] };
  const names = header.fields.map((name) => name.trim().toLowerCase());
  const faults = headerFaults(names, header.line);
  if (faults.length > 0) return { rows: [], faults };
  const rows = records.flatMap((record) => {
    const read = readRecord(record, names);
    faults.push(...read.faults);
    return read.row && read.faults.length === 0 ? [read.row] : [];
  });
  return { rows, faults: [...faults, ...repeated(rows)] };
}

function headerFaults(names: readonly string[], line: number): ImportFault[] {
  // Nothing of it is repeated: it may be a key's file that was named by mistake.
  if (!names.some(isColumn))
    return [{ line, column: '', says: 'no column of a book is named here: is it another file?' }];
  const unknown = names.filter((name) => !isColumn(name)).map((name) => `there is no column “${name}”`);
  const twice = names.filter((name, at) => names.indexOf(name) !== at).map((name) => `the column ${name} stands twice`);
  const missing = COLUMN_NAMES.filter((name) => COLUMNS[name].isNeeded && !names.includes(name));
  return [...unknown, ...twice, ...missing.map((name) => `the column ${name} is missing`)].map((says) => ({
    line,
    column: '',
    says,
  }));
}

/** Two rows with one name or one phone: both are wrong until somebody says which is right. */
function repeated(rows: readonly BookRow[]): ImportFault[] {
  const seen = new Map<string, number>();
  const faults: ImportFault[] = [];
  for (const { line, row_ref, device } of rows)
    for (const [column, value] of [
      ['row_ref', row_ref],
      ['imei1', device.imei1],
      ['imei2', device.imei2],
    ] as const) {
      if (!value) continue;
      const key = `${column === 'row_ref' ? 'row' : 'phone'} ${value}`;
      const before = seen.get(key);
      if (before !== undefined) faults.push({ line, column, says: `is the same as on line ${before}` });
      else seen.set(key, line);
    }
  return faults;
}

/** Reads the cells of one record and notes what is wrong with each. */
class Cells {
  readonly faults: ImportFault[] = [];
  readonly #values: Map<string, string>;
  readonly #line: number;

  constructor({ line, fields }: CsvRecord, names: readonly string[]) {
    this.#line = line;
    this.#values = new Map(names.map((name, at) => [name, (fields[at] ?? '').trim()]));
    if (fields.length !== names.length)
      this.faults.push({
        line,
        column: '',
        says: `has ${fields.length} fields where the first line has ${names.length}`,
      });
  }

  text(column: Column): string {
    return this.#values.get(column) ?? '';
  }

  fault(column: Column, says: string): void {
    if (!this.faults.some((fault) => fault.column === column)) this.faults.push({ line: this.#line, column, says });
  }

  /** Nothing where the cell is empty. */
  optional<T>(column: Column, read: (text: string) => T | undefined, says: string): T | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    const value = read(text);
    if (value === undefined) this.fault(column, says);
    return value;
  }

  parse<S extends z.ZodType>(schema: S, value: unknown, columnOf: (path: string) => Column): z.output<S> | undefined {
    const found = schema.safeParse(value);
    for (const { path, message } of found.error?.issues ?? []) {
      const column = columnOf(String(path.at(-1) ?? ''));
      this.fault(column, this.text(column) === '' ? sentence('field.required') : sentence(message));
    }
    return found.data;
  }
}

/** An amount or a rate; Indian commas are passed over. */
const hundredths = (text: string): number | undefined => hundredthsOf(text.replaceAll(',', ''));
const rupees = (text: string): Paise | undefined => {
  const found = hundredths(text);
  return found === undefined ? undefined : paise(found);
};
const whole = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

function day(text: string): IsoDate | undefined {
  const [, dd, mm, yyyy] = /^(\d{2})[-/](\d{2})[-/](\d{4})$/.exec(text) ?? [];
  return dateSchema.safeParse(dd === undefined ? text : `${yyyy}-${mm}-${dd}`).data;
}

function bookedPayments(text: string): { paid_on: IsoDate; amount_paise: Paise }[] | undefined {
  const found = text.split(';').map((one) => {
    const [on = '', amount = '', ...more] = one.split(':').map((part) => part.trim());
    const [paid_on, amount_paise] = [day(on), rupees(amount)];
    return more.length === 0 && paid_on && amount_paise ? { paid_on, amount_paise } : undefined;
  });
  return found.every((one) => one !== undefined) ? found : undefined;
}

const RUPEES = 'is no amount in rupees';
const DAY = sentence('field.date');

function readRecord(record: CsvRecord, names: readonly string[]): { row?: BookRow; faults: ImportFault[] } {
  const cells = new Cells(record, names);
  const row_ref = cells.text('row_ref');
  if (row_ref === '') cells.fault('row_ref', sentence('field.required'));
  if (row_ref.length > 80) cells.fault('row_ref', sentence('field.too_long'));
  const shop_mobile = cells.parse(mobileSchema, cells.text('shop_mobile'), () => 'shop_mobile');
  const plan_id = cells.optional('plan_id', whole, 'is no number of a plan');
  if (cells.text('plan_id') === '') cells.fault('plan_id', sentence('field.required'));
  const customer = customerOf(cells);
  const device = deviceOf(cells);
  const terms = termsOf(cells);
  const paid = paidOf(cells);
  const says = {
    emi_paise: cells.optional('emi', rupees, RUPEES) ?? null,
    first_due_on: cells.optional('first_due_on', day, DAY) ?? null,
  };
  const { faults } = cells;
  if (faults.length > 0 || !shop_mobile || plan_id === undefined || !customer || !device || !terms) return { faults };
  const said = { row_ref, shop_mobile, plan_id, customer, device, terms, ...says, ...paid };
  const row_hash = createHash('sha256').update(JSON.stringify(said)).digest('hex');
  return { row: { line: record.line, row_hash, ...said }, faults };
}

/** A column that was left empty is a field that was not sent. */
const given = (cells: Cells, columns: readonly Column[]): Record<string, string> =>
  Object.fromEntries(columns.map((name) => [name, cells.text(name)]).filter(([, text]) => text !== ''));

const asColumn = (name: string): Column => (isColumn(name) ? name : 'row_ref');

const customerOf = (cells: Cells) =>
  cells.parse(
    identitySchema,
    {
      ...given(cells, ['first_name', 'last_name', 'mobile', 'alternate_mobile', 'language', 'aadhaar_last4']),
      address: given(cells, ['line1', 'city', 'state', 'pincode']),
    },
    asColumn,
  );

const deviceOf = (cells: Cells) =>
  cells.parse(deviceInSchema, given(cells, ['imei1', 'imei2', 'serial', 'brand', 'model']), asColumn);

function termsOf(cells: Cells): EmiTerms | undefined {
  const before = cells.faults.length;
  const terms = {
    method: cells.text('method').toUpperCase(),
    cash_price: cells.optional('cash_price', rupees, RUPEES),
    down_payment: cells.optional('down_payment', rupees, RUPEES) ?? 0,
    fee: cells.optional('fee', rupees, RUPEES) ?? 0,
    rate_bps: cells.optional('rate', hundredths, sentence('field.rate')) ?? 0,
    tenure: cells.optional('tenure', whole, sentence('field.tenure')),
    frequency: cells.text('frequency').toUpperCase() || 'MONTHLY',
    delivered_on: cells.optional('delivered_on', day, DAY),
    anchor_day: cells.optional('anchor_day', whole, sentence('field.anchor_day')),
    rounding: cells.text('rounding').toUpperCase() || 'RUPEE',
  };
  const found = cells.parse(emiTermsSchema, terms, (name) => (name === 'rate_bps' ? 'rate' : asColumn(name)));
  return cells.faults.length > before ? undefined : found;
}

function paidOf(cells: Cells): Pick<BookRow, 'paid_emis' | 'payments' | 'advance_paise'> {
  const paid_emis = cells.optional('paid_emis', whole, 'is no number of EMIs') ?? 0;
  const payments = cells.optional('payments', bookedPayments, 'is not DAY:RUPEES, several with ; between them') ?? [];
  if (paid_emis > 0 && payments.length > 0) cells.fault('payments', 'stands beside paid_emis: only one of them may');
  return { paid_emis, payments, advance_paise: cells.optional('advance', rupees, RUPEES) ?? paise(0) };
}
