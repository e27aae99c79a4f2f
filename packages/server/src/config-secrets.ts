import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Config, Environment } from '#server/config.ts';
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

type Secrets = Pick<Config, 'pepper' | 'keys' | 'agentKey'>;

/** Where the key that phones pin lies unless KIST_AGENT_KEY_FILE names another place. */
export const AGENT_KEY_FILE = 'agent-key.pem';

/** Takes the secrets from the environment; the demo makes its own. Says what is wrong in `problems`, never a value. */
export function readSecrets(env: Environment, dataDir: string, problems: string[]): Secrets | undefined {
  if (env.KIST_MODE === 'demo') makeDataDir(dataDir);
  const pepper = readSecret(env, 'KIST_SECRET_PEPPER', dataDir, parseSecret, problems);
  const keys = readSecret(env, 'KIST_SECRET_KEY', dataDir, parseKeyRing, problems);
  const agentKey = readAgentKey(env, dataDir, problems);
  return pepper && keys && agentKey && { pepper, keys, agentKey };
}

function readSecret<Secret>(
  env: Environment,
  name: 'KIST_SECRET_PEPPER' | 'KIST_SECRET_KEY',
  dataDir: string,
  parse: (text: string) => Secret,
  problems: string[],
): Secret | undefined {
  const file = path.join(dataDir, `${name.toLowerCase().replaceAll('_', '-')}`);
  const text = env[name] ?? (env.KIST_MODE === 'demo' ? readOrMake(file, newSecret) : undefined);
  if (text === undefined) {
    problems.push(
      `${name} is missing: "kist setup" makes it, or give 32 random bytes in base64, e.g. from "openssl rand -base64 32".`,
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

function readAgentKey(env: Environment, dataDir: string, problems: string[]): SigningKey | undefined {
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
    const pem = isOwnFile ? readOrMake(file, newSigningKeyPem) : readFileSync(file, 'utf8');
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
