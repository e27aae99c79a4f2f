import { UsageError, write } from '#server/cli/command.ts';
import { COMMANDS } from '#server/cli/commands.ts';

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
