import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { createRateCounter } from '#server/platform/rate-counter.ts';
import { makeRetailer } from '#test/factories.ts';
import {
  createOrganisation,
  createSession,
  createTestApp,
  createUser,
  emmHeader,
  newMobile,
  type TestApp,
} from '#test/http.ts';
import { createRequestLimits } from './request-limits.ts';
import { authRoutes } from './routes/auth.ts';
import { organisationRoutes } from './routes/organisation.ts';

const locales = mkdtempSync(path.join(tmpdir(), 'kist-locales-'));
afterAll(() => rmSync(locales, { recursive: true }));

let it: TestApp;
let token: string;
beforeAll(async () => {
  writeFileSync(
    path.join(locales, 'en.json'),
    JSON.stringify({
      errors: { RATE_LIMITED: 'Wait {{retry_after_s}} s.' },
      field: { required: 'This is a required field.' },
    }),
  );
  writeFileSync(
    path.join(locales, 'hn.json'),
    JSON.stringify({ errors: { RATE_LIMITED: '{{retry_after_s}} सेकंड रुकें।' }, field: { required: 'यह ज़रूरी है।' } }),
  );
  it = await createTestApp({
    limitFactor: 0.1,
    settings: { localesDir: locales, trustedProxies: ['127.0.0.1'] },
    register: (app) => {
      organisationRoutes(app);
      authRoutes(app);
    },
  });
  await createOrganisation(it.db, { orgId: 20 });
  token = await createSession(it.db, await createUser(it.db, { language: 'hn' }));
});

const from = (ip: string) => ({ 'x-forwarded-for': ip });

describe('limits', () => {
  test('sign-in is limited by address, far below other calls, and says when to come back', async () => {
    const minute = () => Math.floor(Date.now() / 60_000);
    const sevenFrom = async (address: string) => {
      const codes: (string | undefined)[] = [];
      for (let n = 0; n < 7; n++) {
        const { code, headers, details, message } = await it.call('loginWithOtp', {
          body: { mobile: newMobile() },
          headers: from(address),
        });
        codes.push(code);
        if (code === undefined) continue;
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        expect([details, message]).toEqual([
          { retry_after_s: Number(headers['retry-after']) },
          `Wait ${headers['retry-after']} s.`,
        ]);
      }
      return codes;
    };
    // They are counted by the minute: where one ends meanwhile, another address asks within the next.
    const began = minute();
    let address = '10.0.0.1';
    let codes = await sevenFrom(address);
    if (minute() !== began) {
      address = '10.0.0.3';
      codes = await sevenFrom(address);
    }
    expect(codes).toEqual([...Array.from({ length: 6 }, () => undefined), 'RATE_LIMITED']);
    expect((await it.call('loginWithOtp', { body: { mobile: newMobile() }, headers: from('10.0.0.2') })).status).toBe(
      200,
    );
    expect((await it.call('getOrgAppConfig', { headers: from(address) })).status).toBe(200);
  });

  test('an account is limited wherever it comes from', async () => {
    const mine = await createSession(it.db, await createUser(it.db));
    const statuses: number[] = [];
    for (let n = 0; n < 91; n++)
      statuses.push((await it.call('getAccessConfig', { token: mine, headers: from(`10.1.0.${n}`) })).status);
    expect([statuses.indexOf(429), (await it.call('getAccessConfig', { token })).status]).toEqual([90, 200]);
  });

  test('an organisation is limited whoever of it asks, and no other organisation with it', async () => {
    const counter = createRateCounter(it.db.devicePool, (error) => expect.fail(String(error)));
    // One call of an account, 120 of an organisation.
    const limits = createRequestLimits({ counter, firstUse: async () => true, factor: 0.002 });
    await createOrganisation(it.db, { orgId: 22 });
    const one = await makeRetailer(it.db, 22);
    const ask = async (orgId: number) => limits.account({ ...one, orgId, userId: newId() });
    for (let n = 0; n < 120; n += 1) await ask(22);
    await expect(ask(22)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await ask(23);
  });
});

describe('the language of an answer', () => {
  const messageFor = async (headers: Record<string, string>, withToken = false) => {
    const reply = await it.app.fastify.inject({
      method: 'POST',
      url: '/api/auth/send-otp-to-user',
      payload: {},
      headers: {
        'x-emm-auth-session': emmHeader('/api/auth/send-otp-to-user'),
        ...(withToken ? { authorization: `bearer ${token}` } : {}),
        ...from('10.3.0.1'),
        ...headers,
      },
    });
    return reply.json<{ errors?: { message: string }[]; code: string }>().errors?.[0]?.message;
  };

  test("is the screen's, else the user's, else the browser's, else English", async () => {
    const [en, hn] = ['This is a required field.', 'यह ज़रूरी है।'];
    expect(await messageFor({}, true)).toBe(hn);
    expect(await messageFor({ 'x-language': 'en' }, true)).toBe(en);
    expect(await messageFor({ cookie: 'a=b; i18next=en' }, true)).toBe(en);
    expect(await messageFor({ 'accept-language': 'en-IN' }, true)).toBe(hn);
    const field = async (headers: Record<string, string>) =>
      (await it.call('loginWithOtp', { rawBody: {}, headers: { ...from('10.2.0.1'), ...headers } })).errors?.[0]
        ?.message;
    expect(await field({ 'accept-language': 'xx, hi-IN;q=0.9, en;q=0.8' })).toBe(hn);
    expect(await field({ 'accept-language': '*' })).toBe(en);
    // A language that lacks the sentence borrows the English one.
    expect(await field({ 'x-language': 'tm' })).toBe(en);
  });
});
