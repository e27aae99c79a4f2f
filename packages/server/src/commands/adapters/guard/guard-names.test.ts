import { createHmac } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { Delivery } from '#server/commands/adapter.ts';
import { closeClouds, spokenCloud } from '#test/spoken-cloud.ts';

afterEach(closeClouds);

const ports = {
  channel: async (orgId: number, _vendor: string, handle: string) => ({
    orgId,
    deviceId: handle,
    enrolmentId: handle,
    operation: null,
    revision: 2,
    level: 0,
  }),
  observe: async () => undefined,
  nowMs: async () => Date.now(),
} as never;

const unlockOf = (handle: string, given: number | null): Delivery =>
  ({
    orgId: 1,
    deviceId: handle,
    enrolmentId: handle,
    handle,
    provisioning: 'DPC',
    orders: [],
    desired: { revision: 2, policy: { lock: { level: 0, cause: null, screen: null }, released: false } },
    before: { revision: given, operation: given === null ? null : 'o' },
  }) as unknown as Delivery;

test('a call whose answer was lost is repeated under its name; what stands in for one that the cloud lost has a name of its own', async () => {
  const nothingGiven = { state: 'enrolled', target: null, applied: null, last_seen_at: null, sims: [] };
  const cloud = await spokenCloud(
    1,
    {
      'GET /devices/': (path) => ({ body: { device_id: path.split('/').at(-1)!, ...nothingGiven } }),
      'POST /devices/targets': () => ({ body: { transaction_id: 'n' } }),
    },
    ports,
  );
  // Under a name that it knows the cloud answers what it answered then, and does nothing.
  for (const given of [null, null, 2]) await cloud.adapter.deliver([unlockOf('a', given)]);
  const names = cloud.calls.filter(({ of }) => of === 'POST /devices/targets').map(({ body }) => body.request_id);
  expect(names).toHaveLength(3);
  expect(names[1]).toBe(names[0]);
  expect(names[2]).not.toBe(names[0]);
});

test('a word of the cloud counts for five minutes from its signature, either way, and only with the secret of its account', async () => {
  const { adapter } = await spokenCloud(1, {}, ports);
  const body = Buffer.from(JSON.stringify({ event_id: 'e', type: 'odd', at: new Date().toISOString() }));
  const heard = async (offS: number, secret = 'w') => {
    const t = String(Math.floor(Date.now() / 1000) + offS);
    const v1 = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
    return (await adapter.routes![0]!.handle({ body, headers: { 'x-guard-signature': `t=${t},v1=${v1}` } })).status;
  };
  expect(await Promise.all([-310, -290, 290, 310].map((offS) => heard(offS)))).toEqual([400, 200, 200, 400]);
  expect(await heard(0, 'another')).toBe(400);
});
