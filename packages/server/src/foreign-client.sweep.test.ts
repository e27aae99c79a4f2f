import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { localesDir } from '#server/compose.ts';
import { SYSTEM, setProvider } from '#server/identity/identity.ts';
import { registerEverything } from '#server/serve.ts';
import { atEnd } from '#test/at-end.ts';
import { createTestDatabase } from '#test/database.ts';
import { giveKeys, makeOrganisation } from '#test/factories.ts';
import { type Known, NOW, PHONE, deviceId, parameters } from '#test/foreign-calls.ts';
import { type ForeignAnswer, ForeignClient, type ForeignRequest } from '#test/foreign-client.ts';
import { LATER } from '#test/foreign-later.ts';
import { createTestApp, createUser, lastOtp } from '#test/http.ts';
import { CLIENT, openIdProvider } from '#test/openid-provider.ts';
import { createPhone } from '#test/phone.ts';
import { testSealer } from '#test/sealer.ts';
import { createServices } from '#test/services.ts';

let db: Awaited<ReturnType<typeof createTestDatabase>>;
let client: ForeignClient;
let phoneOf: (number: string) => ReturnType<typeof createPhone>;
const known: Known = {
  mobile: '',
  userId: '',
  accountId: '',
  customerId: '',
  manualCode: '',
  instalments: [],
  sessionId: '',
  readCode: () => lastOtp(db, 20, `+91${known.mobile}`),
  keepToken: (token) => {
    client.token = token;
  },
  async enrol(data) {
    expect(data).toMatchObject({ is_enrolled: false, image: expect.stringMatching(/^data:image\/png;base64,iVBOR/) });
    const bundle = JSON.parse(data.qr)['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'];
    const enrolled = await phoneOf(PHONE).enrol(bundle['kist.token']);
    expect(enrolled.status).toBe(200);
  },
};

/** As much of a built app as a client that is not ours asks for. */
function builtApp(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kist-foreign-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>EMI</title>');
  cpSync(localesDir, path.join(folder, 'locales'), { recursive: true });
  return folder;
}

beforeAll(async () => {
  db = await createTestDatabase();
  await makeOrganisation(db, 20);
  const user = await createUser(db);
  known.mobile = user.mobile.slice(3);
  await giveKeys(db, user, { count: 5 });
  const services = createServices(db);
  const provider = await openIdProvider();
  await db.operator.transaction(20, (tx) =>
    setProvider(
      tx,
      SYSTEM(20),
      { issuer: provider.issuer, client_id: CLIENT.client_id, secret: undefined, claim: 'email' },
      testSealer,
    ),
  );
  const { app } = await createTestApp({
    database: services.db,
    limitFactor: 1e6,
    settings: { localesDir, webDir: builtApp(), publicUrl: 'http://localhost:3210' },
    register: (made) => registerEverything(made, services, undefined),
  });
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  client = new ForeignClient(`http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`);
  phoneOf = (number) => createPhone(app.fastify, services.agents.key.spki, number);
  atEnd(() => services.waker.close());
});

const isOurs = ({ status, contentType, body }: ForeignAnswer): void => {
  expect(contentType).toBe('application/json; charset=utf-8');
  expect(body).toMatchObject({
    status,
    response: status === 200 ? 'success' : 'failure',
    message: expect.any(String),
    ...(status === 200 ? { data: expect.anything() } : { code: expect.stringMatching(/^[A-Z_]+$/) }),
  });
};

