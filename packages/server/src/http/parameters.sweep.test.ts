import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { Endpoint } from '@kist/contract/endpoint';
import { ERROR_CODES } from '@kist/contract/errors';
import type { CallName } from '@kist/contract/paths';
import { newId } from '#server/platform/ids.ts';
import { createSession, createUser, emmHeader } from '#test/http.ts';
import { leaveUnused } from './foreign-names.ts';
import { HOSTILE_JSON, HOSTILE_QUERY } from '#test/hostile.ts';
import { type Leaf, leavesOf, sampleOf, variantsOf, withAt } from '#test/samples.ts';
import { SMS_SECRET, sendForm, useWholeShops } from '#test/whole-shop.ts';

const world = useWholeShops();
const calls = Object.entries(ENDPOINTS) as [CallName, Endpoint][];
const atOnce = 25;
const seed = 20_261_122;

interface Reply {
  statusCode: number;
  payload: string;
}
interface Try {
  call: string;
  /** What was made hostile, dotted; and whether the contract refuses it. */
  path: string;
  isRefused: boolean;
  /** What is refused would pass by itself: it is at odds with another, which the answer may name instead. */
  isAtOdds?: boolean;
  shown: string;
  send(): Promise<Reply>;
}

const dotted = (path: readonly (string | number)[]) => path.join('.');
const isNamed = (field: string, path: string) =>
  field === path || field.startsWith(`${path}.`) || path.startsWith(`${field}.`);

/** @returns what is wrong with an answer; undefined when it is ours and, for what the contract refuses, names the field. */
function faultOf({ path, isRefused, isAtOdds = false }: Try, { statusCode, payload }: Reply): string | undefined {
  if (statusCode >= 500 && statusCode !== 511) return 'the server failed';
  const body = JSON.parse(payload) as { status: number; response: string; code?: string; errors?: { path: string }[] };
  if (body.status !== statusCode) return 'not our envelope';
  if (body.response !== 'success' && !(ERROR_CODES as string[]).includes(body.code ?? '')) return 'no code of ours';
  if (!isRefused) return undefined;
  if (statusCode === 200) return 'passed';
  const errors = body.errors ?? [];
  const saysWhere = body.code === 'INVALID_INPUT' && errors.some((field) => isAtOdds || isNamed(field.path, path));
  return saysWhere || body.code === 'INVALID_JSON' || body.code === 'NOT_FOUND' ? undefined : 'does not name the field';
}

/** Sends all and looks at every answer. @returns the first that are not as they should be */
async function faultsOf(tries: Try[]): Promise<string[]> {
  const faults: string[] = [];
  for (let start = 0; start < tries.length; start += atOnce) {
    const batch = tries.slice(start, start + atOnce);
    const replies = await Promise.all(batch.map((one) => one.send()));
    for (const [index, reply] of replies.entries()) {
      const one = batch[index]!;
      const fault = faultOf(one, reply);
      if (fault !== undefined)
        faults.push(
          `${one.call} ${one.path} = ${one.shown}: ${fault}: ${reply.statusCode} ${reply.payload.slice(0, 200)}`,
        );
    }
  }
  return faults.slice(0, 20);
}

/** The ids of the caller's own things, so that what the contract lets pass reaches the database. */
const known = (): Record<string, unknown> => ({
  ...world.own.ids,
  plan_id: 1,
  cash_price: 1_000_000,
  down_payment: 0,
  method: 'FLAT',
  command: 'lock',
  all_others: true,
  draft: false,
});

const HOLE = '"the hole for the hostile value"';
const holeAt = (sample: unknown, path: readonly (string | number)[], raw: string) =>
  JSON.stringify(withAt(sample, path, JSON.parse(HOLE))).replace(HOLE, () => raw);
const refuses = (schema: z.ZodType, text: string): boolean => {
  try {
    return !schema.safeParse(leaveUnused(schema, false)(JSON.parse(text))).success;
  } catch {
    return true;
  }
};

function urlOf(endpoint: Endpoint, change: { param?: [string, string]; query?: string } = {}): string {
  const params = (endpoint.params ? sampleOf(endpoint.params, known()) : {}) as Record<string, string>;
  const path = endpoint.path.replace(/:(\w+)/g, (_whole, key: string) =>
    change.param?.[0] === key ? change.param[1] : encodeURIComponent(params[key] ?? ''),
  );
  return change.query === undefined ? path : `${path}?${change.query}`;
}

