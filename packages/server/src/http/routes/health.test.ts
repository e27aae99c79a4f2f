import { expect, test } from 'vitest';
import { createTestApp } from '#test/http.ts';
import { healthRoutes } from './health.ts';

test('ready is who does without something meanwhile, and nobody who lacks what is needed', async () => {
  const states = { pictures: 'away' as 'away' | undefined };
  const { app: other } = await createTestApp({
    register: healthRoutes,
    readiness: { pictures: async () => states.pictures },
  });
  const ready = async () => (await other.fastify.inject({ method: 'GET', url: '/readyz' })).json<unknown>();
  expect(await ready()).toEqual({ status: 'ready', checks: { database: 'ok', pictures: 'away' } });
  states.pictures = undefined;
  expect(await ready()).toEqual({ status: 'ready', checks: { database: 'ok', pictures: 'ok' } });
  const { app: third } = await createTestApp({
    register: healthRoutes,
    readiness: { pictures: () => Promise.reject(new Error('another')) },
  });
  const refused = await third.fastify.inject({ method: 'GET', url: '/readyz' });
  expect([refused.statusCode, refused.json<{ checks: object }>().checks]).toEqual([
    503,
    { database: 'ok', pictures: 'failed' },
  ]);
});
