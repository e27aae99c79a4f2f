import { UsageError } from './command.ts';
import { secretTextOf } from './named-file.ts';

/** A secret out of its file, as one line of the file of settings can hold it. @throws UsageError without its value */
export function readSecretFile(file: string): string {
  const secret = textOf(file).trim();
  if (!/^[\x21-\x7e]+$/.test(secret) || /['"#\\]/.test(secret))
    throw new UsageError('a file of one line of letters, digits and signs, without quotes, # and backslashes');
  return secret;
}

function textOf(file: string): string {
  try {
    return secretTextOf(file);
  } catch (error) {
    throw new UsageError(`a file that can be read: ${(error as Error).message}`);
  }
}
