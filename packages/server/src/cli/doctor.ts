import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, type Settings, loadDataSettings, loadSettings, presentSecrets } from '#server/config.ts';
import { AGENT_KEY_FILE } from '#server/config-secrets.ts';
import { envFileOf } from '#server/platform/env-file.ts';
import { type Command, write } from './command.ts';
import { databaseFindings } from './doctor-database.ts';
import { networkFindings } from './doctor-network.ts';
import { fail, type Finding, ok, warn } from './findings.ts';

/** What is in order and what is not, before a customer finds out. */
export const doctorCommands: Record<string, Command> = {
  doctor: {
    usage: 'doctor [--json]',
    says: 'looks at settings, database, accounts, clocks, gateway, certificate; says what to do; ends with 1 when something fails',
    async run(args) {
      const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
      const findings = await examine(process.env);
      write(values.json ? JSON.stringify(findings, null, 2) : findings.map(lineOf).join('\n'));
      return findings.every(({ level }) => level !== 'fail');
    },
  },
};

const lineOf = ({ level, name, says, todo }: Finding): string =>
  `${level.padEnd(5)} ${name.padEnd(17)} ${says}${todo ? ` ${todo}` : ''}`;

/** Every check; changes nothing, works beside a running server, and when nothing is set up yet. */
export async function examine(environment: Record<string, string | undefined>): Promise<Finding[]> {
  const { settings, findings } = settingsFindings(environment);
  return [
    ...findings,
    dataFolder(environment),
    ...(await databasePart(environment)),
    ...(settings ? await networkFindings(settings) : []),
  ];
}

function settingsFindings(environment: Record<string, string | undefined>): {
  settings?: Settings;
  findings: Finding[];
} {
  const file = envFileOf(environment);
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  const from = isThere ? `of ${file} and the environment` : 'of the environment';
  const hint = '"kist setup" makes an installation for real customers.';
  try {
    const { mode, dataDir } = loadDataSettings(environment);
    // The demo makes its secrets when it reads its settings: nothing is made by looking.
    if (mode === 'demo' && !existsSync(path.join(dataDir, AGENT_KEY_FILE)))
      return { findings: [warn('settings', 'nothing is set up: a start would make a demo.', hint)] };
    const { settings, readSecrets } = loadSettings(environment);
    readSecrets(false);
    if (mode === 'demo') return { settings, findings: [warn('settings', 'this is a demo.', hint)] };
    return { settings, findings: [ok('settings', `${from} are complete.`)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const todo = isThere ? `Put it right in ${file}.` : 'Run "kist setup", or set it in the environment.';
    return { findings: error.problems.map((problem) => fail('settings', problem, todo)) };
  }
}

function dataFolder(environment: Record<string, string | undefined>): Finding {
  const folder = environment['KIST_DATA_DIR'] || './data';
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (!stat) return warn('data folder', `${folder} does not exist yet.`, 'Run "kist setup"; it makes it.');
  // As root its own database's account walks through it, and reads nothing.
  if ((stat.mode & 0o066) === 0) return ok('data folder', `${folder} is closed to other accounts.`);
  return fail(
    'data folder',
    `${folder} can be read by other accounts.`,
    `chmod ${process.getuid?.() === 0 ? '711' : '700'} ${folder}`,
  );
}

async function databasePart(environment: Record<string, string | undefined>): Promise<Finding[]> {
  try {
    return await databaseFindings(loadDataSettings(environment), presentSecrets(environment));
  } catch (error) {
    // The same problems stand under "settings" already.
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
