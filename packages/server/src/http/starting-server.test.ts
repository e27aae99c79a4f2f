import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tokenVars } from '@kist/contract/tokens';
import { expect, test } from 'vitest';
import { inlineHashes } from './security-headers.ts';
import { createStartingServer } from './starting-server.ts';

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

test('while the shop is made a browser sees how far it is, programs are told to come again, and nothing is ready', async () => {
  const port = await freePort();
  const server = createStartingServer({ host: '127.0.0.1', port });
  const ask = (path: string, accept = '*/*') => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } });
  await expect(ask('/readyz')).rejects.toThrow('fetch failed');
  server.show(0.434);
  const ready = await ask('/readyz');
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not ready', progress: { step: 'demo', percent: 43 } },
  ]);
  expect((await ask('/healthz')).status).toBe(200);
  const call = await ask('/api/auth/loginWithOtp');
  expect([call.status, call.headers.get('retry-after'), await call.json()]).toEqual([
    503,
    '1',
    expect.objectContaining({ response: 'failure', code: 'UNAVAILABLE' }),
  ]);
  const page = await ask('/customers', 'text/html,*/*');
  const html = await page.text();
  expect(page.status).toBe(503);
  expect(html).toContain('43 %');
  expect(html).toContain('lang="hi"');
  for (const mode of ['light', 'dark'] as const) expect(html).toContain(tokenVars(mode));
  const policy = page.headers.get('content-security-policy') ?? '';
  // The browser hashes what it was sent, not the file.
  for (const tag of ['script', 'style'] as const)
    for (const hash of inlineHashes(html, tag)) expect(policy).toContain(hash);
  expect(policy).not.toContain('unsafe');
  server.show(1);
  expect(await (await ask('/readyz')).json()).toMatchObject({ progress: { percent: 99 } });
  await server.close();
  await server.close();
  await expect(ask('/readyz')).rejects.toThrow('fetch failed');
  server.show(1);
  await expect(ask('/readyz')).rejects.toThrow('fetch failed');
});

test('a port that is taken fails the start', async () => {
  const port = await freePort();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  const server = createStartingServer({ host: '127.0.0.1', port });
  server.show(0);
  await expect(server.close()).rejects.toThrow('EADDRINUSE');
  other.close();
});
