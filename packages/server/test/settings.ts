import { createHash, randomBytes } from 'node:crypto';
import { ConfigError, loadConfig } from '#server/config.ts';
import { newSigningKeyPem } from '#server/platform/signing-key.ts';
import { folder } from './folder.ts';

export const secret = () => randomBytes(32).toString('base64');
/** Everything that a production needs. */
export const production = (more: Record<string, string> = {}) => ({
  KIST_MODE: 'production',
  KIST_DATA_DIR: folder(),
  KIST_PUBLIC_URL: 'https://emi.example.in/',
  KIST_AGENT_PACKAGE_URL: 'https://kist.example/agent.apk',
  KIST_AGENT_SIGNATURE_CHECKSUM: createHash('sha256').update('a certificate').digest('base64url'),
  KIST_SMS_URL: 'https://sms.example/v1/messages',
  KIST_SMS_SECRET: randomBytes(24).toString('base64'),
  KIST_SECRET_PEPPER: secret(),
  KIST_SECRET_KEY: secret(),
  KIST_AGENT_KEY: newSigningKeyPem(),
  ...more,
});
/** What is wrong with an environment, in the words that an operator reads; nothing where it can be started with. */
export function problemsOf(environment: Record<string, string | undefined>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
