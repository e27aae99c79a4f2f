import * as customers from '#server/customers/customers.ts';
import { createWaker } from '#server/commands/wake.ts';
import { unlockFleet } from '#server/locking/fleet.ts';
import { type Command, orgOf, UsageError, write } from './command.ts';
import { withData } from './data.ts';

/** What is done to all phones of an organisation at once. */
export const fleetCommands: Record<string, Command> = {
  'unlock-fleet': {
    usage: 'unlock-fleet ORG --yes',
    says: 'frees every phone of an organisation at once; needs the database and nothing else',
    async run([org, yes]) {
      if (yes !== '--yes')
        throw new UsageError(
          'this frees every phone of the organisation that its owner did not report stolen; say --yes',
        );
      return withData(async ({ database, log }) => {
        const waker = createWaker(database, (error) => log.warn({ err: error }, 'wake hints are not heard'));
        const count = await database.transaction(orgOf(org), (tx) =>
          unlockFleet(tx, { waker, onReleased: customers.release }),
        );
        await waker.close();
        write(`${count} phones are told to be free; those that listen hear it now, the others at their next contact.`);
        return true;
      });
    },
  },
};
