import { parseArgs } from 'node:util';
import { KistError } from '@kist/contract/errors';
import { sharedHostProblem } from '@kist/contract/own-host';
import { ConfigError, loadConfig, loadDataSettings, presentSecrets } from '#server/config.ts';
import type { Operator } from '#server/platform/database.ts';
import { marksOf, noteMarks } from '#server/platform/secret-marks.ts';
import { type Command, RefusedError, UsageError, write } from './command.ts';
import { withOperator } from './data.ts';
import { jsonOf } from './named-file.ts';
import { type Answers, parseAnswers } from './setup-answers.ts';
import { assertSecretFiles, writeSettings } from './setup-env.ts';
import { applyAnswers, type Outcome } from './setup-organisation.ts';
import { collectAnswers, flagHelp, questionFlags, questionName, withPerson } from './setup-questions.ts';
import { said } from './words.ts';

const HELP = `kist setup [--from FILE.json] [flags]

Makes an organisation ready for its first customer: organisation, administrator, first retailer, plans on sale, keys, lock
policy, and the file of settings with new secrets. Asks what is not given when a person sits there. Safe to repeat: what is
said of something that exists already is changed, and what is left out stays as it was set.

  --from FILE           all answers from a JSON file ("-": standard input), see docs/runbook.md
  --default-org         a sign-in that names no organisation goes to this one; the first one set up needs no flag
`;

/** A production installation from nothing. */
export const setupCommands: Record<string, Command> = {
  setup: {
    usage: 'setup [--from FILE.json]',
    says: 'makes an organisation ready for its first customer; asks, or takes flags or a file; safe to repeat (setup --help)',
    help: `${HELP}${flagHelp().join('\n')}`,
    async run(args) {
      const { values } = parseArgs({
        args: [...args],
        options: {
          ...questionFlags,
          from: { type: 'string' },
          'default-org': { type: 'boolean' },
        },
      });
      if (process.env['KIST_MODE'] === 'demo')
        throw new UsageError('KIST_MODE is demo, and the demo makes its own shop: setup is for production.');
      return setUp(await answersOf(values), values['default-org'] === true);
    },
  },
};

async function answersOf(flags: Record<string, string | boolean | undefined>): Promise<Answers> {
  const from = flags['from'];
  if (typeof from === 'string') return parseAnswers(jsonOf(from));
  const given = process.stdin.isTTY
    ? await withPerson((ask) => collectAnswers(flags, ask))
    : await collectAnswers(flags, undefined);
  return parseAnswers(given, questionName);
}

/**
 * The database first: one that is a demo's, cannot be reached, or was made with secrets that are not here leaves no file of settings behind. The file before
 * the database is told of new secrets: what it has noted lies on disk.
 */
async function setUp(answers: Answers, isDefault: boolean): Promise<boolean> {
  const environment = { ...process.env, KIST_MODE: 'production' };
  const settings = loadDataSettings(environment);
  assertOwnHost(answers, settings.publicUrl);
  assertSecretFiles(process.env, settings.dataDir, answers);
  const marks = () => marksOf(presentSecrets(environment));
  const work = async (operator: Operator) => {
    const outcomes = await operator
      .transaction(answers.organisation.org_id, (tx) => applyAnswers(tx, answers))
      .catch(explain);
    for (const line of outcomes.map(lineOf)) write(line);
    const written = writeSettings(process.env, settings.dataDir, answers, isDefault);
    await operator.unscoped((tx) => noteMarks(tx, marks()));
    return written;
  };
  const { file, names, defaultOrg } = await withOperator(work, settings, marks);
  write(names.length === 0 ? `  unchanged     ${file}` : `  written       ${file}: ${names.join(', ')}`);
  if (defaultOrg !== String(answers.organisation.org_id))
    write(`  kept          a sign-in that names no organisation goes to ${defaultOrg} (--default-org changes it)`);
  sayWhatIsLeft(environment, settings.dataDir, file);
  return true;
}

const lineOf = ({ what, change }: Outcome): string => `  ${change.padEnd(13)} ${what}`;

function sayWhatIsLeft(environment: Record<string, string | undefined>, dataDir: string, file: string): void {
  // Another terminal does not know where the data is: without it a start would make a demo of its own.
  const where = [
    `KIST_DATA_DIR=${quoted(dataDir)}`,
    ...(environment['KIST_ENV_FILE'] ? [`KIST_ENV_FILE=${quoted(file)}`] : []),
  ].join(' ');
  const commands = `Start it:    ${where} npm start\nLook at it:  ${where} npm run kist -- doctor`;
  try {
    const { publicUrl } = loadConfig(environment);
    write(`\nReady. In this folder, in whatever terminal:\n${commands}`);
    write(`Then open ${publicUrl} and sign in with the retailer’s mobile number.`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    write(
      `\nStill to be filled in, in ${file} or the environment:\n${error.problems.map((problem) => `- ${problem}`).join('\n')}\nThen, in this folder, in whatever terminal:\n${commands}`,
    );
  }
}

/** As a shell takes it for one word. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** @throws UsageError */
function assertOwnHost({ organisation: { host }, server }: Answers, publicUrl: string): void {
  const problem =
    typeof host !== 'string' ? undefined : sharedHostProblem(host, new URL(server.public_url ?? publicUrl).hostname);
  if (problem !== undefined) throw new UsageError(`organisation.host: ${said(problem)}. Nothing was changed.`);
}

/** What a person can do about a refusal of the database or of a service. */
function explain(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint?.startsWith('org_directory'))
    throw new UsageError(
      `organisation.${constraint.includes('host') ? 'host' : 'slug'}: another organisation has this one. Nothing was changed.`,
    );
  if (error instanceof KistError) throw new RefusedError(`${error.message}. Nothing was changed.`, error.code);
  throw error;
}
