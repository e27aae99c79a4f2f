import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '#test/folder.ts';
import { readGuardFile } from './config-guard.ts';

const tenant = (org_id: number, client_id: string) => ({
  org_id,
  client_id,
  client_secret: 'of the account',
  webhook_secret: 'sixteen letters and more',
});
function read(content: unknown, mode = 0o600) {
  const file = path.join(folder(), 'guard.json');
  writeFileSync(file, JSON.stringify(content));
  chmodSync(file, mode);
  const problems: string[] = [];
  return { settings: readGuardFile(file, problems), problems };
}

describe('the accounts at a guard cloud', () => {
  test('are read, one of each organisation', () => {
    const { settings, problems } = read({
      url: 'https://guard.example/',
      tenants: [tenant(20, 'first'), tenant(21, 'second')],
    });
    expect([settings?.url, settings?.tenants.map(({ orgId }) => orgId), problems]).toEqual([
      'https://guard.example',
      [20, 21],
      [],
    ]);
  });

  test.each([
    ['one account of two organisations', [tenant(20, 'one'), tenant(21, 'one')]],
    ['two accounts of one organisation', [tenant(20, 'one'), tenant(20, 'two')]],
    ['none at all', []],
  ])('%s is refused in words', (_what, tenants) => {
    expect(read({ url: 'https://guard.example', tenants })).toEqual({
      settings: undefined,
      problems: ['KIST_GUARD_FILE: tenants is not as it should be.'],
    });
  });

  test('that others may read are refused', () => {
    const { problems } = read({ url: 'https://guard.example', tenants: [tenant(20, 'one')] }, 0o644);
    expect(problems).toEqual(['KIST_GUARD_FILE: others may read the file; chmod 600 it.']);
  });
});
