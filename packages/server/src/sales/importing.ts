import { type IsoDate, formatDate } from '@kist/contract/dates';
import { formatInr } from '@kist/contract/money-text';
import { type Paise, paise, sum } from '@kist/contract/money';
import * as agreements from '#server/agreements/agreements.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import * as customers from '#server/customers/customers.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import * as payments from '#server/payments/payments.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Column, ImportFault } from './import-columns.ts';
import { type BookRow, bookRows } from './import-rows.ts';

/** How many customers and phones go into one statement. */
const SLICE = 500;

/** A running agreement as it came in, or would. */
export interface ImportedAgreement {
  line: number;
  row_ref: string;
  /** Null in a dry run. */
  agreement_no: string | null;
  emi_paise: number;
  first_due_on: IsoDate;
  paid_count: number;
  outstanding_paise: number;
  overdue_paise: number;
}

/** What became of a file: all of it came in or nothing did. */
export interface ImportReport {
  /** Rows with something to read. */
  rows: number;
  /** Brought in before, word for word: passed over. */
  known: number;
  agreements: ImportedAgreement[];
  faults: ImportFault[];
}

/** A row with everything it needs of the database and of the engine. */
interface Ready {
  row: BookRow;
  shop_id: string;
  plan_type: number;
  provisioning_type: number;
  account: agreements.HistoricAgreement['account'];
  payments: readonly payments.LaidOut[];
}

/**
 * Brings in a shop's book of running EMIs: customers, phones (registered, not enrolled: no key is spent), agreements marked historic, and what was paid of them
 * before Kist. All rows or none. There is no consent of ours, so the lock gate refuses these agreements until the shop takes one.
 * @param options `isDry`: everything is read and checked, nothing is written
 * @throws CsvError when the text is no CSV
 */
export async function importAgreements(
  tx: Tx,
  actor: Actor,
  text: string,
  { isDry }: { isDry: boolean },
): Promise<ImportReport> {
  const { rows, faults } = bookRows(text);
  const known = await agreements.knownHistoric(
    tx,
    rows.map(({ row_ref }) => row_ref),
  );
  const fresh = rows.filter(({ row_ref }) => !known.has(row_ref));
  for (const { line, row_ref, row_hash } of rows)
    if (known.has(row_ref) && known.get(row_ref) !== row_hash)
      faults.push({ line, column: 'row_ref', says: 'came in before and said something else then; what came in stays' });
  const on = await today(tx);
  const ready = await check(tx, { rows: fresh, faults, on });
  const report = {
    rows: rows.length,
    known: rows.length - fresh.length,
    agreements: ready.map((one) => imported(one, on)),
    faults: faults.toSorted((left, right) => left.line - right.line),
  };
  if (faults.length > 0) return { ...report, agreements: [] };
  return isDry ? report : { ...report, agreements: await write(tx, actor, { ready, on, told: report.agreements }) };
}

const numbersOf = ({ device: { imei1, imei2 } }: BookRow): string[] => [imei1, ...(imei2 ? [imei2] : [])];

/** Asks the database about all rows at once, and the engine about each. @returns those with nothing wrong; what is wrong goes to `faults` */
async function check(
  tx: Tx,
  { rows, faults, on }: { rows: readonly BookRow[]; faults: ImportFault[]; on: IsoDate },
): Promise<Ready[]> {
  const shops = await identity.shopsByMobile(tx, [...new Set(rows.map((row) => row.shop_mobile))]);
  const plans = new Map((await catalogue.plansOnOffer(tx)).map((plan) => [plan.plan_id, plan]));
  const inUse = await devices.numbersInUse(tx, rows.flatMap(numbersOf));
  return rows.flatMap((row): Ready[] => {
    const before = faults.length;
    const fault = (column: Column, says: string) => faults.push({ line: row.line, column, says });
    const shop_id = shops.get(row.shop_mobile);
    if (!shop_id) fault('shop_mobile', 'is no active shop of this organisation');
    const plan = plans.get(row.plan_id);
    const provisioning_type = plan && catalogue.isEmiPlan(plan.plan_type) ? catalogue.provisioningOf(plan) : null;
    if (provisioning_type === null) fault('plan_id', 'is no plan for phones on EMI that is on sale here');
    for (const [column, number] of [
      ['imei1', row.device.imei1],
      ['imei2', row.device.imei2],
    ] as const)
      if (number && inUse.has(number)) fault(column, 'is a phone that is in use here');
    const laid = layOut(row, on, fault);
    if (faults.length > before || !shop_id || !plan || provisioning_type === null || !laid) return [];
    return [{ row, shop_id, plan_type: plan.plan_type, provisioning_type, ...laid }];
  });
}

