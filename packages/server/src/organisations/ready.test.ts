import { expect, test } from 'vitest';
import { KistError } from '@kist/contract/errors';
import { DatabaseAwayError } from '#server/platform/database-errors.ts';
import { createLog } from '#server/platform/log.ts';
import { organisationReady } from './ready.ts';

test('an organisation that is missing is said so once each time; a database that is away is not called a missing organisation', async () => {
  const said: string[] = [];
  const log = createLog('info', { write: (line: string) => void said.push(line) });
  let error: Error | undefined;
  const isReady = organisationReady(
    async () => {
      if (error) throw error;
    },
    20,
    log,
  );
  for (const next of [
    new DatabaseAwayError(new Error('gone')),
    new KistError('ORGANISATION_UNKNOWN'),
    new KistError('ORGANISATION_UNKNOWN'),
  ]) {
    error = next;
    await expect(isReady()).rejects.toBe(next);
  }
  error = undefined;
  await isReady();
  error = new KistError('ORGANISATION_UNKNOWN');
  await expect(isReady()).rejects.toBe(error);
  expect(said).toHaveLength(2);
  expect(said.every((line) => line.includes('does not exist'))).toBe(true);
});