describe('a client written from the specification alone', () => {
  test('is told 511 in our shape by every call that needs a session, and nothing else by them', async () => {
    const open = /locales|get_org_app_config|get_app_configs|api\/auth\/(?!send-otp|logout)|signup_request|api\/csc/;
    for (const { call } of NOW.filter((step) => !open.test(step.call))) {
      const answer = await client.ask(call, { accept: 'text/html' });
      expect([call, answer.status, answer.body.code]).toEqual([call, 511, 'SESSION_REQUIRED']);
      isOurs(answer);
    }
  });

  // One run: each call stands on what the ones before it made.
  for (const [place, { call, send, status = 200, learn }] of NOW.slice(0, -1).entries())
    test(`${place + 1}. ${call}`, async () => {
      const answer = await client.ask(call, await send?.(known));
      expect([status].flat(), JSON.stringify(answer.body).slice(0, 400)).toContain(answer.status);
      if (!call.includes('locales')) isOurs(answer);
      await learn?.(call.includes('locales') ? answer.body : answer.body.data, known);
    });

  test('leaves no set-up code behind that could be opened once it is used', async () => {
    const kept = await db.asOwner<{ used: boolean; sealed: boolean }>(
      'select used_at is not null as used, sealed is not null as sealed from enrolment_tokens',
    );
    expect(kept).toEqual([{ used: true, sealed: false }]);
  });

  const kinds = [
    ...new Map(NOW.filter(({ call }) => !/locales|logout$/.test(call)).map((step) => [step.call, step])).values(),
  ];
  test.each(kinds)(
    '$call takes every parameter that the specification names, and no other',
    async ({ call, send, status: usual = 200 }) => {
      const given = (await send?.(known)) ?? {};
      const isRead = call.startsWith('GET');
      const withParameter = (name: string, value: string): ForeignRequest => ({
        ...given,
        ...(isRead
          ? { query: { [name]: value, ...given.query } }
          : { query: { [name]: value }, body: { [name]: value } }),
      });
      const complaints = async (name: string, value: string): Promise<string[]> => {
        const { status, body } = await client.ask(call, withParameter(name, value));
        if (isRead && name !== 'nobody_knows') expect([name, status]).toEqual([name, usual]);
        return (body.errors ?? []).flatMap((error: { path: string; code: string }) =>
          error.path === name && error.code === 'field.unknown' ? [name] : [],
        );
      };
      for (const [name, value] of Object.entries(parameters(known))) expect(await complaints(name, value)).toEqual([]);
      expect(await complaints('nobody_knows', '1')).toEqual(['nobody_knows']);
    },
  );

  test('gets what its parameters mean: each narrows the list, in whatever letters', async () => {
    const total = async (query: Record<string, string>) =>
      (await client.ask('GET /api/customer', { query })).body.data.total as number;
    for (const [name, hit, miss] of [
      ['customer_id', known.customerId, '01890a5d-ac96-774b-bcce-b302099a8057'],
      ['status', '1', '2'],
      ['deviceQuery', 'redMI', 'iphone'],
      ['device_query', PHONE.slice(2, 9), '99999999'],
      ['lock_status', '0', '1'],
      ['account_id', known.accountId, '01890a5d-ac96-774b-bcce-b302099a8057'],
      ['user_id', known.userId, '01890a5d-ac96-774b-bcce-b302099a8057'],
      ['retailer_id', known.userId, '01890a5d-ac96-774b-bcce-b302099a8057'],
      ['user_type', 'Retailer', 'MINIRETAILER'],
      ['app_type', '0', '2'],
      ['plan_id', '1', '2'],
      ['product_id', '1', '2'],
      ['serial_number', 'SER1', 'SER2'],
      ['search', 'savita', 'nobody'],
      ['from', '2020-01-01', '2090-01-01'],
      ['to', '2090-01-01', '2020-01-01'],
    ] as const)
      expect([name, await total({ [name]: hit }), await total({ [name]: miss })]).toEqual([name, 1, 0]);
  });

  test('finds what is not served yet missing by our own word, never as a page', async () => {
    expect(LATER).toHaveLength(49);
    for (const call of LATER)
      for (const method of ['GET', 'POST']) {
        const answer = await client.ask(`${method} ${call}`, { accept: 'text/html' });
        expect([call, method, answer.body.code]).toEqual([call, method, 'NOT_FOUND']);
        isOurs(answer);
      }
  });

  test('logs out, and every call after that is 511', async () => {
    const { call } = NOW.at(-1)!;
    isOurs(await client.ask(call, { body: { device_id: deviceId } }));
    expect((await client.ask('GET /api/customer')).status).toBe(511);
  });
});
