import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { LOG_KEYS } from './log-keys.ts';
import type { LogFields } from './log-keys.ts';
import { createLog } from './log.ts';

const database = await createTestDatabase();

/** What a call writes, as text and parsed. */
function written(fields: LogFields, message = 'something happened') {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  createLog('debug', sink).info(fields, message);
  const text = lines.join('');
  return { text, line: JSON.parse(text) as Record<string, unknown> & { err?: Record<string, unknown> } };
}

const canaries = {
  mobile: '+919876543210',
  spacedMobile: '98765 43210',
  otp: '482193',
  mpin: '4821',
  token: 'qL0x2mJ8vT5rWc9ZsYbN4kHdEfGaUiOpQwRtYuIoPa1',
  aadhaar: '1234 5678 9012',
  pan: 'ABCDE1234F',
  name: 'Ramesh Kumar Yadav',
  email: 'ramesh@example.in',
  upi: 'ramesh.k@okbank',
  imei: '356938035643809',
};

describe('the log', () => {
  test('writes one JSON object a line: level, instant, known fields, message', () => {
    const { line } = written(
      { orgId: 20, paymentId: '0198f0e2-7c1a-7000-8000-000000000001', tookMs: 12 },
      'payment recorded',
    );
    expect(line).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      orgId: 20,
      paymentId: '0198f0e2-7c1a-7000-8000-000000000001',
      tookMs: 12,
      msg: 'payment recorded',
    });
  });

  test('a field name that is not in the list shows no value, even past the types', () => {
    const sneaky = { customerName: canaries.name } as LogFields;
    expect(written(sneaky).text).not.toContain('Ramesh');
    expect(Object.keys(LOG_KEYS)).not.toContain('customerName');
  });

  test('people’s data and secrets stay out at any depth and in any spelling of their names', () => {
    const nested = {
      user: {
        firstName: canaries.name,
        mobileNumber: canaries.mobile,
        mobile_no: 9876543210,
        MPIN: canaries.mpin,
        otp: 482193,
      },
      list: [
        { aadhaarNumber: canaries.aadhaar },
        { accessToken: canaries.token, authorization: `Bearer ${canaries.token}` },
      ],
      deep: {
        deeper: {
          deepest: { pan: canaries.pan, customer_name: canaries.name, upi_id: canaries.upi, imei1: canaries.imei },
        },
      },
    };
    const { text } = written({ rule: nested });
    for (const [kind, canary] of Object.entries(canaries)) {
      expect(text, kind).not.toContain(canary);
    }
    expect(text).not.toContain('9876543210');
    expect(text).not.toContain('482193');
  });

  test('text that carries them is cleaned: messages, values, errors and their causes', () => {
    const sentence = Object.entries(canaries)
      .filter(([kind]) => kind !== 'name')
      .map(([kind, canary]) => `${kind} ${canary}`)
      .join(', ');
    const error = new Error(`failed for ${sentence}`, { cause: new Error(`because of ${sentence}`) });
    for (const { text } of [
      written({ err: error }),
      written({}, sentence),
      written({ rule: sentence }),
      written({ rule: [sentence] }),
    ]) {
      for (const [kind, canary] of Object.entries(canaries)) expect(text, kind).not.toContain(canary);
    }
  });

  test('ids, instants and dates stay readable', () => {
    const id = '0198f0e2-7c1a-7000-8000-123456789012';
    const at = '2026-11-20T18:30:00.123Z';
    const { text } = written({ rule: [`device ${id} at ${at} due 2026-12-01`], deviceId: id });
    expect(text).toContain(`device ${id} at ${at} due 2026-12-01`);
  });

  test('an error keeps what helps: its type, code, constraint and places in the program', () => {
    const error = Object.assign(new TypeError('bad'), { code: '23505', constraint: 'users_mobile_key' });
    const { err } = written({ err: error }).line;
    expect(err).toMatchObject({ type: 'TypeError', message: 'bad', code: '23505', constraint: 'users_mobile_key' });
    expect(JSON.stringify(err?.stack)).toContain('log.test.ts');
  });

  test('PostgreSQL and JSON.parse quote their input; the log does not', async () => {
    const asked = database.appPool.query('select $1::uuid', [canaries.name]);
    const error: unknown = await asked.catch((reason: unknown) => reason);
    expect(String(error)).toContain('Ramesh');
    expect(written({ err: error }).text).not.toContain('Ramesh');
    await database.asOwner('create table people (name text primary key, mobile text)');
    await database.asOwner('insert into people values ($1, $2)', [canaries.name, canaries.mobile]);
    const repeated: unknown = await database
      .asOwner('insert into people values ($1, $2)', [canaries.name, canaries.mobile])
      .catch((reason: unknown) => reason);
    const { text } = written({ err: repeated });
    expect(text).toContain('people_pkey');
    expect(text).not.toContain('Ramesh');
    let syntax: unknown;
    try {
      JSON.parse(`{"name": ${canaries.name}}`);
    } catch (reason) {
      syntax = reason;
    }
    expect(String(syntax)).toContain('Rames');
    expect(written({ err: syntax }).text).not.toContain('Rames');
  });

  test('a line break in a value cannot forge a second line, and any value can be written', () => {
    expect(written({ rule: 'x\n{"level":60,"msg":"forged"}' }).text.trim().split('\n')).toHaveLength(1);
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true, withNullPrototype: true }),
        (value) => {
          expect(written({ rule: value }).line.msg).toBe('something happened');
        },
      ),
      { numRuns: 500 },
    );
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(written({ rule: circular }).line.msg).toBe('something happened');
  });

  test('a log with common fields writes them on every line', () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const log = createLog('info', sink).with({ job: 'daily' });
    log.debug({}, 'below the level');
    log.warn({ count: 2 }, 'done');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 40, job: 'daily', count: 2, msg: 'done' },
    ]);
  });
});
