import { beforeAll, describe, expect, test } from 'vitest';
import type { UserType } from '@kist/contract/codes';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { Endpoint } from '@kist/contract/endpoint';
import { ERRORS } from '@kist/contract/errors';
import type { CallName } from '@kist/contract/paths';
import { newId } from '#server/platform/ids.ts';
import {
  createOrganisation,
  createSession,
  createTestApp,
  createUser,
  type CallInput,
  type TestApp,
} from '#test/http.ts';
import { AGENT_PATHS } from '@kist/contract/agent';
import { LINKED_AGENT_PATH } from '@kist/contract/linked-phone';
import { openApiDocument } from './openapi.ts';
import { route } from './route.ts';

const calls = Object.entries(ENDPOINTS) as [CallName, Endpoint][];
const reached: string[] = [];
let it: TestApp;
const tokens: Record<UserType, string> = {
  retailer: '',
  miniretailer: '',
  customer: '',
  admin: '',
};

beforeAll(async () => {
  it = await createTestApp({
    limitFactor: 1e6,
    register: (app) => {
      for (const [name] of calls)
        route(app, name, async () => {
          reached.push(name);
          throw new Error('reached');
        });
    },
  });
  await createOrganisation(it.db, { orgId: 20 });
  for (const userType of ['retailer', 'miniretailer', 'customer', 'admin'] as const)
    tokens[userType] = await createSession(
      it.db,
      await createUser(it.db, { userType, ...(userType === 'customer' ? { customerId: newId() } : {}) }),
    );
});
const ask = (name: CallName, input: CallInput<CallName> = {}) =>
  it.call(name, { params: { device_id: newId(), batch_id: newId(), command: 'lock' }, ...input });

describe('of every call in the contract,', () => {
  test.each(calls.filter(([, { auth }]) => auth !== 'public'))('%s is closed without a session', async (name) => {
    const { status, code } = await ask(name, { rawBody: {} });
    expect([status, code]).toEqual([511, 'SESSION_REQUIRED']);
  });

  test.each(calls.filter(([, { auth }]) => typeof auth !== 'string'))(
    '%s is closed to other user types',
    async (name, { auth }) => {
      for (const userType of ['retailer', 'miniretailer', 'customer', 'admin'] as const) {
        const { status, code } = await ask(name, { token: tokens[userType], rawBody: {} });
        expect([userType, code === 'FORBIDDEN']).toEqual([
          userType,
          typeof auth !== 'string' && !auth.includes(userType),
        ]);
        if (code === 'FORBIDDEN') expect(status).toBe(403);
      }
    },
  );

  test.each(calls)(
    '%s refuses a stale request and an unknown field before anything happens',
    async (name, endpoint) => {
      reached.length = 0;
      const token =
        endpoint.auth === 'public'
          ? undefined
          : tokens[typeof endpoint.auth === 'string' ? 'retailer' : (endpoint.auth[0] ?? 'retailer')];
      const stale = await ask(name, { token, rawBody: {}, headers: { 'x-emm-auth-session': 'ff:ff' } });
      expect([stale.status, stale.code]).toEqual([400, 'STALE_REQUEST']);
      const unknown = await ask(name, { token, query: { nobody_knows: 1 } as never, rawBody: {} });
      expect([unknown.status, unknown.code, unknown.errors?.some(({ path }) => path === 'nobody_knows')]).toEqual([
        400,
        'INVALID_INPUT',
        true,
      ]);
      if (endpoint.body && !endpoint.multipart) {
        const inBody = await ask(name, { token, rawBody: { nobody_knows: 1 } });
        expect([inBody.status, inBody.code]).toEqual([400, 'INVALID_INPUT']);
      }
      expect(reached).toEqual([]);
    },
  );

  test('the OpenAPI document names each once, with the statuses it may answer', async () => {
    const document = openApiDocument() as {
      paths: Record<
        string,
        Record<string, { operationId: string; tags: string[]; responses: Record<string, unknown> }>
      >;
    };
    const all = Object.values(document.paths).flatMap((path) => Object.values(path));
    const [operations, ofPhones] = [false, true].map((is) => all.filter(({ tags }) => tags.includes('agent') === is));
    for (const path of [...Object.values(AGENT_PATHS), LINKED_AGENT_PATH])
      expect(document.paths).toHaveProperty([path]);
    // A phone might take a 401 as the end of its management.
    for (const { responses } of ofPhones!) expect(responses).not.toHaveProperty('401');
    expect(operations!.map(({ operationId }) => operationId).toSorted()).toEqual(
      calls.map(([name]) => name).toSorted(),
    );
    for (const { operationId, responses } of operations!) {
      const { auth, errors = [] } = ENDPOINTS[operationId as CallName] as Endpoint;
      const expected = [
        '200',
        '400',
        '429',
        ...(auth === 'public' ? [] : ['511']),
        ...errors.map((code) => String(ERRORS[code].status)),
      ];
      for (const status of expected) expect(responses, operationId).toHaveProperty(status);
    }
  });
});
