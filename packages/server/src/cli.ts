import { write } from '#server/cli/command.ts';
import { COMMANDS } from '#server/cli/commands.ts';
import { refusalOf, refusalText } from '#server/cli/refusal.ts';

function usage(): string {
  return [
    'kist COMMAND',
    '',
    ...Object.values(COMMANDS).map((command) => `  ${command.usage.padEnd(28)} ${command.says}`),
  ].join('\n');
}

const [name, ...args] = process.argv.slice(2);
const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (!command) {
  write(usage());
  process.exitCode = name === undefined || name === 'help' ? 0 : 2;
} else {
  try {
    process.exitCode = (await command.run(args)) ? 0 : 1;
  } catch (error) {
    const refusal = refusalOf(error);
    process.stderr.write(refusalText(refusal, args));
    process.exitCode = refusal.exitCode;
  }
}
