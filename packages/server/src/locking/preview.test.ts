import { LIMITS } from '@kist/contract/limits';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Actor } from '#server/identity/identity.ts';
import { type LockWorld, createLockWorld } from '#test/lock-world.ts';
import { assertPreviewed, previewOf } from './bulk-guards.ts';

/** What a dry run gives stands for one order, one person and a while. Whatever else is brought is refused. */
let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
});
afterAll(() => world.close());
beforeEach(() => world.at('2026-03-13T08:00:00'));

const KEY = Buffer.alloc(32, 1);
const customerIds = ['a', 'b', 'c'];
const ORDER = { command: 'lock', reason: 'EMI_OVERDUE', customerIds } as const;
type Order = Parameters<typeof previewOf>[3];
const preview = (order: Order = ORDER, actor: Actor = world.shop, key: Uint8Array = KEY) =>
  world.inOrg((tx) => previewOf(tx, key, actor, order));
const codeOf = (brought: string | undefined, order: Order = ORDER, actor: Actor = world.shop) =>
  world
    .inOrg((tx) => assertPreviewed(tx, KEY, actor, { ...order, preview: brought }))
    .then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );

it('the very order passes, as often as it is brought, until its time is over', async () => {
  const brought = await preview();
  expect([await codeOf(brought), await codeOf(brought)]).toEqual(['done', 'done']);
  await world.at(`2026-03-13T08:${LIMITS.bulkPreviewMinutes - 1}:30`);
  expect(await codeOf(brought)).toBe('done');
  await world.at(`2026-03-13T08:${LIMITS.bulkPreviewMinutes}:01`);
  expect(await codeOf(brought)).toBe('PREVIEW_REQUIRED');
});

it('a time that was moved on by hand does not fit what was signed', async () => {
  const [until = '', mac = ''] = (await preview()).split('.');
  const later = (Number.parseInt(until, 36) + 3_600_000).toString(36);
  expect(await codeOf(`${later}.${mac}`)).toBe('PREVIEW_REQUIRED');
});

it.each([
  ['nothing', () => undefined],
  ['an empty word', () => ''],
  ['a time alone', (brought: string) => brought.split('.')[0]],
  ['a time and no more than its point', (brought: string) => `${brought.split('.')[0]}.`],
  ['no time', (brought: string) => `.${brought.split('.')[1]}`],
  ['a time that is none', (brought: string) => `!!.${brought.split('.')[1]}`],
  ['a sign less', (brought: string) => brought.slice(0, -1)],
])('%s is no dry run', async (_what, changed) => {
  expect(await codeOf(changed(await preview()))).toBe('PREVIEW_REQUIRED');
});

it.each([
  ['of another command', { ...ORDER, command: 'unlock' }],
  ['for another reason', { ...ORDER, reason: 'ENROLMENT_TEST' }],
  ['of one customer less', { ...ORDER, customerIds: ['a', 'b'] }],
  ['of as many customers, another among them', { ...ORDER, customerIds: ['a', 'b', 'd'] }],
] as const)('one %s is none of this order', async (_what, order) => {
  expect(await codeOf(await preview(order))).toBe('PREVIEW_REQUIRED');
});

it('one of another person, of another organisation or under another key is none of this order', async () => {
  const others = [
    await preview(ORDER, world.second),
    await preview(ORDER, { ...world.shop, orgId: world.shop.orgId + 1 }),
    await preview(ORDER, world.shop, Buffer.alloc(32, 2)),
  ];
  for (const other of others) expect(await codeOf(other)).toBe('PREVIEW_REQUIRED');
});
