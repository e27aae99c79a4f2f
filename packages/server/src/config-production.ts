import type { Environment } from '#server/config.ts';
import { assertRandomBytes } from '#server/platform/secrets.ts';
import { isPlainLoopback } from '#server/platform/network.ts';

/** A gateway's secret is what its maker hands out: short ones exist, these do not guard anything. */
const leastSmsSecretLength = 16;
const leastDifferentCharacters = 8;

/** What must hold before real people's phones and money hang on this server; one sentence for each that does not. */
export function productionProblems(env: Environment): string[] {
  return [...publicUrlProblems(env), ...originProblems(env), ...smsProblems(env), ...agentPackageProblems(env)];
}

function publicUrlProblems({ KIST_PUBLIC_URL: url }: Environment): string[] {
  if (url === undefined) return ['KIST_PUBLIC_URL is missing: phones find this server by the address in their QR.'];
  if (isEncrypted(url)) return [];
  return [
    'KIST_PUBLIC_URL must be https: sign-ins and lock orders cross the internet. Only a loopback address may be http.',
  ];
}

const originProblems = ({ KIST_WEB_ORIGINS: origins }: Environment): string[] =>
  origins.every(isEncrypted)
    ? []
    : ['KIST_WEB_ORIGINS must be https: sessions cross the internet. Only a loopback address may be http.'];

function smsProblems({ KIST_SMS_URL: url, KIST_SMS_SECRET: secret }: Environment): string[] {
  if (url === undefined)
    return ['KIST_SMS_URL is missing: without an SMS gateway no sign-in code and no notice reaches anybody.'];
  const problems = isEncrypted(url)
    ? []
    : ['KIST_SMS_URL must be https: sign-in codes cross the internet in it. Only a loopback address may be http.'];
  if (secret === undefined) return problems;
  if (secret.length >= leastSmsSecretLength && new Set(secret).size >= leastDifferentCharacters) return problems;
  return [
    ...problems,
    `KIST_SMS_SECRET can be guessed: whoever knows it can say that a notice was delivered. At least ${leastSmsSecretLength} random characters.`,
  ];
}

function agentPackageProblems(env: Environment): string[] {
  const { KIST_AGENT_PACKAGE_URL: url, KIST_AGENT_SIGNATURE_CHECKSUM: checksum } = env;
  if (url === undefined || checksum === undefined)
    return [
      'KIST_AGENT_PACKAGE_URL and KIST_AGENT_SIGNATURE_CHECKSUM are missing: a factory-fresh phone fetches the agent there and checks its signer.',
    ];
  const problems: string[] = [];
  if (!isEncrypted(url)) problems.push('KIST_AGENT_PACKAGE_URL must be https. Only a loopback address may be http.');
  if (!isChecksum(checksum))
    problems.push(
      'KIST_AGENT_SIGNATURE_CHECKSUM is not the SHA-256 of a certificate: no phone would take the agent. "apksigner verify --print-certs" shows it in hex; write its bytes in URL-safe base64.',
    );
  return problems;
}

/** https, or a way that never leaves this machine. */
export function isEncrypted(url: string): boolean {
  return new URL(url).protocol === 'https:' || isPlainLoopback(url);
}

function isChecksum(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  try {
    assertRandomBytes(bytes);
  } catch {
    return false;
  }
  return bytes.length === 32 && bytes.toString('base64url') === text;
}
