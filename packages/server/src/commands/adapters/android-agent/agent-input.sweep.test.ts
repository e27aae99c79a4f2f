import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { type DeviceWorld, closeDeviceWorld, createDeviceWorld } from '#test/device-world.ts';
import type { TestPhone } from '#test/phone.ts';

let world: DeviceWorld;
let phone: TestPhone;
let tokens: string[];
beforeAll(async () => {
  world = await createDeviceWorld(await createTestDatabase());
  ({ phone } = await world.enrolledPhone());
  tokens = [await world.token((await world.register()).deviceId), `k.${'A'.repeat(43)}`];
  await phone.checkin();
});
afterAll(() => closeDeviceWorld(world));

const PATHS = [
  '/agent/v1/checkin',
  '/agent/v1/enrol',
  '/agent/v1/poll',
  '/agent/v1/dispute',
  '/agent/v1/key',
  '/agent/v1/nothing',
];
const COUNT = 10_000;
/** What any of these may answer: never 401, never a crash, never our fault. */
const ALLOWED = new Set([200, 400, 404, 405, 409, 413, 415]);

async function send(options: InjectOptions): Promise<{ status: number; code?: string }> {
  const reply = await world.http.inject(options);
  const body = JSON.parse(reply.payload || '{}') as { code?: string };
  return { status: reply.statusCode, code: body.code };
}

/** Spends no more than a batch at once, as a server would see it. */
async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += 100) await Promise.all(items.slice(at, at + 100).map(work));
}

const headerText = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
});
const nearMiss = fc
  .tuple(
    fc.constantFrom('sig1=', 'sig2=', ''),
    fc.constantFrom(
      '("@method" "@path" "content-digest")',
      '("@method")',
      '()',
      '("@path" "@method" "content-digest")',
    ),
    fc.constantFrom('created=1', 'created=-1', 'created=99999999999999', 'created=x'),
    fc.constantFrom('abcdefghijklmnop', '', '"', '\\'),
    fc.constantFrom('20.00000000-0000-4000-8000-000000000000', '99999999999.x', '0.0', '..', "20.' or 1=1"),
    fc.constantFrom('ecdsa-p256-sha256', 'none', 'rsa'),
  )
  .map(
    ([label, list, created, nonce, keyid, alg]) =>
      `${label}${list};${created};nonce="${nonce}";keyid="${keyid}";alg="${alg}"`,
  );

