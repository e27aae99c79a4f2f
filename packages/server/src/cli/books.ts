import * as audit from '#server/audit/audit.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import { type Command, orgOf, write } from './command.ts';
import { withData } from './data.ts';

/** What an accountant or an auditor asks. */
export const bookCommands: Record<string, Command> = {
  books: {
    usage: 'books ORG',
    says: 'trial balance, schedule against ledger, wallet against ledger; ends with 1 when anything differs',
    run: ([org]) =>
      withData(async ({ database }) => {
        const { rows, isBalanced, differences } = await database.read(orgOf(org), (tx) => checkBooks(tx));
        for (const row of rows)
          write(
            `${row.code.padEnd(24)} ${row.unit.padEnd(8)} ${String(row.debit).padStart(16)} ${String(row.credit).padStart(16)}`,
          );
        for (const difference of differences) write(`DIFFERENCE ${difference}`);
        write(isBalanced ? 'The books balance.' : 'The books do NOT balance.');
        return isBalanced;
      }),
  },
  'verify-audit': {
    usage: 'verify-audit ORG KIND ID',
    says: 'recomputes one history (agreement, device, customer, user, organisation) and names the first line that does not fit',
    run: ([org, kind, id]) =>
      withData(async ({ database }) => {
        const answer = await database.read(orgOf(org), (tx) =>
          audit.verify(tx, kind as Parameters<typeof audit.verify>[1], id ?? ''),
        );
        write(answer.ok ? 'Every line fits.' : `Line ${answer.bad_seq} does not fit.`);
        return answer.ok;
      }),
  },
};
