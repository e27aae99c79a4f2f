import * as agreements from '#server/agreements/agreements.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { type Command, orgOf, write } from './command.ts';
import { withData } from './data.ts';

/** What an accountant asks. */
export const bookCommands: Record<string, Command> = {
  books: {
    usage: 'books ORG',
    says: 'trial balance and every check of the books, slice by slice; ends with 1 when anything differs',
    run: ([org]) =>
      withData(async ({ database }) => {
        const orgId = orgOf(org);
        const rows = await database.read(orgId, ledger.trialBalanceOf);
        const { faults: ofBooks } = await ledger.checkWhole(database, orgId);
        const faults = [...ofBooks, ...(await agreements.checkTerms(database, orgId, null))];
        for (const row of rows)
          write(
            `${row.code.padEnd(24)} ${row.unit.padEnd(8)} ${String(row.debit).padStart(16)} ${String(row.credit).padStart(16)}`,
          );
        for (const fault of faults) write(`DIFFERENCE ${fault}`);
        write(faults.length === 0 ? 'The books balance.' : 'The books do NOT balance.');
        return faults.length === 0;
      }),
  },
};
