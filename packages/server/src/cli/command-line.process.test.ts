import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kist } from '#test/data-folders.ts';

/** The command line as a program of its own: how it ends, and what stands where. */
const root = mkdtempSync(path.join(tmpdir(), 'kist-command-line-'));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
const env = { KIST_DATA_DIR: path.join(root, 'data'), KIST_MODE: 'production' };

beforeAll(async () => {
  const added = await kist(env, 'org', 'add', '20', '--slug', 'asha', '--name', 'Asha Mobiles');
  if (added.code !== 0) throw new Error(added.err);
}, 120_000);

const noSuch = (orgId: number) => ({
  code: 'NOT_FOUND',
  message: `Refused: there is no organisation ${orgId} (kist org list). Nothing was changed.`,
});

describe('unlock-fleet', () => {
  test('of an organisation that is not there is refused, and ends', { timeout: 30_000 }, async () => {
    const { code, out, err } = await kist(env, 'unlock-fleet', '999', '--yes', '--json');
    expect([code, out, JSON.parse(err)]).toEqual([1, '', noSuch(999)]);
  });

  test('of one that is there frees its phones, and says how many', { timeout: 30_000 }, async () => {
    const { code, out, err } = await kist(env, 'unlock-fleet', '20', '--yes', '--json');
    expect([err, code, JSON.parse(out)]).toEqual(['', 0, { phones: 0 }]);
  });
});
