import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { AGENT_KEY_FILE } from '#server/config-secrets.ts';
import { envFileOf, readEnvironment } from '#server/platform/env-file.ts';
import { makeDataDir, newSecret, readOrMake } from '#server/platform/secrets.ts';
import { newSigningKeyPem } from '#server/platform/signing-key.ts';
import type { Answers } from './setup-answers.ts';
import { UsageError } from './command.ts';
import { readSecretFile } from './secret-file.ts';

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

/** Secrets that a file of their own holds: the setting, and the answer that names the file. */
const SECRET_FILES = { KIST_SMS_SECRET: 'sms_secret_file', KIST_SMTP_PASSWORD: 'smtp_password_file' } as const;

/** What would be found out too late: the file of a secret, where the secret is not known yet. @throws UsageError */
export function assertSecretFiles(environment: Variables, dataDir: string, { server }: Answers): void {
  const known = readEnvironment({ ...environment, KIST_DATA_DIR: dataDir }, []);
  for (const [name, answer] of Object.entries(SECRET_FILES)) {
    const file = server[answer];
    if (known[name] || file === undefined) continue;
    try {
      readSecretFile(file);
    } catch (error) {
      throw new UsageError(`server.${answer}: ${(error as Error).message}. Nothing was changed.`);
    }
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
    ...secretsOfFiles(answers, has),
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
  KIST_SMTP_URL: server.smtp_url,
  KIST_SMTP_USER: server.smtp_user,
  KIST_MAIL_FROM: server.mail_from,
  KIST_AGENT_PACKAGE_URL: server.agent_package_url,
  KIST_AGENT_SIGNATURE_CHECKSUM: server.agent_signature_checksum,
});

const secretsOfFiles = ({ server }: Answers, has: (name: string) => boolean): Variables =>
  Object.fromEntries(
    Object.entries(SECRET_FILES).flatMap(([name, answer]) => {
      const file = server[answer];
      return has(name) || file === undefined ? [] : [[name, readSecretFile(file)]];
    }),
  );

/** In its old place, else at the end; nothing else in the file changes. */
function withLine(text: string, [name, value]: [string, string]): string {
  const line = `${name}=${value}`;
  const old = new RegExp(`^${name}=.*$`, 'm');
  return old.test(text) ? text.replace(old, () => line) : `${text.replace(/\n*$/, '\n')}${line}\n`;
}
