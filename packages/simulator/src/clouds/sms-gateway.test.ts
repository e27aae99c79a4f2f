import { createHmac } from 'node:crypto';
import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '#simulator-test/honest-server.ts';
import { serveRoutes } from '#simulator/http/http-server.ts';
import type { RunningServer } from '#simulator/http/http-server.ts';
import { SmsGateway } from './sms-gateway.ts';

const SECRET = 'sms-secret';
let gateway: SmsGateway;
let running: RunningServer;
let shop: RunningServer;
let receipts: { body: string; signature: string }[];
let refuseFirst: number;

beforeEach(async () => {
  receipts = [];
  refuseFirst = 0;
  gateway = new SmsGateway({
    secret: SECRET,
    nowMs: () => Date.parse('2026-11-05T05:00:00Z'),
    deliverAfterMs: 10,
    retryAfterMs: 10,
  });
  running = await serveRoutes(gateway.routes(), 0);
  shop = await serveRoutes(
    [
      {
        method: 'POST',
        path: '/hooks/sms',
        handle: ({ body, headers, response }) => {
          receipts.push({ body: body.toString(), signature: String(headers['x-sms-signature']) });
          refuseFirst -= 1;
          if (refuseFirst < 0) return {};
          response.writeHead(503).end();
          return undefined;
        },
      },
    ],
    0,
  );
});
afterEach(async () => {
  gateway.stop();
  await running.close();
  await shop.close();
});

const send = (reference: string, part: Record<string, unknown> = {}, secret = SECRET) =>
  fetch(`http://127.0.0.1:${running.port}/sms/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      to: '+919000000001',
      body: 'OTP 123456',
      template: 'otp',
      template_id: 'otp_login.en.0',
      reference,
      callback_url: `http://127.0.0.1:${shop.port}/hooks/sms`,
      ...part,
    }),
  });

it('shows its messages to nobody who asks under another name than this machine’s: a page may have pointed its own here', async () => {
  const statusFor = (host: string) =>
    new Promise((resolve) => {
      get({ port: running.port, host: '127.0.0.1', path: '/sms/outbox', headers: { host } }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      });
    });
  for (const host of ['evil.example', `127.0.0.1.evil.example:${running.port}`])
    expect(await statusFor(host)).toBe(404);
  for (const host of ['localhost', '[::1]:80', `127.0.0.1:${running.port}`]) expect(await statusFor(host)).toBe(200);
});

describe('the SMS gateway', () => {
  it('takes a message once for each reference and delivers it with a signed receipt', async () => {
    const [first, again] = [await send('a'), await send('a')];
    expect(first.status).toBe(202);
    expect(await again.json()).toEqual(await first.json());
    await until(() => receipts.length === 1, 'the receipt');
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(receipts[0]!.signature)!;
    expect(v1).toBe(createHmac('sha256', SECRET).update(`${t}.${receipts[0]!.body}`).digest('hex'));
    expect(JSON.parse(receipts[0]!.body)).toMatchObject({
      reference: 'a',
      status: 'delivered',
      delivered_at: '2026-11-05T05:00:00.000Z',
    });
    const outbox = await (await fetch(`http://127.0.0.1:${running.port}/sms/outbox?mobile=9000000001`)).json();
    expect(outbox).toMatchObject([
      { to: '+919000000001', body: 'OTP 123456', delivered_at: '2026-11-05T05:00:00.000Z' },
    ]);
  });

  it('repeats a receipt that was refused until it is taken', async () => {
    refuseFirst = 2;
    await send('b');
    await until(() => gateway.outbox()[0]!.isReceiptTaken, 'the receipt is taken');
    expect(receipts).toHaveLength(3);
  });

  it('refuses a wrong secret and a malformed message', async () => {
    expect((await send('c', {}, 'other')).status).toBe(401);
    expect((await send('c', { to: 'nobody' })).status).toBe(400);
    expect((await send('c', { extra: 1 })).status).toBe(400);
    expect(gateway.outbox()).toEqual([]);
  });

  it('has its bad days: down, never delivering, receipts twice', async () => {
    gateway.setFaults({ is_down: true });
    expect((await send('d')).status).toBe(503);
    gateway.setFaults({ is_down: false, never_delivers: true });
    await send('e');
    gateway.setFaults({ never_delivers: false, duplicates: true });
    await send('f', { to: '9000000002' });
    await until(() => receipts.length === 2, 'both receipts of the last one');
    expect(new Set(receipts.map(({ body }) => body)).size).toBe(1);
    expect(gateway.outbox('+919000000001')[0]!.delivered_at).toBeNull();
  });
});
