import { createHash } from 'node:crypto';
import type { EmiTerms } from '@kist/contract/emi-terms';
import type { Database, Tx } from '#server/platform/database.ts';
import { schedule } from './rules/schedule.ts';
import * as store from './terms-check-store.ts';

/** Agreements that one statement reads. */
const SLICE = 5000;
/** The reckoning that signs today, as the column `schedule_engine` names it. */
const ENGINE = 1;

type Signed = Awaited<ReturnType<typeof store.signedBehind.all>>[number];

/**
 * Reckons every schedule again from its terms and holds it against the rows as they were signed: an own part of the check of the books, for what no sum shows.
 * Of a schedule that a later version changed, those that were signed: its second version names their terms. Those of older reckonings are left out.
 * @param part of seven, 0 to 6; null: all
 * @returns a sentence for each agreement whose rows are not what its terms make
 */
export async function checkTerms(db: Pick<Database, 'read'>, orgId: number, part: number | null): Promise<string[]> {
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
  const digest = digestOf(reckoned.instalments);
  return digest.equals(rows) ? [] : [`rows of the terms (${agreement_no}): others than the terms make`];
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

/** As the statement makes it: a line for each row. */
const digestOf = (rows: ReturnType<typeof schedule>['instalments']): Buffer =>
  createHash('sha256')
    .update(
      rows
        .map((row) => [row.no, row.due_on, row.principal_paise, row.interest_paise, row.fee_paise].join(' '))
        .join('\n'),
    )
    .digest();