/** The schedule of a row with what the book says was paid of it. */
function layOut(row: BookRow, on: IsoDate, fault: (column: Column, says: string) => void) {
  const { terms } = row;
  if (terms.delivered_on > on) fault('delivered_on', 'is after today');
  const account = agreements.unpaidAccount(terms);
  const first = account.instalments[0]!;
  const emi = sum([first.principal_paise, first.interest_paise]);
  if (row.emi_paise !== null && row.emi_paise !== emi)
    fault('emi', `is not what these terms come to: ${formatInr(emi)}`);
  if (row.first_due_on !== null && row.first_due_on !== first.due_on)
    fault('first_due_on', `is not what these terms come to: ${formatDate(first.due_on)}`);
  if (row.paid_emis >= terms.tenure) fault('paid_emis', 'leaves nothing to pay: only running agreements come in');
  const booked = bookedOf(row, account, on);
  if (booked.some(({ paid_on }) => paid_on < terms.delivered_on || paid_on > on))
    fault('payments', 'has a day before the delivery or after today');
  const laid = payments.layOut(account, booked);
  const left = agreements.dues(laid.account, on).outstanding_paise;
  if (left === 0 || laid.advance_paise > 0)
    fault(row.advance_paise > 0 ? 'advance' : 'payments', 'leaves nothing to pay: only running agreements come in');
  return laid;
}

/**
 * What the book says came in: paid EMIs on their days, payments on theirs, what was paid ahead with the last of them that had come by yesterday, or at the sale.
 * It came before the book was brought in, so it is no taking of today.
 */
function bookedOf(row: BookRow, { instalments }: Ready['account'], on: IsoDate): payments.BookedPayment[] {
  const { delivered_on } = row.terms;
  const lastOf = (days: readonly IsoDate[]) =>
    days.filter((day) => day < on).reduce((last, day) => (day > last ? day : last), delivered_on);
  const paid = instalments.slice(0, row.paid_emis);
  const ahead = lastOf(paid.map(({ due_on }) => due_on));
  const emis = paid.map((instalment) => ({
    paid_on: instalment.due_on < on ? instalment.due_on : ahead,
    amount_paise: agreements.instalmentTotal(instalment),
  }));
  const booked = [...row.payments, ...emis];
  if (row.advance_paise === 0) return booked;
  return [...booked, { paid_on: lastOf(booked.map(({ paid_on }) => paid_on)), amount_paise: row.advance_paise }];
}

function imported({ row, account }: Ready, on: IsoDate): ImportedAgreement {
  const [first] = account.instalments;
  const state = agreements.dues(account, on);
  return {
    line: row.line,
    row_ref: row.row_ref,
    agreement_no: null,
    emi_paise: paise(first!.principal_paise + first!.interest_paise) satisfies Paise,
    first_due_on: first!.due_on,
    paid_count: state.paid_count,
    outstanding_paise: state.outstanding_paise,
    overdue_paise: state.overdue_paise,
  };
}

/** Everything of all rows, some hundreds in a statement. */
async function write(
  tx: Tx,
  actor: Actor,
  { ready, on, told }: { ready: readonly Ready[]; on: IsoDate; told: readonly ImportedAgreement[] },
): Promise<ImportedAgreement[]> {
  if (ready.length === 0) return [];
  const numbers = await agreements.historicNumbers(tx, actor, ready.length);
  const made = ready.map((one, index) => ({
    ...one,
    customer_id: newId(),
    device_id: newId(),
    agreement_id: newId(),
    agreement_no: numbers[index]!,
  }));
  await writeAll(tx, actor, made, on);
  return told.map((one, index) => ({ ...one, agreement_no: numbers[index]! }));
}

type Made = Ready & { customer_id: string; device_id: string; agreement_id: string; agreement_no: string };

async function writeAll(tx: Tx, actor: Actor, made: readonly Made[], on: IsoDate): Promise<void> {
  const policy = await locking.policyFor(tx);
  for (let from = 0; from < made.length; from += SLICE) {
    const some = made.slice(from, from + SLICE);
    await customers.enter(tx, actor, some.map(customerRow));
    await devices.createMany(tx, actor, some.map(phoneRow));
  }
  const opened = made.map(
    ({ row, shop_id, plan_type, account, customer_id, device_id, agreement_id, agreement_no }) => ({
      agreement_id,
      agreement_no,
      customer_id,
      device_id,
      owner_user_id: shop_id,
      plan_type,
      terms: row.terms,
      account,
      row_ref: row.row_ref,
      row_hash: row.row_hash,
    }),
  );
  await agreements.openHistoric(tx, actor, { agreements: opened, policy, on });
  await payments.recordHistoric(
    tx,
    actor,
    made.map(({ row, agreement_id, agreement_no, customer_id, shop_id, payments: paid }) => ({
      agreement_id,
      agreement_no,
      customer_id,
      taken_by: shop_id,
      down_payment: { paid_on: row.terms.delivered_on, amount_paise: row.terms.down_payment },
      payments: paid,
    })),
  );
  await agreements.fillHistoric(tx, opened);
}

function customerRow({ row, customer_id, agreement_no, shop_id, plan_type }: Made): customers.BookedCustomer {
  const { customer, device } = row;
  return {
    ...customers.identityFields(customer),
    customer_id,
    owner_user_id: shop_id,
    plan_type,
    plan_id: row.plan_id,
    search: customers.searchText({ person: customer, phone: device, agreementNo: agreement_no, rowRef: row.row_ref }),
  };
}

function phoneRow({ row, customer_id, device_id, provisioning_type }: Made): devices.NewPhone {
  const { imei1, imei2 = null, serial, brand, model } = row.device;
  return { device_id, customer_id, provisioning_type, imei1, imei2, serial: serial || null, brand, model };
}
