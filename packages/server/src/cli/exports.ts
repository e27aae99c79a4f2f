import { parseArgs } from 'node:util';
import { dateSchema } from '@kist/contract/fields';
import { EXPORTS } from '#server/reports/reports.ts';
import * as reports from '#server/reports/reports.ts';
import { type Command, UsageError, orgOf } from './command.ts';
import { withData } from './data.ts';
import { assertOrganisation } from './known-organisation.ts';

const USAGE = 'export accrual|dues ORG --from DAY --to DAY';

/** Whether a part of what is long was written. @returns false once nobody reads on (`| head`) */
const isTaken = (part: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    process.stdout.write(part, (error) => {
      if (!error || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve(!error);
      else reject(error);
    });
  });

/** What leaves the house as a file. */
export const exportCommands: Record<string, Command> = {
  export: {
    usage: USAGE,
    says: 'CSV of the instalments due on these days: interest and fees by due day, or what is unpaid and whom to ask',
    run: async (args) => {
      const { values, positionals } = parseArgs({
        args: [...args],
        allowPositionals: true,
        options: { from: { type: 'string' }, to: { type: 'string' } },
      });
      const kind = EXPORTS.find((one) => one === positionals[0]);
      const [from, to] = [dateSchema.safeParse(values.from), dateSchema.safeParse(values.to)];
      if (!kind || positionals.length !== 2 || !from.success || !to.success)
        throw new UsageError(`Usage: ${USAGE}, days as 2026-04-01`);
      const orgId = orgOf(positionals[1]);
      return withData(async ({ database }) => {
        await assertOrganisation(database, orgId);
        for await (const part of reports.exportCsv(database, orgId, kind, { from: from.data, to: to.data }))
          if (!(await isTaken(part))) break;
        return true;
      });
    },
  },
};
