import { beforeAll, expect, test } from 'vitest';
import { type TestApp, createTestApp } from '#test/http.ts';
import { linkedPhoneRoutes } from './linked-phone.ts';

let http: TestApp;
beforeAll(async () => {
  http = await createTestApp({
    register: (app) =>
      linkedPhoneRoutes(app, {
        component: 'in.kist.agent/.AdminReceiver',
        packageUrl: 'https://kist.example/agent/kist-agent.apk',
        signatureChecksum: Buffer.alloc(32, 0xab).toString('base64url'),
      }),
  });
});
const get = (url: string) => http.app.fastify.inject({ method: 'GET', url });

test('whoever opens the link of a phone in use fetches the agent, without an account', async () => {
  const answer = await get('/emm/linkflapk');
  expect(answer.statusCode).toBe(302);
  expect(answer.headers).toMatchObject({
    location: 'https://kist.example/agent/kist-agent.apk',
    'cache-control': 'no-store',
  });
});

test('Android learns which program may open that link, by the certificate it is signed with', async () => {
  const answer = await get('/.well-known/assetlinks.json');
  expect(answer.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'in.kist.agent',
        sha256_cert_fingerprints: [Array.from({ length: 32 }, () => 'AB').join(':')],
      },
    },
  ]);
});
