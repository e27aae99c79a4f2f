import type { InjectOptions } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { newId, newToken } from '#server/platform/ids.ts';
import { createOrganisation, createSession, createTestApp, createUser, emmHeader, type TestApp } from '#test/http.ts';
import { CommittedRefusal } from './committed-refusal.ts';
import { route } from './route.ts';
import { authRoutes } from './routes/auth.ts';
import { organisationRoutes } from './routes/organisation.ts';
import { sessionRoutes } from './routes/sessions.ts';

let it: TestApp;
let token: string;
beforeAll(async () => {
  it = await createTestApp({
    register: (app) => {
      organisationRoutes(app);
      authRoutes(app);
      sessionRoutes(app);
      route(app, 'deleteDraft', async ({ tx, body }) => {
        if (body.customer_id.startsWith('00000000')) throw new Error(`secret of ${body.customer_id}`);
        await tx.query(`insert into outbox (org_id, id, topic, payload) values (kist_org(), $1, 'test.effect', $2)`, [
          newId(),
          JSON.stringify(body),
        ]);
        if (body.customer_id.startsWith('11111111')) throw new KistError('STATE_CONFLICT');
        if (body.customer_id.startsWith('22222222'))
          return new CommittedRefusal(
            new KistError('POLICY_REFUSED', { details: { verdict: { rule: 'consent' } }, params: { rule: 'consent' } }),
          );
        return { keys_returned: 1 };
      });
      route(app, 'uploadSignature', async ({ file, body }) => {
        if (file.filename !== 's.png' || file.bytes.length === 0) throw new Error('not the file that was sent');
        return { document_id: body.customer_id };
      });
      route(app, 'getDevice', async () => ({ device: 'not what the contract says' }) as never);
    },
  });
  await createOrganisation(it.db, { orgId: 20 });
  await createOrganisation(it.db, { orgId: 31, slug: 'second', host: 'shop.example' });
  token = await createSession(it.db, await createUser(it.db));
});

const inject = (options: InjectOptions) => it.app.fastify.inject(options);
const sent = async (key: string) =>
  (
    await it.db.read(20, (tx) =>
      tx.query<{ n: number }>(`select count(*)::int as n from outbox where payload->>'customer_id' = $1`, [key]),
    )
  ).rows[0]?.n;
const url = '/api/config/access-config';

