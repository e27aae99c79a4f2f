import { parseArgs } from 'node:util';
import { formatInr } from '@kist/contract/money-text';
import { SYSTEM } from '#server/identity/identity.ts';
import { CsvError } from '#server/platform/csv.ts';
import type { ImportReport } from '#server/sales/sales.ts';
import * as sales from '#server/sales/sales.ts';
import { type Command, orgOf, UsageError, write } from './command.ts';
import { withOperator } from './data.ts';
import { assertOrganisation } from './known-organisation.ts';
import { bytesOf } from './named-file.ts';

const OPTIONS = { 'dry-run': { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } as const;

/** A file of UTF-8 as text. @throws UsageError when it is written otherwise: a name would come in as something else, and stay. */
export async function textOf(path: string): Promise<string> {
  const bytes = bytesOf(path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not UTF-8: save it as “CSV UTF-8”`);
  }
}

/** What became of the file, for somebody who reads it. */
export function said({ rows, known, agreements, faults }: ImportReport, isDry: boolean): string {
  const lines = faults.map(({ line, column, says }) => `line ${line}${column && `, ${column}`}: ${says}`);
  if (faults.length > 0) return [...lines, `${faults.length} faults; nothing was written.`].join('\n');
  const left = agreements.reduce((sum, one) => sum + one.outstanding_paise, 0);
  const done = isDry ? 'would come in (dry run, nothing was written)' : 'came in';
  return [
    `${rows} rows: ${agreements.length} agreements ${done}, ${formatInr(left)} still to be paid; ${known} were here already.`,
    'Their phones are not enrolled and there is no consent of ours: they cannot be locked until the shop takes the consent and sets each phone up.',
  ].join('\n');
}

/** @throws UsageError */
function given([what, org, ...rest]: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...rest], options: OPTIONS, allowPositionals: true });
  const [file, ...more] = positionals;
  if (what !== 'agreements' || file === undefined || more.length > 0)
    throw new UsageError('import agreements ORG FILE.csv [--dry-run] [--json]');
  return { orgId: orgOf(org), file, isDry: values['dry-run'], isJson: values.json };
}

/** What a shop had before Kist. */
export const importCommands: Record<string, Command> = {
  import: {
    usage: 'import agreements ORG FILE.csv [--dry-run] [--json]',
    says: 'brings in a book of running EMIs, all rows or none; the columns stand in docs/runbook.md',
    async run(args) {
      const { orgId, file, isDry, isJson } = given(args);
      const text = await textOf(file);
      return withOperator(async (operator, { database }) => {
        await assertOrganisation(database, orgId);
        try {
          const report = await operator.transaction(orgId, (tx) =>
            sales.importAgreements(tx, SYSTEM(orgId), text, { isDry }),
          );
          write(isJson ? JSON.stringify(report, null, 2) : said(report, isDry));
          return report.faults.length === 0;
        } catch (error) {
          if (!(error instanceof CsvError)) throw error;
          throw new UsageError(`line ${error.line}: ${error.message}`);
        }
      });
    },
  },
};
