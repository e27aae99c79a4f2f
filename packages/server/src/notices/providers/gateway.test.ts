import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGateway } from './gateway.ts';
import { createHttpGateway } from './http-gateway.ts';

let status = 200;
const server = createServer((_request, response) => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end('{"message_id":"m1"}');
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const message = {
  to: '+919000000003',
  body: 'hello',
  template: 'otp_login',
  template_id: 'otp_login.en.0',
  reference: 'otp.1',
};
const send = (gateway: ReturnType<typeof createGateway>) =>
  gateway.provider!.send(message, new AbortController().signal);

test('without a gateway nothing can be sent', () => {
  expect(createGateway(undefined)).toMatchObject({ provider: undefined });
  expect(createGateway(undefined).canSend()).toBe(false);
});

test('a gateway that refuses us, or is away, cannot send until it takes a message, of which one a minute is let through to try; one that refuses a message can', async () => {
  let nowMs = 0;
  const gateway = createGateway(
    createHttpGateway({ url, secret: 's', callbackUrl: 'http://127.0.0.1/x' }),
    () => nowMs,
  );
  expect(gateway.canSend()).toBe(true);
  for (const refusal of [401, 402, 403, 404, 405, 410, 502, 503, 504]) {
    status = refusal;
    await expect(send(gateway)).rejects.toThrow(String(refusal));
    expect([refusal, gateway.canSend()]).toEqual([refusal, false]);
    status = 200;
    await send(gateway);
    expect(gateway.canSend()).toBe(true);
  }
  for (const passing of [400, 408, 422, 429, 500]) {
    status = passing;
    await expect(send(gateway)).rejects.toThrow(String(passing));
    expect([passing, gateway.canSend()]).toEqual([passing, true]);
  }
  status = 403;
  await expect(send(gateway)).rejects.toThrow('403');
  nowMs += 59_999;
  expect(gateway.canSend()).toBe(false);
  nowMs += 1;
  expect([gateway.canSend(), gateway.canSend()]).toEqual([true, false]);
});

test('nobody at the address, or nobody who answers in time, is a gateway that is away; our own stop says nothing of it', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  for (const [at, canSend, signal] of [
    ['http://127.0.0.1:9', false, new AbortController().signal],
    [silentUrl, false, new AbortController().signal],
    [silentUrl, true, AbortSignal.timeout(50)],
  ] as const) {
    const provider = createHttpGateway({ url: at, secret: 's', callbackUrl: 'http://127.0.0.1/x', timeoutMs: 200 });
    const gateway = createGateway(provider);
    await expect(gateway.provider!.send(message, signal)).rejects.toThrow(/does not answer|aborted/i);
    expect([at, gateway.canSend()]).toEqual([at, canSend]);
  }
  silent.closeAllConnections();
  silent.close();
});
