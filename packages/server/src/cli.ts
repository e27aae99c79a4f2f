import { agreementCommands } from '#server/cli/agreement-verbs.ts';
import { auditCommands } from '#server/cli/audit.ts';
import { backupCommands } from '#server/cli/backup.ts';
import { bookCommands } from '#server/cli/books.ts';
import { checkCommands } from '#server/cli/check.ts';
import { type Command, UsageError, write } from '#server/cli/command.ts';
import { demoCommands } from '#server/cli/demo.ts';
import { disputeCommands } from '#server/cli/dispute-verbs.ts';
import { doctorCommands } from '#server/cli/doctor.ts';
import { exportCommands } from '#server/cli/exports.ts';
import { fleetCommands } from '#server/cli/fleet.ts';
import { importCommands } from '#server/cli/import.ts';
import { organisationCommands } from '#server/cli/organisation-verbs.ts';
import { paperCommands } from '#server/cli/papers.ts';
import { penalCommands } from '#server/cli/penal.ts';
import { restoreCommands } from '#server/cli/restore.ts';
import { privacyCommands } from '#server/cli/privacy-verbs.ts';
import { saleCommands } from '#server/cli/sale-verbs.ts';
import { peopleCommands } from '#server/cli/people-verbs.ts';
import { policyCommands } from '#server/cli/policy-verbs.ts';
import { templateCommands } from '#server/cli/template-verbs.ts';
import { tacCommands } from '#server/cli/tac-verbs.ts';
import { theftCommands } from '#server/cli/theft-verbs.ts';
import { secretCommands } from '#server/cli/secret-verbs.ts';
import { setupCommands } from '#server/cli/setup.ts';

const COMMANDS: Record<string, Command> = {
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
  ...secretCommands,
  ...demoCommands,
  ...disputeCommands,
  ...theftCommands,
  ...templateCommands,
  ...tacCommands,
  ...importCommands,
};

function usage(): string {
  return [
    'kist COMMAND',
    '',
    ...Object.values(COMMANDS).map((command) => `  ${command.usage.padEnd(28)} ${command.says}`),
  ].join('\n');
}

const [name, ...args] = process.argv.slice(2);
const command = COMMANDS[name ?? ''];
if (!command) {
  write(usage());
  process.exitCode = name === undefined || name === 'help' ? 0 : 2;
} else {
  try {
    process.exitCode = (await command.run(args)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    // 2: what was typed cannot be used; 1: it can, and was refused or did not work.
    process.exitCode = error instanceof UsageError || isParseError(error) ? 2 : 1;
  }
}

function isParseError(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
}
