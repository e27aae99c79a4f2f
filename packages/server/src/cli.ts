import { UsageError, asksForHelp, write } from '#server/cli/command.ts';
import { COMMANDS } from '#server/cli/commands.ts';
import { refusalOf, refusalText } from '#server/cli/refusal.ts';

function usage(): string {
  return [
    'kist COMMAND',
    '',
    ...Object.values(COMMANDS).map((command) => `  ${command.usage.padEnd(28)} ${command.says}`),
  ].join('\n');
}

/** @returns false when what was looked at is not in order */
async function carryOut([name, ...args]: readonly string[]): Promise<boolean> {
  if (name === 'help' && args.length > 0) return carryOut([...args, '--help']);
  if (name === undefined || name === 'help' || name === '--help') {
    write(usage());
    return true;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`kist ${name}: no such thing. What there is: kist help`);
  if (command.verbs || !asksForHelp(args)) return command.run(args);
  write(command.help ?? `kist ${command.usage}\n  ${command.says}`);
  return true;
}

/** What was to be written and could not be; whoever reads no further (`| head -1`) has what they wanted. */
let unwritten: NodeJS.ErrnoException | undefined;
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') unwritten = error;
  });

const typed = process.argv.slice(2);
try {
  process.exitCode = (await carryOut(typed)) ? 0 : 1;
  // What was written last says now whether it went.
  await new Promise((resolve) => setImmediate(resolve));
  if (unwritten !== undefined) throw unwritten;
} catch (error) {
  const refusal = refusalOf(error);
  process.stderr.write(refusalText(refusal, typed));
  process.exitCode = refusal.exitCode;
}
