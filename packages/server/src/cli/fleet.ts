import { parseArgs } from 'node:util';
import * as customers from '#server/customers/customers.ts';
import { createWaker } from '#server/commands/wake.ts';
import { unlockFleet } from '#server/locking/fleet.ts';
import { type Command, orgOf, UsageError, write } from './command.ts';
import { type OpenData, withData } from './data.ts';
import { assertOrganisation } from './known-organisation.ts';
import { explain } from './verbs.ts';

const USAGE = 'unlock-fleet ORG --yes';
const OPTIONS = { yes: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } as const;

/** @returns how many phones */
async function free({ database, log }: OpenData, orgId: number): Promise<number> {
  await assertOrganisation(database, orgId);
  const waker = createWaker(database, (error) => log.warn({ err: error }, 'wake hints are not heard'));
  try {
    return await database.transaction(orgId, (tx) => unlockFleet(tx, { waker, onReleased: customers.release }));
  } finally {
    // It listens until it is told to stop: the process would never end.
    await waker.close();
  }
}

/** What is done to all phones of an organisation at once. */
export const fleetCommands: Record<string, Command> = {
  'unlock-fleet': {
    usage: USAGE,
    says: 'frees every phone of an organisation at once; needs the database and nothing else',
    async run(args) {
      const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
      const [org, ...more] = positionals;
      if (more.length > 0) throw new UsageError(`kist ${USAGE}`);
      const orgId = orgOf(org);
      if (!values.yes)
        throw new UsageError(
          'this frees every phone of the organisation that its owner did not report stolen; say --yes',
        );
      const phones = await withData((data) => free(data, orgId).catch(explain));
      write(
        values.json
          ? JSON.stringify({ phones })
          : `${phones} phones are told to be free; those that listen hear it now, the others at their next contact.`,
      );
      return true;
    },
  },
};