const inject = (endpoint: Endpoint, url: string, token: string, payload?: string): Promise<Reply> =>
  world.http.app.fastify.inject({
    method: endpoint.method,
    url,
    headers: {
      'x-emm-auth-session': emmHeader(url),
      authorization: `bearer ${token}`,
      'idempotency-key': newId(),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { payload }),
  });

/** A session that a call may end: of the shop, of its customer where only customers may ask, or of the administrator where only that one may. */
async function freshToken(auth?: Endpoint['auth']): Promise<string> {
  const types = auth === undefined || typeof auth === 'string' ? ['retailer'] : auth;
  const { orgId, userId } = world.own.actor;
  if (types.includes('retailer')) return createSession(world.db, { orgId, userId, mobile: '' });
  if (types.includes('customer')) {
    // What came before may have changed the number on file, which ends the login.
    const customerId = world.own.ids.customer_id;
    return createSession(world.db, await createUser(world.db, { orgId, userType: 'customer', customerId }));
  }
  return createSession(world.db, await createUser(world.db, { orgId, userType: 'admin' }));
}

function bodyTries(name: CallName, endpoint: Endpoint, token: string): Try[] {
  if (!endpoint.body || endpoint.multipart) return [];
  return variantsOf(endpoint.body).flatMap((schema) => {
    const sample = sampleOf(schema, known());
    return leavesOf(schema).flatMap(({ path, schema: own }: Leaf) =>
      HOSTILE_JSON.map((raw): Try => {
        const text = holeAt(sample, path, raw);
        return {
          call: name,
          path: dotted(path),
          isRefused: refuses(endpoint.body!, text),
          isAtOdds: !refuses(own as z.ZodType, raw),
          shown: raw.slice(0, 60),
          send: () => inject(endpoint, urlOf(endpoint), token, text),
        };
      }),
    );
  });
}

const plainQuery = (sample: Record<string, unknown>, without: string): string[] =>
  Object.entries(sample)
    .filter(([key, value]) => key !== without && value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);

function queryTries(name: CallName, endpoint: Endpoint, token: string): Try[] {
  if (!endpoint.query) return [];
  const sample = sampleOf(endpoint.query, known()) as Record<string, unknown>;
  const body = endpoint.body && JSON.stringify(sampleOf(endpoint.body, known()));
  return Object.keys(sample).flatMap((key) => {
    const ways = [
      ...HOSTILE_QUERY.map((raw) => `${key}=${raw}`),
      `${key}=1&${key}=2`,
      `${key}[]=1`,
      `${key}[x]=1`,
      `${key}`,
      `__proto__=1&${key}=1`,
    ];
    return ways.map((text): Try => {
      const query = [...plainQuery(sample, key), text].join('&');
      return {
        call: name,
        path: key,
        // A name in brackets is another name, which no schema knows.
        isRefused: /=1&/.test(text) && !text.startsWith('__proto__'),
        shown: text.slice(0, 60),
        send: () => inject(endpoint, urlOf(endpoint, { query }), token, body),
      };
    });
  });
}

function addressTries(name: CallName, endpoint: Endpoint, token: string): Try[] {
  if (!endpoint.params) return [];
  const body = endpoint.body && !endpoint.multipart ? JSON.stringify(sampleOf(endpoint.body, known())) : undefined;
  return [...endpoint.path.matchAll(/:(\w+)/g)].flatMap(([, key = '']) =>
    HOSTILE_QUERY.map((raw): Try => ({
      call: name,
      path: key,
      // What is no UTF-8 is no address: refused before anything could be named.
      isRefused: raw !== '' && isReadable(raw),
      shown: raw.slice(0, 60),
      send: () => inject(endpoint, urlOf(endpoint, { param: [key, raw] }), token, body),
    })),
  );
}

function isReadable(raw: string): boolean {
  try {
    decodeURIComponent(raw);
    return true;
  } catch {
    return false;
  }
}

