import { agreementCommands } from './agreement-verbs.ts';
import { auditCommands } from './audit.ts';
import { backupCommands } from './backup.ts';
import { bookCommands } from './books.ts';
import { checkCommands } from './check.ts';
import type { Command } from './command.ts';
import { customerCommands } from './customer-verbs.ts';
import { demoCommands } from './demo.ts';
import { compensationCommands } from './compensation-verbs.ts';
import { disputeCommands } from './dispute-verbs.ts';
import { doctorCommands } from './doctor.ts';
import { exportCommands } from './exports.ts';
import { financerCommands } from './financer-verbs.ts';
import { fleetCommands } from './fleet.ts';
import { holdCommands } from './hold-verbs.ts';
import { importCommands } from './import.ts';
import { organisationCommands } from './organisation-verbs.ts';
import { paperCommands } from './papers.ts';
import { penalCommands } from './penal.ts';
import { peopleCommands } from './people-verbs.ts';
import { policyCommands } from './policy-verbs.ts';
import { privacyCommands } from './privacy-verbs.ts';
import { restoreCommands } from './restore.ts';
import { saleCommands } from './sale-verbs.ts';
import { secretCommands } from './secret-verbs.ts';
import { setupCommands } from './setup.ts';
import { tacCommands } from './tac-verbs.ts';
import { templateCommands } from './template-verbs.ts';
import { theftCommands } from './theft-verbs.ts';
import { waitingCommands } from './waiting-verbs.ts';

/** Every word of the command line, as `kist help` lists them. */
export const COMMANDS: Record<string, Command> = {
  ...setupCommands,
  ...organisationCommands,
  ...peopleCommands,
  ...saleCommands,
  ...agreementCommands,
  ...doctorCommands,
  ...backupCommands,
  ...restoreCommands,
  ...bookCommands,
  ...auditCommands,
  ...checkCommands,
  ...exportCommands,
  ...fleetCommands,
  ...paperCommands,
  ...penalCommands,
  ...policyCommands,
  ...privacyCommands,
  ...customerCommands,
  ...secretCommands,
  ...demoCommands,
  ...compensationCommands,
  ...disputeCommands,
  ...holdCommands,
  ...theftCommands,
  ...waitingCommands,
  ...templateCommands,
  ...financerCommands,
  ...tacCommands,
  ...importCommands,
};