test(
  `${COUNT} malformed headers and bodies never crash and are never the server's fault`,
  { timeout: 240_000 },
  async () => {
    const request = fc.record({
      method: fc.constantFrom('GET' as const, 'POST' as const, 'PUT' as const, 'DELETE' as const, 'HEAD' as const),
      url: fc.oneof(
        fc.constantFrom(...PATHS),
        fc.constantFrom(...PATHS).map((path) => `${path}?a=1`),
      ),
      headers: fc.dictionary(
        fc.constantFrom(
          'signature',
          'signature-input',
          'content-digest',
          'content-type',
          'content-length',
          'kist-nonce',
          'accept',
        ),
        fc.oneof(
          headerText,
          nearMiss,
          fc.base64String({ minLength: 40, maxLength: 90 }).map((text) => `sig1=:${text}:`),
        ),
        { maxKeys: 5 },
      ),
      payload: fc.oneof(
        fc.json(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '{', '[[[[', 'null', '0', '"\\u0000"'),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
    });
    const requests = fc.sample(request, { numRuns: COUNT, seed: 20 });
    const seen = new Map<number, number>();
    await inBatches(requests, async ({ headers, payload, method, url }) => {
      const { 'content-length': _length, ...rest } = headers;
      const { status } = await send({
        method,
        url,
        headers: rest,
        ...(method === 'GET' || method === 'HEAD' ? {} : { payload }),
      });
      seen.set(status, (seen.get(status) ?? 0) + 1);
    });
    expect([...seen.keys()].filter((status) => !ALLOWED.has(status))).toEqual([]);
  },
);

test(
  `${COUNT} well signed requests with broken bodies never crash, and the phone can still check in`,
  { timeout: 240_000 },
  async () => {
    const good = () => ({
      proto: 1,
      boot_count: 1,
      elapsed_ms: 1,
      wall_clock: '2026-01-01T00:00:00Z',
      highest_seq: 0,
      acks: [],
      events: [],
      state: {
        revision: 0,
        lock_level: 0,
        lock_cause: null,
        lease_seq: 0,
        toggles: { camera_lock: false, app_lock: false, wallpaper: false },
        sims: [],
        battery: 1,
        agent_version: '1',
      },
      push_token: null,
    });
    const nasty: fc.Arbitrary<unknown> = fc.oneof(
      fc.anything({ withNullPrototype: false }),
      fc.constantFrom(
        '\0',
        '\uD800',
        '0000-01-01T00:00:00Z',
        '9999-12-31T23:59:59.999Z',
        '2026-13-45T99:00:00Z',
        -1,
        1e308,
        2 ** 53,
        '',
        [],
        {},
        null,
      ),
      fc.constantFrom('x'.repeat(5000), 'x'.repeat(500)),
      fc.integer({ min: 13, max: 4000 }).map((depth) => nested(depth)),
      fc
        .record({
          id: fc.uuid(),
          seq: fc.nat(),
          status: fc.constantFrom('applied', 'seen', 'failed'),
          result: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
        })
        .map((ack) => [ack]),
      fc
        .record({
          id: fc.uuid(),
          kind: fc.constantFrom('booted', 'sim_changed'),
          at: fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-01-01T00:00:00+23:59'),
          data: fc.dictionary(fc.string(), fc.jsonValue()),
        })
        .map((event) => [event]),
    );
    const where = fc.constantFrom(
      'proto',
      'boot_count',
      'elapsed_ms',
      'wall_clock',
      'highest_seq',
      'acks',
      'events',
      'push_token',
      'state',
      'state.sims',
      'state.battery',
      'state.location',
      'state.lock_level',
      'state.toggles',
      'other',
    );
    const requests = fc.sample(
      fc.record({
        where,
        value: nasty,
        path: fc.constantFrom('/agent/v1/checkin', '/agent/v1/checkin', '/agent/v1/dispute'),
      }),
      { numRuns: COUNT, seed: 21 },
    );
    const { rows: before } = await world.db.devicePool.query('select count(*) as n from device_reports');
    const seen = new Map<number, number>();
    await inBatches(requests, async (given) => {
      const body = given.path.endsWith('dispute')
        ? { text: given.value }
        : put(good(), given.where.split('.'), given.value);
      const { status } = await phone.call(given.path, body);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    });
    expect([...seen.keys()].filter((status) => !ALLOWED.has(status))).toEqual([]);
    // Nearly every report is answered, nearly every such dispute is not.
    expect(seen.get(200)).toBeGreaterThan(COUNT / 2);
    expect(seen.get(400)).toBeGreaterThan(COUNT / 5);
    const { rows: after } = await world.db.devicePool.query('select count(*) as n from device_reports');
    expect(after).toEqual(before);
    expect((await phone.checkin()).status).toBe(200);
  },
);

test('broken enrolments with a key of their own never crash and use up no token', { timeout: 120_000 }, async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
  const good = {
    proto: 1,
    token: '',
    public_key_spki: spki,
    attestation: [],
    imei: [],
    serial: '',
    brand: '',
    model: '',
    agent: 'DPC',
    agent_version: '1',
    boot_count: 0,
    elapsed_ms: 0,
  };
  const change = fc.oneof(
    fc.record({
      attestation: fc.array(
        fc.base64String({ maxLength: 60 }).map((text) => text.replace(/[+/=]/g, '')),
        { maxLength: 4 },
      ),
    }),
    fc.record({
      public_key_spki: fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    }),
    fc.record({
      imei: fc.array(fc.stringMatching(/^\d{15}$/), { maxLength: 2 }),
      serial: fc.string({ maxLength: 50 }),
    }),
    fc.record({ token: fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-z]{1,8}\.[A-Za-z0-9_-]{43}$/)) }),
  );
  const seen = new Set<number>();
  await inBatches(fc.sample(change, { numRuns: 1000, seed: 22 }), async (changed) => {
    const body = { ...good, token: tokens[0]!, ...changed };
    const text = JSON.stringify(body);
    const digest = `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
    const keyid = String(body.token).slice(0, 16);
    const parameters = `("@method" "@path" "content-digest");created=${Math.floor(Date.now() / 1000)};nonce="${randomBytes(12).toString('base64url')}";keyid="${keyid}";alg="ecdsa-p256-sha256"`;
    const base = `"@method": POST\n"@path": /agent/v1/enrol\n"content-digest": ${digest}\n"@signature-params": ${parameters}`;
    const signature = sign('sha256', Buffer.from(base), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
      'base64',
    );
    const headers = {
      'content-digest': digest,
      'signature-input': `sig1=${parameters}`,
      signature: `sig1=:${signature}:`,
      'content-type': 'application/json',
    };
    seen.add(
      (await send({ method: 'POST', url: '/agent/v1/enrol', payload: text, headers: onlyPrintable(headers) })).status,
    );
  });
  expect([...seen].filter((status) => !ALLOWED.has(status) || status === 200)).toEqual([]);
  const used = await world.db.asOwner('select 1 from enrolment_tokens where used_at is not null and token_hash = $1', [
    createHash('sha256').update(tokens[0]!).digest(),
  ]);
  expect(used).toEqual([]);
});

const onlyPrintable = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^ -~]/g, '')]));

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = [value];
  return value;
}

function put(target: Record<string, unknown>, [name, ...rest]: string[], value: unknown): Record<string, unknown> {
  const inner = target[name!];
  return { ...target, [name!]: rest.length > 0 ? put(inner as Record<string, unknown>, rest, value) : value };
}