describe('freshness', () => {
  const ask = (header: string | undefined) =>
    it.call('getAccessConfig', { token, headers: { 'x-emm-auth-session': header } });

  test('a request is fresh within five minutes of real time, either way', async () => {
    for (const seconds of [-295, 0, 295])
      expect((await ask(emmHeader(url, Date.now() + seconds * 1000))).status).toBe(200);
    for (const seconds of [-305, 305]) {
      const { status, code, headers } = await ask(emmHeader(url, Date.now() + seconds * 1000));
      expect([status, code]).toEqual([400, 'STALE_REQUEST']);
      expect(Math.abs(Number(headers['x-server-time']) - Date.now())).toBeLessThan(5000);
    }
  });

  test('missing, malformed or made for another address is stale, also before a call without session', async () => {
    const valid = emmHeader(url);
    for (const header of [
      undefined,
      '',
      'x',
      valid.slice(1),
      `${valid}00`,
      emmHeader(`${url}?x=1`),
      valid.replace(':', ''),
    ]) {
      const { status, code } = await ask(header);
      expect([header, status, code]).toEqual([header, 400, 'STALE_REQUEST']);
    }
    expect((await it.call('getOrgAppConfig', { headers: { 'x-emm-auth-session': undefined } })).code).toBe(
      'STALE_REQUEST',
    );
    expect((await ask(valid.toUpperCase())).status).toBe(200);
  });

  test('the key covers path and query exactly as sent', async () => {
    const path = '/api/organizations/get_org_app_config?%C3%A9=%20';
    const reply = await inject({ method: 'GET', url: path, headers: { 'x-emm-auth-session': emmHeader(path) } });
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('the same value changes something once, on one process or another; a read may repeat', async () => {
    const other = await createTestApp({ database: it.db, register: sessionRoutes });
    const header = emmHeader('/api/sessions/logout-my-session');
    const change = (app: TestApp) =>
      app.call('logoutMySession', { token, body: { all_others: true }, headers: { 'x-emm-auth-session': header } });
    const replies = await Promise.all([change(it), change(other), change(it), change(other)]);
    expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.code).toBe('REPLAYED_REQUEST');
    const read = emmHeader(url);
    expect([(await ask(read)).status, (await ask(read)).status]).toEqual([200, 200]);
  });
});

describe('organisation', () => {
  const orgOf = async (headers: Record<string, string>, at = '/api/organizations/get_org_app_config') =>
    (await inject({ method: 'GET', url: at, headers: { 'x-emm-auth-session': emmHeader(at), ...headers } })).json<{
      data: { orgId: number };
    }>().data.orgId;

  test('comes from the session, else the host, else the slug, else the default', async () => {
    expect(await orgOf({})).toBe(20);
    expect(await orgOf({ 'x-org': 'second' })).toBe(31);
    expect(await orgOf({ host: 'shop.example', 'x-org': 'org-20' })).toBe(31);
    expect(await orgOf({ host: 'shop.example', authorization: `bearer ${token}` })).toBe(20);
  });

  test('is the host’s also where its name is written whole, with the dot of the root; two dots are nobody’s', async () => {
    for (const host of ['shop.example.', 'Shop.Example.', 'shop.example.:3000', 'SHOP.example'])
      expect([host, await orgOf({ host })]).toEqual([host, 31]);
    for (const host of ['shop.example..', '.shop.example', 'shop..example', '.'])
      expect([host, await orgOf({ host })]).toEqual([host, 20]);
  });

  test('that nobody set up is refused by name, and nothing is written for it', async () => {
    const at = '/api/auth/loginWithOtp';
    const ask = (headers: Record<string, string>, app = it.app) =>
      app.fastify.inject({
        method: 'POST',
        url: at,
        headers: { 'x-emm-auth-session': emmHeader(at), ...headers },
        payload: { mobile: '9000000077' },
      });
    const unknown = await ask({ 'x-org': 'nobody' });
    expect([unknown.statusCode, unknown.json<{ code: string }>().code]).toEqual([404, 'ORGANISATION_UNKNOWN']);
    const empty = await createTestApp({
      database: it.db,
      settings: { defaultOrgId: 77 },
      register: authRoutes,
    });
    expect((await ask({}, empty.app)).json<{ code: string }>().code).toBe('ORGANISATION_UNKNOWN');
    // A token may name any number; this one's organisation is 777.
    const forged = { authorization: `bearer ll.${newToken()}` };
    expect((await ask(forged, empty.app)).json<{ code: string }>().code).toBe('ORGANISATION_UNKNOWN');
    expect((await ask(forged)).statusCode).toBe(200);
    expect((await it.call('getAccessConfig', { token: `ll.${newToken()}` })).code).toBe('SESSION_REQUIRED');
    for (const orgId of [77, 777]) {
      const { rows } = await it.db.read(orgId, (tx) =>
        tx.query('select 1 from otps union all select 1 from outbox union all select 1 from idempotency_keys'),
      );
      expect(rows).toEqual([]);
    }
  });

  test('that was set up a moment ago is served', async () => {
    const app = await createTestApp({
      database: it.db,
      settings: { defaultOrgId: 78 },
      register: organisationRoutes,
    });
    expect((await app.call('getOrgAppConfig')).code).toBe('ORGANISATION_UNKNOWN');
    await createOrganisation(it.db, { orgId: 78 });
    expect((await app.call('getOrgAppConfig')).data.orgId).toBe(78);
  });

  test('a session of one organisation is none in another', async () => {
    const elsewhere = token.replace(/^k\./, 'v.');
    expect((await it.call('getAccessConfig', { token: elsewhere })).code).toBe('SESSION_REQUIRED');
  });

  test('x-forwarded headers of a stranger are not believed', async () => {
    expect(await orgOf({ 'x-forwarded-host': 'shop.example' })).toBe(20);
  });

  test('of a trusted proxy the last name that it was asked by counts, and its own where it tells none', async () => {
    const behind = await createTestApp({
      database: it.db,
      settings: { trustedProxies: ['127.0.0.1'] },
      register: organisationRoutes,
    });
    const org = async (headers: Record<string, string>) =>
      (await behind.call('getOrgAppConfig', { headers })).data.orgId;
    expect(await org({ host: 'shop.example' })).toBe(31);
    expect(await org({ 'x-forwarded-host': 'shop.example.' })).toBe(31);
    expect(await org({ host: 'shop.example', 'x-forwarded-host': 'shop.example, elsewhere.example' })).toBe(20);
  });
});

describe('idempotent calls', () => {
  test('happen once for a key, also when sent at once, and reply alike', async () => {
    const body = { customer_id: newId() };
    const idempotencyKey = newId();
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => it.call('deleteDraft', { token, body, idempotencyKey })),
    );
    expect(new Set(replies.map(({ text }) => text))).toHaveProperty('size', 1);
    expect([replies[0]?.data, await sent(body.customer_id)]).toEqual([{ keys_returned: 1 }, 1]);
    const conflict = await it.call('deleteDraft', { token, body: { customer_id: newId() }, idempotencyKey });
    expect([conflict.status, conflict.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  test('need a key, and keys of different users never meet', async () => {
    const body = { customer_id: newId() };
    for (const idempotencyKey of ['', 'x', '123']) {
      const { status, code } = await it.call('deleteDraft', {
        token,
        body,
        headers: { 'idempotency-key': idempotencyKey },
      });
      expect([status, code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED']);
    }
    const idempotencyKey = newId();
    const neighbour = await createSession(it.db, await createUser(it.db));
    await it.call('deleteDraft', { token, body, idempotencyKey });
    await it.call('deleteDraft', { token: neighbour, body, idempotencyKey });
    expect(await sent(body.customer_id)).toBe(2);
  });

  test('without a key the freshness value stands in: its repeat gets the first reply, a new one is a new order', async () => {
    const url = '/api/customer/delete-draft';
    const ask = (freshness: string, customerId: string) =>
      it.call('deleteDraft', {
        token,
        body: { customer_id: customerId },
        headers: { 'idempotency-key': undefined, 'x-emm-auth-session': freshness },
      });
    const [value, customerId] = [emmHeader(url), newId()];
    const first = await ask(value, customerId);
    expect([first.data, await sent(customerId)]).toEqual([{ keys_returned: 1 }, 1]);
    expect(
      (await Promise.all([ask(value, customerId), ask(value.toUpperCase(), customerId)])).map((it) => it.text),
    ).toEqual([first.text, first.text]);
    expect(await ask(value, newId())).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
    expect(await sent(customerId)).toBe(1);
    await ask(emmHeader(url), customerId);
    expect(await sent(customerId)).toBe(2);
    // Nothing was kept of a first try that failed: its repeat is only a replay.
    const [lost, conflict] = [emmHeader(url), newId().replace(/^.{8}/, '11111111')];
    expect((await ask(lost, conflict)).code).toBe('STATE_CONFLICT');
    expect(await ask(lost, conflict)).toMatchObject({ status: 409, code: 'REPLAYED_REQUEST' });
  });

  test('a thrown error undoes everything and leaves the key free; a refusal keeps what was written and replies the same again', async () => {
    const conflict = { customer_id: newId().replace(/^.{8}/, '11111111') };
    const refused = { customer_id: newId().replace(/^.{8}/, '22222222') };
    expect((await it.call('deleteDraft', { token, body: conflict })).code).toBe('STATE_CONFLICT');
    expect(await sent(conflict.customer_id)).toBe(0);
    const idempotencyKey = newId();
    const first = await it.call('deleteDraft', { token, body: refused, idempotencyKey });
    expect([first.status, first.code, first.details]).toEqual([
      422,
      'POLICY_REFUSED',
      { verdict: { rule: 'consent' } },
    ]);
    expect((await it.call('deleteDraft', { token, body: refused, idempotencyKey })).text).toBe(first.text);
    expect(await sent(refused.customer_id)).toBe(1);
  });
});

describe('bad requests', () => {
  const post = (payload: string | Buffer, headers: Record<string, string> = {}, at = '/api/auth/loginWithOtp') =>
    inject({
      method: 'POST',
      url: at,
      payload,
      headers: { 'x-emm-auth-session': emmHeader(at), 'content-type': 'application/json', ...headers },
    });
  const codeOf = async (...args: Parameters<typeof post>) => {
    const reply = await post(...args);
    return [reply.statusCode, reply.json<{ code: string }>().code];
  };

  test('JSON that is none, poisons prototypes or is no object is refused by name', async () => {
    for (const text of ['{', ' ', '{"a":}', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}'])
      expect([text, ...(await codeOf(text))]).toEqual([text, 400, 'INVALID_JSON']);
    for (const text of ['[]', 'null', '"x"', '7'])
      expect([text, ...(await codeOf(text))]).toEqual([text, 400, 'INVALID_INPUT']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('text PostgreSQL can not keep never reaches it', async () => {
    for (const text of [
      '{"mobile":"9\\u0000"}',
      '{"mobile":"\\ud800"}',
      `{"mobile":${'['.repeat(500)}${']'.repeat(500)}}`,
    ])
      expect(await codeOf(text)).toEqual([400, 'INVALID_INPUT']);
  });

  test('bodies beyond 256 KB, other types and broken lengths have their own codes', async () => {
    const large = await post(JSON.stringify({ mobile: 'x'.repeat(LIMITS.bodyBytes) }));
    expect([large.statusCode, large.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'TOO_LARGE', details: { max: '256 KB', max_bytes: LIMITS.bodyBytes } }),
    ]);
    expect(await codeOf('x=1', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
    expect(await codeOf('hello', { 'content-type': 'text/plain' })).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test('a form is read with its limits: 5 MB, one file, known fields', async () => {
    const form = (parts: string) =>
      post(
        Buffer.from(parts.replaceAll('\n', '\r\n'), 'latin1'),
        { 'content-type': 'multipart/form-data; boundary=b', authorization: `bearer ${token}` },
        '/upload/signature',
      );
    const field = (value: string) => `--b\nContent-Disposition: form-data; name="customer_id"\n\n${value}\n`;
    const file = (size: number) =>
      `--b\nContent-Disposition: form-data; name="file"; filename="s.png"\nContent-Type: image/png\n\n${'x'.repeat(size)}\n`;
    const id = newId();
    expect((await form(`${field(id)}${file(100)}--b--\n`)).json()).toMatchObject({
      status: 200,
      data: { document_id: id },
    });
    const others = Array.from({ length: 21 }, (_, n) => field('x').replace('customer_id', `f${n}`)).join('');
    const cases: [parts: string, status: number, code: string, path?: string, why?: string, max?: string][] = [
      [`${field(id)}--b--\n`, 400, 'INVALID_INPUT'],
      [`${field('x')}${file(10)}--b--\n`, 404, 'NOT_FOUND'],
      [`${field(id)}${field(id)}${file(10)}--b--\n`, 400, 'INVALID_INPUT'],
      [`${field(id)}${file(10)}${file(10)}--b--\n`, 400, 'INVALID_INPUT', 'file', 'field.too_much'],
      [`${others}${file(10)}--b--\n`, 400, 'INVALID_INPUT', '', 'field.form_fields'],
      [`${field(id)}${file(LIMITS.uploadBytes + 1)}--b--\n`, 413, 'TOO_LARGE', 'file', 'field.too_large', '5 MB'],
      [`${field(id)}${file(10)}`, 400, 'INVALID_INPUT'],
      ['', 400, 'INVALID_INPUT'],
    ];
    for (const [parts, status, code, path, why, max] of cases) {
      const reply = await form(parts);
      const said = reply.json<{ code: string; errors?: { path: string; code: string }[]; details?: { max: string } }>();
      expect([parts.length, reply.statusCode, said.code]).toEqual([parts.length, status, code]);
      if (path !== undefined) expect(said.errors).toEqual([expect.objectContaining({ path, code: why })]);
      expect(said.details?.max).toBe(max);
    }
  });

  test('unknown addresses are 404 and wrong methods 405, in the envelope', async () => {
    const unknown = await inject({ method: 'GET', url: '/api/nothing' });
    expect([unknown.statusCode, unknown.json()]).toEqual([
      404,
      expect.objectContaining({ status: 404, response: 'failure', code: 'NOT_FOUND' }),
    ]);
    const wrong = await inject({ method: 'DELETE', url: '/api/auth/logout' });
    expect([wrong.statusCode, wrong.headers['allow'], wrong.json<{ code: string }>().code]).toEqual([
      405,
      'POST',
      'METHOD_NOT_ALLOWED',
    ]);
    const byId = await inject({ method: 'POST', url: `/api/device/${newId()}` });
    expect([byId.statusCode, byId.headers['allow']]).toEqual([405, 'GET, HEAD']);
    const notThere = await inject({ method: 'POST', url: '/api/device/get_device_bypass_code' });
    expect([notThere.statusCode, notThere.headers['allow']]).toEqual([404, undefined]);
    const badUrl = await inject({ method: 'GET', url: '/api/%zz' });
    expect([badUrl.statusCode, badUrl.json<{ code: string }>().code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('what we did not foresee is INTERNAL and says nothing else', async () => {
    const id = newId().replace(/^.{8}/, '00000000');
    const { status, code, text } = await it.call('deleteDraft', { token, body: { customer_id: id } });
    expect([status, code, text.includes('secret'), text.includes('stack')]).toEqual([500, 'INTERNAL', false, false]);
    // A reply that is not what the contract says goes out to nobody.
    expect((await it.call('getDevice', { token, params: { device_id: newId() } })).code).toBe('INTERNAL');
  });
});
