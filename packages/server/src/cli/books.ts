import { parseArgs } from 'node:util';
import * as agreements from '#server/agreements/agreements.ts';
import * as ledger from '#server/ledger/ledger.ts';
import { type Command, UsageError, orgOf, write } from './command.ts';
import { withData } from './data.ts';
import { assertOrganisation } from './known-organisation.ts';

const USAGE = 'books ORG';

/** What an accountant asks. */
export const bookCommands: Record<string, Command> = {
  books: {
    usage: USAGE,
    says: 'trial balance and every check of the books, slice by slice; ends with 1 when anything differs',
    async run(args) {
      const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
      const [org, ...more] = positionals;
      if (more.length > 0) throw new UsageError(`kist ${USAGE}`);
      const orgId = orgOf(org);
      return withData(async ({ database }) => {
        await assertOrganisation(database, orgId);
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
      });
    },
  },
};