describe('whatever stands in a parameter, the answer is ours and names it:', () => {
  test('the samples are what the contract takes', () => {
    for (const [name, { body, query, params }] of calls)
      for (const schema of [body, query, params])
        for (const variant of schema ? variantsOf(schema) : [])
          expect([name, variant.safeParse(sampleOf(variant, known())).error?.issues ?? []]).toEqual([name, []]);
  });

  test.each(calls)('%s', { timeout: 60_000 }, async (name, endpoint) => {
    const token = await freshToken(endpoint.auth);
    expect(
      await faultsOf([
        ...bodyTries(name, endpoint, token),
        ...queryTries(name, endpoint, token),
        ...addressTries(name, endpoint, token),
      ]),
    ).toEqual([]);
  });

  test('fields of forms', async () => {
    const token = await freshToken();
    const texts = [
      '',
      ' ',
      '0',
      '\u0000',
      'x'.repeat(10_000),
      '\uFFFD',
      '__proto__',
      'null',
      '\u202E',
      '1\r\n2',
      world.own.ids.customer_id.toUpperCase(),
    ];
    expect(
      await faultsOf(
        (['uploadSignature', 'uploadCustomerPhoto', 'uploadInvoice'] as const).flatMap((name) =>
          texts.map((text): Try => ({
            call: name,
            path: 'customer_id',
            isRefused: !z.uuid().safeParse(text).success,
            shown: text.slice(0, 60),
            send: () => sendForm(world.http, name, token, { customer_id: text }),
          })),
        ),
      ),
    ).toEqual([]);
  });

  test('several at once, anything in them', { timeout: 60_000 }, async () => {
    const token = await freshToken();
    const withBody = calls.filter(([, endpoint]) => endpoint.body && !endpoint.multipart);
    const anything = fc.oneof(
      fc.constantFrom(...HOSTILE_JSON.filter((raw) => raw.length < 200)),
      fc.json({ maxDepth: 3 }),
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
    );
    const made = fc
      .tuple(fc.constantFrom(...withBody), fc.array(fc.tuple(fc.nat(), anything), { minLength: 2, maxLength: 5 }))
      .map(([[name, endpoint], changes]): Try => {
        const variant = variantsOf(endpoint.body!)[0]!;
        const leaves = leavesOf(variant);
        let sample = sampleOf(variant, known());
        for (const [at, raw] of changes) {
          const leaf = leaves[at % Math.max(1, leaves.length)];
          // 1e999 and the like are Infinity here, null on the wire.
          if (leaf) sample = withAt(sample, leaf.path, JSON.parse(raw));
        }
        const text = JSON.stringify(sample);
        return {
          call: name,
          path: '',
          isRefused: false,
          shown: text.slice(0, 500),
          send: () => inject(endpoint, urlOf(endpoint), token, text),
        };
      });
    expect(await faultsOf(fc.sample(made, { numRuns: 1500, seed }))).toEqual([]);
  });

  test('what a gateway reports, well signed', async () => {
    const sample = {
      message_id: 'm-1',
      reference: `20.${newId()}`,
      status: 'delivered',
      delivered_at: '2026-01-01T00:00:00Z',
    };
    const bodies = Object.keys(sample).flatMap((key) => HOSTILE_JSON.map((raw) => holeAt(sample, [key], raw)));
    for (const org of ['0', '2147483648', '9999999999', '21'])
      bodies.push(JSON.stringify({ ...sample, reference: `${org}.${newId()}` }));
    expect(
      await faultsOf(
        bodies.map((text): Try => ({
          call: 'hooks/sms',
          path: '',
          isRefused: false,
          shown: text.slice(0, 200),
          send: async () => {
            const t = Math.floor(Date.now() / 1000);
            const v1 = createHmac('sha256', SMS_SECRET).update(`${t}.`).update(text).digest('hex');
            const reply = await world.http.app.fastify.inject({
              method: 'POST',
              url: '/hooks/sms',
              payload: text,
              headers: { 'content-type': 'application/json', 'x-sms-signature': `t=${t},v1=${v1}` },
            });
            // A gateway's answer is no envelope.
            return reply.statusCode === 200
              ? { statusCode: 200, payload: '{"status":200,"response":"success"}' }
              : reply;
          },
        })),
      ),
    ).toEqual([]);
  });

  test('and the session that asked all that still works', async () => {
    expect(
      (
        await world.http.call('getEmiDetails', {
          token: await freshToken(),
          body: { customer_id: world.own.ids.customer_id },
        })
      ).status,
    ).toBe(200);
  });
});
