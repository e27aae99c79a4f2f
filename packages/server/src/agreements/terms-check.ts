import { createHash } from 'node:crypto';
import type { EmiTerms } from '@kist/contract/emi-terms';
import type { Database, Tx } from '#server/platform/database.ts';
import { lessCounted } from './rules/counted.ts';
import { laidFrom } from './rules/revision.ts';
import { schedule, type ScheduleRow } from './rules/schedule.ts';
import * as store from './terms-check-store.ts';

/** Agreements that one statement reads. */
const SLICE = 5000;
/** The reckoning that signs today, as the column `schedule_engine` names it. */
const ENGINE = 1;

type Revised = Awaited<ReturnType<typeof store.revisedBehind.all>>[number];
type Signed = Awaited<ReturnType<typeof store.signedBehind.all>>[number];

/**
 * Reckons every schedule again from its terms and holds it against the rows as they were signed: an own part of the check of the books, for what no sum shows.
 * Of a schedule that a later version changed, those that were signed (its second version names their terms) and those of each version, by what it says it laid
 * out. Those that were signed by older reckonings are left out.
 * @param part of seven, 0 to 6; null: all
 * @returns a sentence for each agreement whose rows are not what its terms make
 */
export async function checkTerms(db: Pick<Database, 'read'>, orgId: number, part: number | null): Promise<string[]> {
  return [...(await checkSigned(db, orgId, part)), ...(await checkRevised(db, orgId, part))];
}

async function checkRevised(db: Pick<Database, 'read'>, orgId: number, part: number | null): Promise<string[]> {
  const faults: string[] = [];
  for (let last: Revised | undefined; ;) {
    const behind = { after: last?.agreement_id ?? null, after_version: last?.version ?? 0 };
    const slice: Revised[] = await db.read(orgId, (tx: Tx) =>
      store.revisedBehind.all(tx, { ...behind, limit: SLICE, part }),
    );
    faults.push(...slice.flatMap(faultOfVersion));
    if (slice.length < SLICE) return faults;
    last = slice.at(-1);
  }
}

/** Rows behind the days that any terms reach are not looked for. */
const AT_THE_LATEST = '2200-01-01';

function faultOfVersion(version: Revised): string[] {
  const { agreement_no, first_on, frequency, delivered_on, anchor_day, rows, ...of } = version;
  const name = `(${agreement_no} version ${of.version})`;
  if (first_on === null || first_on > AT_THE_LATEST) return [`rows of the terms ${name}: none that they could make`];
  const laidOut = { ...of, rhythm: { frequency, delivered_on, anchor_day }, first: first_on };
  const counted = { principal_paise: of.counted_principal_paise, interest_paise: of.counted_interest_paise };
  const made = lessCounted(laidFrom(laidOut, counted.principal_paise), counted);
  if (made.apr_bps !== of.apr_bps) return [`APR ${name}: ${of.apr_bps}, should be ${made.apr_bps}`];
  if (made.emi_paise !== of.emi_paise || made.total_interest_paise !== of.interest_paise)
    return [`EMI and interest of the terms ${name}: others than the terms make`];
  const isSo = digest(made.instalments.map(lineOf)).equals(rows);
  return isSo ? [] : [`rows of the terms ${name}: others than the terms make`];
}

async function checkSigned(db: Pick<Database, 'read'>, orgId: number, part: number | null): Promise<string[]> {
  const faults: string[] = [];
  for (let after: string | null = null; ;) {
    const behind: string | null = after;
    const slice: Signed[] = await db.read(orgId, (tx: Tx) =>
      store.signedBehind.all(tx, { after: behind, limit: SLICE, part, engine: ENGINE }),
    );
    faults.push(...slice.flatMap(faultOf));
    if (slice.length < SLICE) return faults;
    after = slice.at(-1)!.agreement_id;
  }
}

function faultOf(signed: Signed): string[] {
  const { agreement_no, apr_bps, rows } = signed;
  const reckoned = schedule(termsOf(signed));
  if (reckoned.apr_bps !== apr_bps) return [`APR (${agreement_no}): ${apr_bps}, should be ${reckoned.apr_bps}`];
  for (const [what, said] of Object.entries(sumsOf(signed)))
    if (said !== sumsOf({ ...reckoned, last_due_on: reckoned.instalments.at(-1)!.due_on })[what as keyof Sums])
      return [`${what} of the terms (${agreement_no}): ${said}, another than the terms make`];
  const isSo = digest(reckoned.instalments.map((row) => `${row.no} ${lineOf(row)}`)).equals(rows);
  return isSo ? [] : [`rows of the terms (${agreement_no}): others than the terms make`];
}

type Sums = Pick<Signed, 'emi_paise' | 'total_interest_paise' | 'total_payable_paise' | 'last_due_on'>;
const sumsOf = ({ emi_paise, total_interest_paise, total_payable_paise, last_due_on }: Sums): Sums => ({
  emi_paise,
  total_interest_paise,
  total_payable_paise,
  last_due_on,
});

const termsOf = ({ cash_price_paise, down_payment_paise, fee_paise, anchor_day, ...terms }: Signed): EmiTerms => ({
  method: terms.method,
  rate_bps: terms.rate_bps,
  tenure: terms.tenure,
  frequency: terms.frequency,
  rounding: terms.rounding,
  delivered_on: terms.delivered_on,
  cash_price: cash_price_paise,
  down_payment: down_payment_paise,
  fee: fee_paise,
  ...(anchor_day !== null && { anchor_day }),
});

const lineOf = ({ due_on, principal_paise, interest_paise, fee_paise }: ScheduleRow): string =>
  [due_on, principal_paise, interest_paise, fee_paise].join(' ');

/** As the statements make it: a line for each row. */
const digest = (lines: readonly string[]): Buffer => createHash('sha256').update(lines.join('\n')).digest();
