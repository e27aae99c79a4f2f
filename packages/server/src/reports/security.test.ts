import { expect, test } from 'vitest';
import type { DeviceView, LockView } from '@kist/contract/customers';
import { useWholeShops } from '#test/whole-shop.ts';
import { signalsOf } from './security.ts';

const world = useWholeShops();
const device = {
  is_online: true,
  last_seen_at: '2026-03-01T10:00:00.000Z',
  enrolled_at: '2026-01-01T10:00:00.000Z',
  desired_revision: 3,
  reported_revision: 3,
} as DeviceView;
const lock = {
  silent_since: null,
  strength: 'enforced',
  confirmed_at: '2026-03-01T10:00:00.000Z',
  pending: null,
} as LockView;
const pending = { to: 'unlocked', state: 'SENT', since: '2026-03-01T09:00:00.000Z' } as const;
const unsafe = (told: { device?: Partial<DeviceView>; lock?: Partial<LockView>; sim?: Date }) =>
  signalsOf({ ...device, ...told.device }, { ...lock, ...told.lock }, told.sim ?? null)
    .filter((one) => !one.is_safe)
    .map((one) => one.signal);

test.each([
  [{}, []],
  [{ device: { is_online: false } }, ['contact']],
  [{ lock: { silent_since: '2026-02-01T10:00:00.000Z' } }, ['contact']],
  [{ lock: { strength: 'unproven' } }, ['agent']],
  [{ lock: { strength: 'advisory' } }, ['agent']],
  [{ device: { reported_revision: 2 } }, ['orders']],
  [{ lock: { pending } }, ['orders']],
  [{ sim: new Date('2026-02-27T10:00:00Z') }, ['sim']],
] as const)('%j leaves this to do: %j', (told, expected) => {
  expect(unsafe(told)).toEqual(expected);
});

test('only an organisation whose anti-hacking layout is in steps is shown them, of a phone that is set up', async () => {
  const { customer_id } = world.own.ids;
  const { orgId } = world.own.actor;
  const shown = async () => {
    const reply = await world.http.call('getCustomerProfile', { token: world.own.token, query: { customer_id } });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.data.security;
  };
  const set = (layout: string) =>
    world.db.asOwner('update organisations set antihacking_layout = $2 where org_id = $1', [orgId, layout]);
  await set('steps');
  expect(await shown()).toBeNull();
  const phones = await world.db.asOwner<{ device_id: string }>(
    'update devices set enrolled_at = kist_now() where org_id = $1 and customer_id = $2 returning device_id',
    [orgId, customer_id],
  );
  expect(phones).toHaveLength(1);
  expect((await shown())?.map((one) => one.signal)).toEqual(['contact', 'agent', 'orders', 'sim']);
  expect((await shown())?.find((one) => one.signal === 'sim')).toMatchObject({ is_safe: true, at: null });
  await world.db.asOwner(
    `insert into device_events (org_id, event_id, device_id, kind, at) values ($1, gen_random_uuid(), $2, 'sim_changed', kist_now() - interval '8 days')`,
    [orgId, phones[0]!.device_id],
  );
  expect((await shown())?.find((one) => one.signal === 'sim')).toMatchObject({ is_safe: true });
  await world.db.asOwner(
    `insert into device_events (org_id, event_id, device_id, kind, at) values ($1, gen_random_uuid(), $2, 'sim_changed', kist_now() - interval '1 day')`,
    [orgId, phones[0]!.device_id],
  );
  expect((await shown())?.find((one) => one.signal === 'sim')).toMatchObject({
    is_safe: false,
    at: expect.any(String),
  });
  await set('classic');
  expect(await shown()).toBeNull();
});
