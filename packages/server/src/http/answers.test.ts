import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { createOrganisation, createTestApp, type TestApp } from '#test/http.ts';
import { healthRoutes } from './routes/health.ts';
import { registerOpenApiRoute } from './routes/openapi.ts';
import { organisationRoutes } from './routes/organisation.ts';

let it: TestApp;
const metricsToken = 'figures for one reader';
beforeAll(async () => {
  it = await createTestApp({
    settings: { metricsToken },
    register: (app) => {
      organisationRoutes(app);
      healthRoutes(app);
      registerOpenApiRoute(app);
    },
  });
  await createOrganisation(it.db, { orgId: 20 });
});

const inject = (options: InjectOptions) => it.app.fastify.inject(options);

describe('every answer', () => {
  test('carries the security headers, its request id and no-store', async () => {
    const { headers } = await it.call('getOrgAppConfig', { headers: { 'x-request-id': 'trace-0123456789' } });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'trace-0123456789',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    });
    // Shown by itself it may do nothing; what the app's page may do stands in static-files.test.ts.
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    const failed = await inject({ method: 'GET', url: '/api/nothing', headers: { 'x-request-id': 'bad id\n' } });
    expect(failed.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(failed.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('for the machine room: alive, ready, figures, contract', async () => {
    expect((await inject({ method: 'GET', url: '/healthz' })).json()).toEqual({ status: 'alive' });
    expect((await inject({ method: 'GET', url: '/readyz' })).json()).toEqual({
      status: 'ready',
      checks: { database: 'ok' },
    });
    const metrics = await inject({
      method: 'GET',
      url: '/metrics',
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    expect(metrics.headers['content-type']).toContain('text/plain');
    for (const name of [
      'kist_http_request_duration_seconds_bucket{method="GET",route="/healthz",status="200",le="0.001"}',
      'kist_outbox_waiting ',
      'process_resident_memory_bytes ',
      'kist_auth_failures_total',
    ])
      expect(metrics.body).toContain(name);
    const { openapi, paths } = (await inject({ method: 'GET', url: '/api/openapi.json' })).json<{
      openapi: string;
      paths: object;
    }>();
    expect([openapi, Object.keys(paths).length > 40]).toEqual(['3.1.0', true]);
  });

  test('demo and lab do not exist unless they are registered', async () => {
    for (const at of ['/demo/outbox', '/demo/clock', '/lab', '/lab/x'])
      expect((await inject({ method: 'GET', url: at })).statusCode).toBe(404);
  });
});
