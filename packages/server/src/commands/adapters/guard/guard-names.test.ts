import { createHmac } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { anyCloud, closeClouds, deliveryOf } from '#test/spoken-cloud.ts';

afterEach(closeClouds);

test('a call whose answer was lost is repeated under its name; what stands in for one that the cloud lost has a name of its own', async () => {
  const nothingGiven = { state: 'enrolled', target: null, applied: null, last_seen_at: null, sims: [] };
  const cloud = await anyCloud({
    'GET /devices/': (path) => ({ body: { device_id: path.split('/').at(-1)!, ...nothingGiven } }),
    'POST /devices/targets': () => ({ body: { transaction_id: 'n' } }),
  });
  // Under a name that it knows the cloud answers what it answered then, and does nothing.
  for (const given of [null, null, 2]) await cloud.adapter.deliver([deliveryOf('a', given)]);
  const names = cloud.calls.filter(({ of }) => of === 'POST /devices/targets').map(({ body }) => body.request_id);
  expect(names).toHaveLength(3);
  expect(names[1]).toBe(names[0]);
  expect(names[2]).not.toBe(names[0]);
});

test('a word of the cloud counts for five minutes from its signature, either way, and only with the secret of its account', async () => {
  const { adapter } = await anyCloud({});
  const body = Buffer.from(JSON.stringify({ event_id: 'e', type: 'odd', at: new Date().toISOString() }));
  const heard = async (offS: number, secret = 'w') => {
    const t = String(Math.floor(Date.now() / 1000) + offS);
    const v1 = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
    return (await adapter.routes![0]!.handle({ body, headers: { 'x-guard-signature': `t=${t},v1=${v1}` } })).status;
  };
  expect(await Promise.all([-310, -290, 290, 310].map((offS) => heard(offS)))).toEqual([400, 200, 200, 400]);
  expect(await heard(0, 'another')).toBe(400);
});
