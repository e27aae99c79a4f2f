import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { AGENT_KEY_FILE } from '#server/config-secrets.ts';
import { envFileOf, readEnvironment } from '#server/platform/env-file.ts';
import { makeDataDir, newSecret, readOrMake } from '#server/platform/secrets.ts';
import { newSigningKeyPem } from '#server/platform/signing-key.ts';
import type { Answers } from './setup-answers.ts';
import { UsageError } from './command.ts';
import { readSmsSecret } from './sms-secret.ts';

type Variables = Record<string, string | undefined>;

const HEADER = `# Settings of this installation, made by "kist setup" and read at every start. It holds secrets: keep it readable by this
# account alone (chmod 600), and keep a copy where the backups are: without it sealed data cannot be read again.
`;

/** What became of the file of settings: names, never a value of a secret. */
export interface WrittenSettings {
  file: string;
  names: string[];
  /** The organisation of a sign-in that names none. */
  defaultOrg: string;
}

/** What would be found out too late: the file of the gateway's secret, where the secret is not known yet. @throws UsageError */
export function assertSecretFile(environment: Variables, dataDir: string, { server }: Answers): void {
  const known = readEnvironment({ ...environment, KIST_DATA_DIR: dataDir }, [])['KIST_SMS_SECRET'];
  if (known || server.sms_secret_file === undefined) return;
  try {
    readSmsSecret(server.sms_secret_file);
  } catch (error) {
    throw new UsageError(`server.sms_secret_file: ${(error as Error).message}. Nothing was changed.`);
  }
}

/**
 * Writes the file of settings (mode 0600): what the answers say, and secrets where there are none yet. A secret that is there never changes.
 * @param isDefault the organisation becomes the one of a sign-in that names none, also where there is another; the first one does by itself
 */
export function writeSettings(
  environment: Variables,
  dataDir: string,
  answers: Answers,
  isDefault: boolean,
): WrittenSettings {
  const file = envFileOf({ ...environment, KIST_DATA_DIR: dataDir });
  makeDataDir(dataDir);
  mkdirSync(path.dirname(file), { recursive: true });
  const before = existsSync(file) ? readFileSync(file, 'utf8') : HEADER;
  const kept: Variables = parseEnv(before);
  const has = (name: string) => Boolean(environment[name]) || Boolean(kept[name]);
  const keptDefault = isDefault ? undefined : environment['KIST_DEFAULT_ORG'] || kept['KIST_DEFAULT_ORG'];
  const defaultOrg = keptDefault ?? String(answers.organisation.org_id);
  const wanted = {
    ...declared(answers),
    ...(keptDefault === undefined ? { KIST_DEFAULT_ORG: defaultOrg } : {}),
    ...(has('KIST_SMS_SECRET') ? {} : smsSecret(answers)),
  };
  const secrets = {
    ...(has('KIST_SECRET_PEPPER') ? {} : { KIST_SECRET_PEPPER: newSecret() }),
    ...(has('KIST_SECRET_KEY') ? {} : { KIST_SECRET_KEY: newSecret() }),
  };
  // Found there without being named: a copy of the data folder is an installation, wherever it lies.
  if (!has('KIST_AGENT_KEY') && !has('KIST_AGENT_KEY_FILE'))
    readOrMake(path.join(dataDir, AGENT_KEY_FILE), newSigningKeyPem);
  const changes = Object.entries({ ...wanted, ...secrets }).filter(
    ([name, value]) => value !== undefined && kept[name] !== value,
  ) as [string, string][];
  if (changes.length === 0) return { file, names: [], defaultOrg };
  const text = changes.reduce(withLine, before);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
  return { file, names: changes.map(([name]) => name), defaultOrg };
}

const declared = ({ server }: Answers): Variables => ({
  KIST_MODE: 'production',
  PORT: server.port === undefined ? undefined : String(server.port),
  KIST_PUBLIC_URL: server.public_url,
  KIST_SMS_URL: server.sms_url,
  KIST_AGENT_PACKAGE_URL: server.agent_package_url,
  KIST_AGENT_SIGNATURE_CHECKSUM: server.agent_signature_checksum,
});

function smsSecret({ server }: Answers): Variables {
  if (server.sms_secret_file === undefined) return {};
  return { KIST_SMS_SECRET: readSmsSecret(server.sms_secret_file) };
}

/** In its old place, else at the end; nothing else in the file changes. */
function withLine(text: string, [name, value]: [string, string]): string {
  const line = `${name}=${value}`;
  const old = new RegExp(`^${name}=.*$`, 'm');
  return old.test(text) ? text.replace(old, () => line) : `${text.replace(/\n*$/, '\n')}${line}\n`;
}
