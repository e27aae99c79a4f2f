import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { guardAccounts } from './guard-accounts.ts';

const here = { port: 3001, serverUrl: 'http://127.0.0.1:3000' };
const secrets = { client_id: 'c', client_secret: 'client-secret', webhook_secret: 'webhook-secret-0123' };
let dir: string;
beforeEach(() => (dir = mkdtempSync(path.join(tmpdir(), 'accounts-'))));
afterEach(() => rmSync(dir, { recursive: true }));

const fileWith = (url: string): string => {
  const file = path.join(dir, 'guard.json');
  writeFileSync(file, JSON.stringify({ url, tenants: [{ org_id: 20, ...secrets }] }));
  return file;
};

it('makes the accounts of the server’s file tenants whose webhooks go to that server', () => {
  const tenants = [{ id: '20', ...secrets, webhook_url: 'http://127.0.0.1:3000/hooks/guard/20' }];
  for (const url of ['http://127.0.0.1:3001', 'http://localhost:3001/'])
    expect(guardAccounts(fileWith(url), here)).toEqual(tenants);
});

it('plays no lock service that is elsewhere, and none without a file', () => {
  for (const url of ['https://guard.example', 'http://127.0.0.1:3002', 'http://guard.example:3001'])
    expect(guardAccounts(fileWith(url), here)).toEqual([]);
  expect(guardAccounts(undefined, here)).toEqual([]);
  expect(guardAccounts('', here)).toEqual([]);
});

it('says when the file is not as it should be', () => {
  const file = path.join(dir, 'guard.json');
  writeFileSync(file, '{"url": "http://127.0.0.1:3001"}');
  expect(() => guardAccounts(file, here)).toThrow('tenants');
});
