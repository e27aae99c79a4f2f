import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '#server/config.ts';
import type { Secrets } from '#server/platform/secret-marks.ts';
import type { SigningKey } from '#server/platform/signing-key.ts';
import { newSigningKeyPem, signingKeyFromPem } from '#server/platform/signing-key.ts';
import {
  isReadableByOthers,
  makeDataDir,
  newSecret,
  parseKeyRing,
  parseSecret,
  readOrMake,
} from '#server/platform/secrets.ts';

/** Where the key that phones pin lies unless KIST_AGENT_KEY_FILE names another place. */
export const AGENT_KEY_FILE = 'agent-key.pem';

/** Where secrets come from, and where problems go. */
interface Sources {
  env: Environment;
  dataDir: string;
  /** The demo makes what is missing; nobody else does. */
  mayMake: boolean;
  problems: string[];
}

/** Takes the secrets from the environment; the demo has its own. Says in `problems` what is wrong or missing, never a value. */
export function readSecrets(sources: Sources): Partial<Secrets> {
  if (sources.mayMake) makeDataDir(sources.dataDir);
  const pepper = readSecret(sources, 'KIST_SECRET_PEPPER', parseSecret);
  const keys = readSecret(sources, 'KIST_SECRET_KEY', parseKeyRing);
  const agentKey = readAgentKey(sources);
  return { ...(pepper && { pepper }), ...(keys && { keys }), ...(agentKey && { agentKey }) };
}

function readSecret<Secret>(
  { env, dataDir, mayMake, problems }: Sources,
  name: 'KIST_SECRET_PEPPER' | 'KIST_SECRET_KEY',
  parse: (text: string) => Secret,
): Secret | undefined {
  const fileName = name.toLowerCase().replaceAll('_', '-');
  const isDemo = env.KIST_MODE === 'demo';
  const text = env[name] ?? (isDemo ? ownFile(path.join(dataDir, fileName), mayMake, newSecret) : undefined);
  if (text === undefined) {
    problems.push(
      isDemo
        ? gone(fileName)
        : `${name} is missing: "kist setup" makes it, or give 32 random bytes in base64, e.g. from "openssl rand -base64 32".`,
    );
    return undefined;
  }
  try {
    return parse(text);
  } catch (error) {
    problems.push(`${name}: ${(error as Error).message}`);
    return undefined;
  }
}

const gone = (fileName: string): string =>
  `${fileName} is gone from the data folder, and this demo was made with it. Put it back, or begin anew with an empty data folder.`;

function ownFile(file: string, mayMake: boolean, make: () => string): string | undefined {
  if (mayMake) return readOrMake(file, make);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function readAgentKey({ env, dataDir, mayMake, problems }: Sources): SigningKey | undefined {
  const file = env.KIST_AGENT_KEY_FILE ?? path.join(dataDir, AGENT_KEY_FILE);
  if (env.KIST_AGENT_KEY === undefined && env.KIST_MODE === 'production' && !existsSync(file)) {
    problems.push(
      env.KIST_AGENT_KEY_FILE === undefined
        ? `KIST_AGENT_KEY or KIST_AGENT_KEY_FILE is missing: the EC P-256 key that phones pin (PEM). "kist setup" makes ${AGENT_KEY_FILE} in the data folder.`
        : 'KIST_AGENT_KEY_FILE names no file: the EC P-256 key that phones pin (PEM).',
    );
    return undefined;
  }
  const isOwnFile = env.KIST_MODE === 'demo' && env.KIST_AGENT_KEY_FILE === undefined;
  try {
    if (env.KIST_AGENT_KEY !== undefined) return signingKeyFromPem(env.KIST_AGENT_KEY);
    const pem = isOwnFile ? ownFile(file, mayMake, newSigningKeyPem) : readFileSync(file, 'utf8');
    if (pem === undefined) {
      problems.push(gone(AGENT_KEY_FILE));
      return undefined;
    }
    if (env.KIST_MODE === 'production' && isReadableByOthers(statSync(file)))
      problems.push(
        'The file of the agent signing key (KIST_AGENT_KEY_FILE) can be read by other accounts: chmod 600 it.',
      );
    return signingKeyFromPem(pem);
  } catch (error) {
    // A system error repeats the path, and people have put the key itself into the variable of the path.
    const reason = (error as NodeJS.ErrnoException).syscall
      ? (error as NodeJS.ErrnoException).code
      : (error as Error).message;
    problems.push(`The agent signing key cannot be read: ${reason}`);
    return undefined;
  }
}
