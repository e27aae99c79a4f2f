import { expect, test } from 'vitest';
import { createTestApp } from '#test/http.ts';
import { portOf } from '#test/raw-http.ts';
import { startMetricsServer } from './metrics-server.ts';
import { healthRoutes } from './routes/health.ts';

const TOKEN = 'figures for one reader';
const mainPort = async (metricsToken?: string) => {
  const { app } = await createTestApp({ settings: { metricsToken }, register: healthRoutes });
  return {
    app,
    read: (authorization?: string) =>
      app.fastify.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } }),
  };
};

test('without a token the main port has no figures; with one they are for who brings it', async () => {
  const closed = await mainPort();
  for (const authorization of [undefined, 'Bearer ', `Bearer ${TOKEN}`, 'Bearer undefined'])
    expect((await closed.read(authorization)).statusCode).toBe(404);
  const { read } = await mainPort(TOKEN);
  for (const authorization of [
    undefined,
    'Bearer',
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN} `,
    TOKEN,
    `Basic ${TOKEN}`,
  ]) {
    const refused = await read(authorization);
    expect([authorization, refused.statusCode, refused.json<{ code: string }>().code]).toEqual([
      authorization,
      403,
      'FORBIDDEN',
    ]);
    expect(refused.payload).not.toContain('kist_');
  }
  expect((await read(`Bearer ${TOKEN}`)).payload).toContain('process_resident_memory_bytes');
});

test('a port of their own answers for them and nothing else, on loopback, with the token where there is one', async () => {
  const { app } = await mainPort();
  for (const token of [undefined, TOKEN]) {
    const server = await startMetricsServer(app.deps.metrics, { host: '127.0.0.1', port: 0, token });
    const address = `http://127.0.0.1:${portOf(server)}`;
    const bearer = { authorization: `Bearer ${TOKEN}` };
    expect((await fetch(`${address}/metrics`)).status).toBe(token === undefined ? 200 : 403);
    const figures = await fetch(`${address}/metrics`, { headers: bearer });
    expect(await figures.text()).toContain('process_resident_memory_bytes');
    for (const path of ['/', '/healthz', '/metrics/x', '/metrics?x'])
      expect((await fetch(address + path, { headers: bearer })).status).toBe(404);
    expect((await fetch(`${address}/metrics`, { method: 'POST', headers: bearer })).status).toBe(404);
    server.close();
    server.closeAllConnections();
  }
});
